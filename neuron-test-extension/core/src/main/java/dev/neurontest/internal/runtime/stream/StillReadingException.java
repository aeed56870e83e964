package dev.neurontest.internal.runtime.stream;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/** Thrown when a thread does not return from reading a debug stream. Neither the stream nor the runtime may be closed during a read. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class StillReadingException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param message description of the stuck call
     */
    public StillReadingException(String message) {
        super(VisibleText.of(message));
    }
}
