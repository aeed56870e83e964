package dev.neurontest.internal.plan;

import dev.neurontest.profile.TraceExport;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * How workloads are traced by their own runtime.
 *
 * @param graph which one is judged; empty for the only one
 * @param session whether everything that a core did is one trace
 * @param warmup executions before the one that is traced
 * @param exports what each trace is written as, too
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record WorkloadTrace(String graph, boolean session, int warmup, Set<TraceExport> exports) {

    public WorkloadTrace {
        exports = Set.copyOf(exports);
    }
}
