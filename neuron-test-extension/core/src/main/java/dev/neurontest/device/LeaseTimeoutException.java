package dev.neurontest.device;

import java.time.Duration;
import org.apiguardian.api.API;

/** Cores that did not become free in time. The message names who had them and who was waiting before. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LeaseTimeoutException extends LeaseException {

    private static final long serialVersionUID = 1;

    /** How long it waited in vain. */
    private final Duration waited;

    /**
     * With its message.
     *
     * @param message who had the cores and who was waiting before
     * @param waited how long it waited in vain
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public LeaseTimeoutException(String message, Duration waited) {
        super(message);
        this.waited = waited;
    }

    /**
     * How long was waited.
     *
     * @return at least what was allowed
     */
    public Duration waited() {
        return waited;
    }
}
