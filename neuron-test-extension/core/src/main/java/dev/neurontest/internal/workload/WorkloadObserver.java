package dev.neurontest.internal.workload;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.process.ProgramLock;
import dev.neurontest.workload.WorkloadResult;
import java.util.List;
import org.apiguardian.api.API;

/** Hears which processes are on which cores. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface WorkloadObserver {

    /** Ignores all of it. */
    WorkloadObserver NONE = new WorkloadObserver() {};

    /**
     * Returns what a program keeps locked that is about to be started.
     *
     * @param cores what it may use, by index
     * @return the locks of the leases of these cores
     */
    default List<ProgramLock> locks(List<NeuronCore> cores) {
        return List.of();
    }

    /**
     * A program was started. When this throws, the program is ended again and the start fails with it.
     *
     * @param child its process
     * @param cores what it may use, by index
     */
    default void started(ProcessHandle child, List<NeuronCore> cores) {}

    /**
     * A program that {@link #started} has heard of has ended with everything that it started, as far as that was possible.
     * Called once, on a thread of its own, before a thread that waits for the program goes on.
     *
     * @param child its process
     * @param result how it ended
     */
    default void ended(ProcessHandle child, WorkloadResult result) {}
}
