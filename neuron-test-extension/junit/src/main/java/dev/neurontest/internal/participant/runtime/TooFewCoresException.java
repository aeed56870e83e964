package dev.neurontest.internal.participant.runtime;

import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/** Thrown when a test requests more cores than the runtime in this JVM has. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TooFewCoresException extends RuntimeException {

    private static final long serialVersionUID = 1;

    TooFewCoresException(String message, ImpossibleRequestException impossible) {
        super(VisibleText.of(message), impossible);
    }
}
