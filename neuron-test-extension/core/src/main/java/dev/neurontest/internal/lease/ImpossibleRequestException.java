package dev.neurontest.internal.lease;

import dev.neurontest.device.LeaseException;
import org.apiguardian.api.API;

/** A request that this host can never meet, however long one waits. The message says what the host has. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ImpossibleRequestException extends LeaseException {

    private static final long serialVersionUID = 1;

    /**
     * With its message.
     *
     * @param message what is wrong and what to do
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public ImpossibleRequestException(String message) {
        super(message);
    }
}
