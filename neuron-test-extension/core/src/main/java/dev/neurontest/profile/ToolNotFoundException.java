package dev.neurontest.profile;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/** Thrown when no profiler tool works. The message lists every searched place, the reason there, and a remedy. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ToolNotFoundException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public ToolNotFoundException(String message) {
        super(VisibleText.of(message));
    }
}
