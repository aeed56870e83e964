package dev.neurontest.internal.lease;

import dev.neurontest.device.LeaseException;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A table that cannot be used. The message says what was found, where, and what to do. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LeaseTableException extends LeaseException {

    private static final long serialVersionUID = 1;

    /**
     * With its message.
     *
     * @param message what is wrong and what to do
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public LeaseTableException(String message) {
        super(message);
    }

    /**
     * With its message.
     *
     * @param message what is wrong and what to do
     * @param cause what was seen; null when there is nothing more to see
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public LeaseTableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
