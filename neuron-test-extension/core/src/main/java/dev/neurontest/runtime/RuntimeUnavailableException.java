package dev.neurontest.runtime;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/**
 * Nothing can be executed in this process, whatever the test does: there is no library that works, or it finds no driver that it
 * can work with. A test may be skipped for it.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RuntimeUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1;

    @API(status = API.Status.INTERNAL, since = "0.1")
    public RuntimeUnavailableException(String message) {
        super(VisibleText.of(message));
    }
}
