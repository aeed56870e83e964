package dev.neurontest.internal.profile;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.output.OutputCollector;
import dev.neurontest.internal.profile.tool.ProfilerTool;
import dev.neurontest.profile.ToolNotFoundException;
import dev.neurontest.profile.TraceExport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * The settings for all profiles of a test.
 *
 * @param tool supplier of the tool, called when it is first needed; it may throw {@link ToolNotFoundException}
 * @param toolRemains false for a tool that is removed with its host
 * @param cores default cores of a capture
 * @param held all cores that the test holds
 * @param folder supplier of the folder for the test's files, called when it is first needed
 * @param environment environment variables of the platform for its programs
 * @param throttledFrom share of time under a limit that makes a profile doubtful, such as 0.05
 * @param recaptures default number of repetitions of throttled captures
 * @param deadline default deadline of each tool call; empty to derive it from the size of its files
 * @param exports formats of every trace, in addition to those of a capture
 * @param outputs collector of the outputs of captured executions
 * @param startedByTest condition for processes that the test started; they must end before a capture
 * @param observer observer of the tools on the cores
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ProfilerContext(
        Supplier<ProfilerTool> tool,
        boolean toolRemains,
        NeuronHost host,
        List<NeuronCore> cores,
        List<NeuronCore> held,
        Supplier<Path> folder,
        Map<String, String> environment,
        double throttledFrom,
        int recaptures,
        Optional<Duration> deadline,
        Set<TraceExport> exports,
        OutputCollector outputs,
        LongPredicate startedByTest,
        ProfilerObserver observer) {

    /** Creates a context with its own copies of the collections. */
    public ProfilerContext {
        cores = List.copyOf(cores);
        held = List.copyOf(held);
        environment = Map.copyOf(environment);
        exports = Set.copyOf(exports);
    }
}
