package dev.neurontest.internal.lease;

import dev.neurontest.device.LeaseException;
import org.apiguardian.api.API;

/** Thrown when holders of cores would wait for each other forever. The message names the holders and their requests. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LeaseDeadlockException extends LeaseException {

    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param message the problem and the remedy
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public LeaseDeadlockException(String message) {
        super(message);
    }
}
