package dev.neurontest.internal.cluster.agent;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/** Thrown when a host of a cluster has no devices, and devices are optional. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class NoDevicesException extends RuntimeException {

    private static final long serialVersionUID = 1;

    NoDevicesException(String host, String reason) {
        super(VisibleText.of(host + ": " + reason));
    }
}
