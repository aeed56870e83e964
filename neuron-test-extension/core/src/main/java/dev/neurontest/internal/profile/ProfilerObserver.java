package dev.neurontest.internal.profile;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.process.ProgramLock;
import java.util.List;
import org.apiguardian.api.API;

/** A listener for the start and end of tools on cores. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface ProfilerObserver {

    /** A listener that ignores all events. */
    ProfilerObserver NONE = new ProfilerObserver() {};

    /**
     * Returns the locks that a tool holds while it runs.
     *
     * @param cores cores that the tool may use
     * @return the locks of the leases of these cores
     */
    default List<ProgramLock> locks(List<NeuronCore> cores) {
        return List.of();
    }

    /**
     * Called when a tool that uses cores was started. If this method throws an exception, the tool is terminated and the capture fails with
     * that exception.
     *
     * @param cores cores that the tool may use
     */
    default void started(ProcessHandle tool, List<NeuronCore> cores) {}

    /**
     * Called when a tool from {@link #started} and, if possible, all its child processes have ended.
     *
     * @param killed true if any process ended it by SIGKILL while it was working
     * @param survivors processes that could not be terminated
     * @param stillOwned devices that are still open, such as {@code neuron0 by neuron-explorer (pid 4711)}
     */
    default void ended(ProcessHandle tool, boolean killed, List<Long> survivors, List<String> stillOwned) {}

    /**
     * Called when a tool takes long.
     *
     * @param sentence its task, the elapsed time, and its deadline
     */
    default void takesLong(String sentence) {}
}
