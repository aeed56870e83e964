package dev.neurontest.internal.lease;

import dev.neurontest.device.LeaseException;
import dev.neurontest.device.NeuronSysfsException;
import org.apiguardian.api.API;

/** Thrown when a request needs connected devices, but the host does not show the connections of devices. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class UnreadableTopologyException extends LeaseException {

    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param message the problem and the remedy
     * @param cause the failed reading
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public UnreadableTopologyException(String message, NeuronSysfsException cause) {
        super(message, cause);
    }
}
