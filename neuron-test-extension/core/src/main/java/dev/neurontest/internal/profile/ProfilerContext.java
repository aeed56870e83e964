package dev.neurontest.internal.profile;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
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
 * What every profile of a test begins with.
 *
 * @param tool asked when the first one is needed; may throw {@link ToolNotFoundException}
 * @param host where the cores are
 * @param cores the cores of each capture unless it chooses others
 * @param held all cores that the test holds
 * @param folder where the test's files go, asked when the first one is needed
 * @param environment what the platform wants its programs to know
 * @param throttledFrom which share of the time under a limit makes a profile doubtful, such as 0.05
 * @param recaptures how often a throttled capture is made again, unless the test says otherwise
 * @param deadline of each call of the tool, unless the test says otherwise; empty: by the sizes of its files
 * @param exports what every trace is written as, whatever a capture asks for
 * @param startedByTest whether the test started a process, which then must be gone before a capture
 * @param observer hears of each tool on the cores
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ProfilerContext(
        Supplier<ProfilerTool> tool,
        NeuronHost host,
        List<NeuronCore> cores,
        List<NeuronCore> held,
        Supplier<Path> folder,
        Map<String, String> environment,
        double throttledFrom,
        int recaptures,
        Optional<Duration> deadline,
        Set<TraceExport> exports,
        LongPredicate startedByTest,
        ProfilerObserver observer) {

    /**
     * Keeps its own copies.
     *
     * @param tool asked when it is needed
     * @param host where the cores are
     * @param cores the cores of each capture unless it chooses others
     * @param held all cores that the test holds
     * @param folder where the test's files go
     * @param environment what programs should know
     * @param throttledFrom which share of the time makes a profile doubtful
     * @param recaptures how often a throttled capture is made again
     * @param deadline of each call of the tool
     * @param exports what every trace is written as
     * @param startedByTest whether the test started a process
     * @param observer hears of tools
     */
    public ProfilerContext {
        cores = List.copyOf(cores);
        held = List.copyOf(held);
        environment = Map.copyOf(environment);
        exports = Set.copyOf(exports);
    }
}
