package dev.neurontest.fake.driver;

import org.apiguardian.api.API;

/** Is told which files notify, on the thread that notifies, which may hold a device's lock: only take note. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface NotificationListener {

    /**
     * The driver notifies a file.
     *
     * @param file the file
     */
    void notified(NotifiedFile file);

    /**
     * A device was removed: a poller of one of its files finds an error.
     *
     * @param device the device
     */
    void removed(Device device);
}
