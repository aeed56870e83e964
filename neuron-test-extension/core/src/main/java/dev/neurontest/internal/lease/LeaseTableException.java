package dev.neurontest.internal.lease;

import dev.neurontest.device.LeaseException;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Thrown when a table cannot be used. The message contains the finding, the place and the remedy. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LeaseTableException extends LeaseException {

    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param message the problem and the remedy
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public LeaseTableException(String message) {
        super(message);
    }

    /**
     * Creates the exception with a cause.
     *
     * @param message the problem and the remedy
     * @param cause the cause; null if there is none
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public LeaseTableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
