package dev.neurontest.device;

import java.time.Duration;
import org.apiguardian.api.API;

/** Thrown when cores did not become free in time. The message lists the holders of the cores and the tests that waited before. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LeaseTimeoutException extends LeaseException {

    private static final long serialVersionUID = 1;

    /** Duration of the wait. */
    private final Duration waited;

    /**
     * Creates an exception with the holders and the queue in its message.
     *
     * @param message the holders of the cores and the tests that waited before
     * @param waited duration of the wait
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public LeaseTimeoutException(String message, Duration waited) {
        super(message);
        this.waited = waited;
    }

    /**
     * Returns the duration of the wait.
     *
     * @return the duration; at least the allowed time
     */
    public Duration waited() {
        return waited;
    }
}
