package dev.neurontest.internal.lease;

import dev.neurontest.device.LeaseException;
import org.apiguardian.api.API;

/** Holders of cores that would wait for each other for ever. The message names them and what each of them wants. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LeaseDeadlockException extends LeaseException {

    private static final long serialVersionUID = 1;

    /**
     * With its message.
     *
     * @param message what is wrong and what to do
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public LeaseDeadlockException(String message) {
        super(message);
    }
}
