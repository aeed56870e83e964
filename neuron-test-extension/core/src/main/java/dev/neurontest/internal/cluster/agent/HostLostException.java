package dev.neurontest.internal.cluster.agent;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/** Thrown when the agent of a host does not answer, or its connection has ended. The message names the host and the last lines. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HostLostException extends RuntimeException {

    private static final long serialVersionUID = 1;

    HostLostException(String message) {
        super(VisibleText.of(message));
    }
}
