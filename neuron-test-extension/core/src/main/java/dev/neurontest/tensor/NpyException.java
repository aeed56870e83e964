package dev.neurontest.tensor;

import dev.neurontest.internal.text.VisibleText;
import java.io.Serial;
import org.apiguardian.api.API;

/** Thrown when a file is not a valid {@code .npy} file, or when its content cannot be converted to a tensor. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NpyException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    NpyException(String source, String trouble) {
        super(VisibleText.of("%s: %s".formatted(source, trouble)));
    }

    NpyException(String source, String trouble, Throwable cause) {
        super(VisibleText.of("%s: %s".formatted(source, trouble)), cause);
    }
}
