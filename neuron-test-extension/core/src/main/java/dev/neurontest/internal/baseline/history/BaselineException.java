package dev.neurontest.internal.baseline.history;

import dev.neurontest.internal.json.JsonException;
import dev.neurontest.internal.text.VisibleText;
import java.nio.file.Path;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Thrown when a baseline file cannot be read or written. No file was changed. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BaselineException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** The path of the file or folder. It is a string because exceptions must be serializable. */
    private final String file;

    private BaselineException(Path file, String message, @Nullable Throwable cause) {
        super(VisibleText.of(message), cause);
        this.file = file.toString();
    }

    /** Creates an exception for a file that is not complete JSON, or has invalid content. */
    static BaselineException unreadable(Path file, JsonException problem) {
        return new BaselineException(
                file,
                "%s: %s. Correct it, or restore the file from version control.".formatted(file, problem.placed()),
                problem);
    }

    /** Creates an exception for a file or folder that is not accessible, or that another user may have created. */
    static BaselineException unusable(Path file, String problem, String advice, @Nullable Throwable cause) {
        return new BaselineException(file, "%s %s. %s".formatted(file, problem, advice), cause);
    }

    /** Returns the path of the file or folder. */
    public Path file() {
        return Path.of(file);
    }
}
