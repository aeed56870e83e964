package dev.neurontest.device;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Thrown when a lease is not granted. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public abstract class LeaseException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    protected LeaseException(String message) {
        super(VisibleText.of(message));
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    protected LeaseException(String message, @Nullable Throwable cause) {
        super(VisibleText.of(message), cause);
    }
}
