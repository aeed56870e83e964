package dev.neurontest.internal.lease;

import dev.neurontest.device.LeaseException;
import org.apiguardian.api.API;

/** Thrown when this host can never meet a request. The message describes the cores of the host. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ImpossibleRequestException extends LeaseException {

    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param message the problem and the remedy
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public ImpossibleRequestException(String message) {
        super(message);
    }
}
