package dev.neurontest.internal.lease;

import dev.neurontest.device.LeaseException;
import dev.neurontest.device.NeuronSysfsException;
import org.apiguardian.api.API;

/** A request for connected devices on a host that does not let us read which devices are connected. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class UnreadableTopologyException extends LeaseException {

    private static final long serialVersionUID = 1;

    /**
     * With its message.
     *
     * @param message what is wrong and what to do
     * @param cause what could not be read
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public UnreadableTopologyException(String message, NeuronSysfsException cause) {
        super(message, cause);
    }
}
