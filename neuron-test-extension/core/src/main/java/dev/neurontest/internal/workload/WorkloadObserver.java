package dev.neurontest.internal.workload;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.process.ProgramLock;
import dev.neurontest.workload.WorkloadResult;
import java.util.List;
import org.apiguardian.api.API;

/** Observer of the processes on the cores. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface WorkloadObserver {

    /** Observer that ignores all calls. */
    WorkloadObserver NONE = new WorkloadObserver() {};

    /**
     * Returns the locks that a program holds while it runs. It is called before the start.
     *
     * @param cores allowed cores, ordered by index
     * @return the locks of the leases of these cores
     */
    default List<ProgramLock> locks(List<NeuronCore> cores) {
        return List.of();
    }

    /**
     * Called when a program was started. If this method throws, the program is ended and the start fails with the same exception.
     *
     * @param child its process
     * @param cores allowed cores, ordered by index
     */
    default void started(ProcessHandle child, List<NeuronCore> cores) {}

    /** Called after {@link #started} if the program has cores and does not simulate its kernels. */
    default void startedOnDevice() {}

    /**
     * Called when a program that was reported to {@link #started} has ended, together with all processes that it started, as far as
     * possible. It is called once, on a separate thread, before a thread that waits for the program continues.
     *
     * @param child its process
     * @param result its result
     */
    default void ended(ProcessHandle child, WorkloadResult result) {}
}
