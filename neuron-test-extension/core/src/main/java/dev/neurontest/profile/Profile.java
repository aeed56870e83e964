package dev.neurontest.profile;

import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.profile.ProfileMembers;
import dev.neurontest.internal.profile.ProfileText;
import dev.neurontest.internal.profile.ProfileValue;
import dev.neurontest.internal.profile.Throttling;
import dev.neurontest.internal.text.ShellText;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
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
        implements Measurement {

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

    /**
     * A number of the whole profile: of the rank that is worst, the median of its executions. Executions in doubt do not count
     * unless there are no others; a first one and a throttled one count where time does not matter.
     *
     * @param metric as the tool names it
     * @return as the tool wrote it; empty when it is in none of them
     */
    public OptionalDouble number(String metric) {
        return ProfileValue.number(this, metric);
    }

    /**
     * A text that all executions have in common.
     *
     * @param metric as the tool names it
     * @return empty when it is absent, or they differ
     */
    public Optional<String> text(String metric) {
        return ProfileValue.text(this, metric);
    }

    /**
     * The class of throttling that its times belong to; times of different classes are not comparable.
     *
     * @return each limiter with the share of the time under its limit, to 10 points, such as {@code activity_1 30 % at 50 %}; empty
     *     when nothing slowed the device down for 5 % of the time or more; {@code unknown} when a share cannot be read
     */
    public String throttleClass() {
        return Throttling.classOf(this);
    }

    /**
     * The tables of the only execution that has some.
     *
     * @return instructions, transfers, warnings and all else that the tool wrote of it
     * @throws IllegalStateException when no execution has tables, or several have; then ask {@link TracedExecution#tables()}
     */
    public ProfileTables tables() {
        List<ProfileTables> all = executions.stream()
                .flatMap(execution -> execution.tables().stream())
                .toList();
        if (all.size() != 1) {
            throw new IllegalStateException(
                    all.isEmpty()
                            ? "The profile of %s has no tables. Ask for them by @ProfileNeff(tables = true) or capture(neff).also(TraceExport.TABLES); its notices say when they could not be made: %s"
                                    .formatted(title, notices)
                            : "The profile of %s has tables of %s executions. Ask one of executions() for its tables()."
                                    .formatted(title, all.size()));
        }
        return all.get(0);
    }

    /**
     * Returns the same with other executions and doubts.
     *
     * @param others in the order of the executions
     * @param doubtsOfTheWhole those that are not of single executions
     * @return another profile
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Profile with(List<TracedExecution> others, List<Doubt> doubtsOfTheWhole) {
        return new Profile(title, capture, tool, others, helpers, doubtsOfTheWhole, notices, runs, folder);
    }

    /**
     * What opens a trace in the tool's own viewer.
     *
     * @param execution one of this profile
     * @return a command for a shell, such as {@code neuron-explorer view -n a.neff -s profile.ntff}
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public String viewCommand(TracedExecution execution) {
        return ShellText.of(List.of(
                tool.split(" ", 2)[0],
                "view",
                "-n",
                execution.neff().toString(),
                "-s",
                execution.ntff().toString()));
    }

    @Override
    public String kind() {
        return "profile";
    }

    @Override
    public String toText() {
        return ProfileText.of(this);
    }

    /**
     * The profile for a program: {@code version} 1, {@code kind}, {@code title}, {@code capture}, {@code tool}, {@code folder},
     * {@code doubts}, {@code notices}, {@code executions} and {@code helpers} with all their metrics as the tool wrote them,
     * {@code units} of the metrics that are known, and {@code runs} of the tool.
     *
     * @return one JSON object
     */
    @Override
    public String toJson() {
        return ProfileMembers.of(this);
    }
}
