package dev.neurontest.internal.cluster;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/** Thrown when the hosts of an allocation are unknown, or a program cannot be started on them. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HostEngineException extends RuntimeException {

    private static final long serialVersionUID = 1;

    HostEngineException(String problem) {
        super(VisibleText.line(problem));
    }
}
