package dev.neurontest.fake.internal.driver;

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

    /**
     * A file shows something else for another reason: a fault, a recording, an election, or a line of the kernel log.
     *
     * @param path relative to the root of the host, without links
     */
    default void fileChanged(String path) {}

    /** A device is gone or back. */
    default void devicesChanged() {}

    /**
     * A process has opened its devices. No lock is held, and it counts nothing before this returns: a view of files waits until
     * they show it.
     */
    default void processOpened() {}

    /**
     * The driver notifies a file.
     *
     * @param file the file
     */
    default void notified(NotifiedFile file) {}

    /**
     * A device was removed: a poller of one of its files finds an error.
     *
     * @param device the device, whose lock is held
     */
    default void removed(Device device) {}

    /** A process has ended, and everything that it counted was told before. */
    default void processEnded() {}
}
