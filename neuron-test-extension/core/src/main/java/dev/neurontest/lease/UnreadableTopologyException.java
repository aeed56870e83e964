package dev.neurontest.lease;

import dev.neurontest.host.NeuronSysfsException;
import org.apiguardian.api.API;

/** A request for connected devices on a host that does not let us read which devices are connected. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class UnreadableTopologyException extends LeaseException {

    private static final long serialVersionUID = 1;

    UnreadableTopologyException(String message, NeuronSysfsException cause) {
        super(message, cause);
    }
}
