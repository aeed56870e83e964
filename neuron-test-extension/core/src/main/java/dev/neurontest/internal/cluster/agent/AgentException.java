package dev.neurontest.internal.cluster.agent;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/** Thrown when a call failed on its host for a reason that the test JVM does not treat in a special way. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class AgentException extends RuntimeException {

    private static final long serialVersionUID = 1;

    AgentException(String message) {
        super(VisibleText.of(message));
    }
}
