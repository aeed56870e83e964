package dev.neurontest.internal.cluster.rank;

import dev.neurontest.cluster.ClusterResult;
import org.apiguardian.api.API;

/** Observer of the workloads on a cluster. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface ClusterObserver {

    /** Observer that ignores all calls. */
    ClusterObserver NONE = new ClusterObserver() {};

    /** Called when ranks of a workload were started on cores. */
    default void startedOnDevice() {}

    /** Called once when all ranks of a workload have ended, before a thread that waits for it continues. */
    default void ended(ClusterResult result) {}
}
