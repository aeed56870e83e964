package dev.neurontest.internal.baseline.history;

import dev.neurontest.internal.json.JsonException;
import dev.neurontest.internal.text.VisibleText;
import java.nio.file.Path;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A baseline file that cannot be read or written. Nothing was changed. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BaselineException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Which file or folder, as a text because exceptions can be sent elsewhere. */
    private final String file;

    private BaselineException(Path file, String message, @Nullable Throwable cause) {
        super(VisibleText.of(message), cause);
        this.file = file.toString();
    }

    /** A file that is not JSON to its end, or something in it is not what it should be. */
    static BaselineException unreadable(Path file, JsonException problem) {
        return new BaselineException(
                file,
                "%s: %s. Correct it, or take the file back from version control.".formatted(file, problem.placed()),
                problem);
    }

    /** A file or folder that the system does not let be used, or that another user may have planted. */
    static BaselineException unusable(Path file, String problem, String advice, @Nullable Throwable cause) {
        return new BaselineException(file, "%s %s. %s".formatted(file, problem, advice), cause);
    }

    /**
     * Where.
     *
     * @return the file, or the folder, as it was named
     */
    public Path file() {
        return Path.of(file);
    }
}
