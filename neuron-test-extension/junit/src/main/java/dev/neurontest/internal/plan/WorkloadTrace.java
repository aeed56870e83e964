package dev.neurontest.internal.plan;

import dev.neurontest.profile.TraceExport;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The tracing of workloads by their own runtime.
 *
 * @param graph the graph to judge; empty for the only one
 * @param session true if one trace contains all activity of a core
 * @param warmup the number of executions before the traced one
 * @param exports the additional formats of each trace
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record WorkloadTrace(String graph, boolean session, int warmup, Set<TraceExport> exports) {

    public WorkloadTrace {
        exports = Set.copyOf(exports);
    }
}
