package dev.neurontest.internal.platform;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Thrown when the chosen kind of host does not exist. The message is the one precise reason. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PlatformUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1;

    PlatformUnavailableException(String reason, @Nullable Throwable cause) {
        super(VisibleText.of(reason), cause);
    }
}
