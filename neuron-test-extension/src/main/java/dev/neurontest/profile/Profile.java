package dev.neurontest.profile;

import dev.neurontest.recording.Recording;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The profile of one graph: what was traced of it, by which tool, and how.
 *
 * @param title what was profiled, such as {@code resnet50.neff}
 * @param capture how it was captured; profiles of different kinds are not comparable
 * @param tool name and version, such as {@code neuron-explorer 2.32.7.0}
 * @param executions what was traced, by rank and then by execution
 * @param helpers graphs that ran beside it and are not judged: copies, layout changes, barriers
 * @param doubts why nothing can be decided by any of it
 * @param notices what a reader should know although nothing is wrong
 * @param runs the calls of the tool, in their order
 * @param folder where the files are
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Profile(
        String title,
        CaptureKind capture,
        String tool,
        List<TracedExecution> executions,
        List<TracedExecution> helpers,
        List<Doubt> doubts,
        List<String> notices,
        List<ToolRun> runs,
        Path folder)
        implements Recording {

    /**
     * Keeps its own copies.
     *
     * @param title what was profiled
     * @param capture how
     * @param tool name and version
     * @param executions what was traced
     * @param helpers graphs that ran beside it
     * @param doubts why nothing can be decided
     * @param notices what a reader should know
     * @param runs the calls of the tool
     * @param folder where the files are
     */
    public Profile {
        executions = List.copyOf(executions);
        helpers = List.copyOf(helpers);
        doubts = List.copyOf(doubts);
        notices = List.copyOf(notices);
        runs = List.copyOf(runs);
    }

    /**
     * Everything that is in doubt.
     *
     * @return doubts about the whole, then those about single executions
     */
    public List<Doubt> allDoubts() {
        return Stream.concat(doubts.stream(), executions.stream().flatMap(each -> each.doubts().stream()))
                .distinct()
                .toList();
    }

    @Override
    public String kind() {
        return "profile";
    }

    @Override
    public String toText() {
        return ProfileText.of(this);
    }

    @Override
    public String toJson() {
        return ProfileJson.of(this);
    }
}
