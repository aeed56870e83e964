package dev.neurontest.internal.plan;

import dev.neurontest.profile.TraceExport;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A compiled model that the profiler tool executes by itself.
 *
 * @param neff the path of the model
 * @param warmup executions before those that are traced
 * @param executions how many are traced
 * @param captures how many times all of it is done
 * @param inputs each a name, {@code =}, and the path of a file
 * @param ignoreExecErrors whether executions may fail
 * @param singleIo whether all tensors share one buffer
 * @param dgeNotifications whether dynamic DMA descriptors are traced
 * @param exports what each trace is written as, too
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
