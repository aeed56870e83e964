package dev.neurontest.host;

import java.io.IOException;
import org.apiguardian.api.API;

/**
 * The driver's notifications: one flag of the whole module, whatever device's {@code info/notify_delay} it is written to. While it
 * is on, the driver is slower for the whole host, so it is on only while a test waits.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface NotificationSwitch {

    /**
     * Switches notifications on, unless they are.
     *
     * @return keeps them on until it is closed; the last one on the host puts back what was there
     * @throws IOException when they cannot be switched, as by an ordinary user; then nothing was changed
     */
    Hold on() throws IOException;

    /** Keeps notifications on. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    interface Hold extends AutoCloseable {

        /**
         * Lets go of them. It may be called again.
         *
         * @throws IOException when it was the last one and what was there could not be put back
         */
        @Override
        void close() throws IOException;
    }
}
