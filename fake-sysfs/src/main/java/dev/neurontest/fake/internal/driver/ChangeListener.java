package dev.neurontest.fake.internal.driver;

import org.apiguardian.api.API;

/**
 * Listener for changes of the state. It is called on the thread of the change, which may hold the lock of a device. It must only record the
 * change.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface ChangeListener {

    /**
     * Called before a counter changes, except by a write to one of its files. An earlier write must be applied now at the latest.
     *
     * @param counter the counter; the lock of its device is held
     */
    default void counterChanging(Counter counter) {}

    /** Called after a field of a counter has changed or was written. */
    default void counterChanged(Counter counter) {}

    /** Called after a value of a device other than a counter has changed. */
    default void registersChanged(Device device) {}

    /**
     * Called when a file shows other content for another reason: a fault, a recording, an election, or a line of the kernel log.
     *
     * @param path relative to the root of the host, without links
     */
    default void fileChanged(String path) {}

    /** Called after a device was removed or restored. */
    default void devicesChanged() {}

    /**
     * Called after a process has opened its devices. No lock is held, and the process counts nothing before this returns. A view of files
     * waits until they show the process.
     */
    default void processOpened() {}

    /** Called when the driver notifies a file. */
    default void notified(NotifiedFile file) {}

    /**
     * Called when a device was removed. A poller of one of its files gets an error.
     *
     * @param device the device; its lock is held
     */
    default void removed(Device device) {}

    /** Called after a process has ended. All its counts were reported before. */
    default void processEnded() {}
}
