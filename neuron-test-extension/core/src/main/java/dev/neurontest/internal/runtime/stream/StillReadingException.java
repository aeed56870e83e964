package dev.neurontest.internal.runtime.stream;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/** A thread does not come back from reading a debug stream, so that neither the stream nor the runtime may be closed under it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class StillReadingException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    /**
     * With its message.
     *
     * @param message what is stuck
     */
    public StillReadingException(String message) {
        super(VisibleText.of(message));
    }
}
