package dev.neurontest.runtime;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/**
 * Thrown when no model can be executed in this process, because there is no working library or no working driver. A test may be skipped in
 * this case.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RuntimeUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** @hidden */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public RuntimeUnavailableException(String message) {
        super(VisibleText.of(message));
    }
}
