package dev.neurontest.fake.driver;

import org.apiguardian.api.API;

/** Is told what changed, on the thread that changed it, which may hold a device's lock: only take note. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface ChangeListener {

    /**
     * A counter is about to change otherwise than by a write to one of its files: the last moment for a write that came before.
     *
     * @param counter the counter, whose device's lock is held
     */
    default void counterChanging(Counter counter) {}

    /**
     * A field of a counter has a new value, or was written.
     *
     * @param counter the counter
     */
    default void counterChanged(Counter counter) {}

    /**
     * Something of a device that is not a counter has a new value.
     *
     * @param device the device
     */
    default void registersChanged(Device device) {}

    /** A device is gone or back. */
    default void devicesChanged() {}

    /**
     * A process has opened its devices. No lock is held, and it counts nothing before this returns: a view of files waits until
     * they show it.
     */
    default void processOpened() {}

    /** Handles a new message in the kernel log. */
    default void kernelLogChanged() {}

    /** A process has ended, and everything that it counted was told before. */
    default void processEnded() {}
}
