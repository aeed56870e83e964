package dev.neurontest.internal.plan;

import dev.neurontest.profile.TraceExport;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A compiled model that the profiler tool executes itself.
 *
 * @param neff the path of the model
 * @param warmup the number of executions before the traced ones
 * @param executions the number of traced executions
 * @param captures the number of captures, each with all these executions
 * @param inputs for each input its name, {@code =}, and the path of a file
 * @param ignoreExecErrors true if executions may fail
 * @param singleIo true if all tensors share one buffer
 * @param dgeNotifications true to trace dynamic DMA descriptors
 * @param exports the additional formats of each trace
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record NeffReplay(
        String neff,
        int warmup,
        int executions,
        int captures,
        List<String> inputs,
        boolean ignoreExecErrors,
        boolean singleIo,
        boolean dgeNotifications,
        Set<TraceExport> exports) {

    public NeffReplay {
        inputs = List.copyOf(inputs);
        exports = Set.copyOf(exports);
    }
}
