package dev.neurontest.baseline;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/** Thrown when a result of another harness is missing, cannot be read, or does not contain the requested name. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SamplesException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public SamplesException(String source, String problem) {
        super(VisibleText.line("%s: %s".formatted(source, problem)));
    }
}
