package dev.neurontest.internal.profile;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.process.ProgramLock;
import java.util.List;
import org.apiguardian.api.API;

/** A listener for tools that start and end on cores. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface ProfilerObserver {

    /** Ignores all of it. */
    ProfilerObserver NONE = new ProfilerObserver() {};

    /**
     * Returns what a tool keeps locked that is about to be started.
     *
     * @param cores what it may use
     * @return the locks of the leases of these cores
     */
    default List<ProgramLock> locks(List<NeuronCore> cores) {
        return List.of();
    }

    /**
     * A tool was started that uses cores. When this throws, it is ended again and the capture fails with it.
     *
     * @param tool its process
     * @param cores what it may use
     */
    default void started(ProcessHandle tool, List<NeuronCore> cores) {}

    /**
     * A tool that {@link #started} has heard of has ended with everything that it started, as far as that was possible.
     *
     * @param tool its process
     * @param killed whether SIGKILL ended it, by whomever, in the middle of something
     * @param survivors processes that could not be ended
     * @param stillOwned devices that are open nevertheless, such as {@code neuron0 by neuron-explorer (pid 4711)}
     */
    default void ended(ProcessHandle tool, boolean killed, List<Long> survivors, List<String> stillOwned) {}

    /**
     * A tool takes long.
     *
     * @param sentence what it does, how long that has taken, and when it is ended
     */
    default void takesLong(String sentence) {}
}
