package dev.neurontest.profile.explain;

import dev.neurontest.text.VisibleText;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** There are no events to explain anything by. The message says what was read, what is wrong, and what to do. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class EventSourceException extends RuntimeException {

    private static final long serialVersionUID = 1;

    EventSourceException(String message, @Nullable Throwable cause) {
        super(VisibleText.of(message), cause);
    }
}
