package dev.neurontest.internal.json;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/** Thrown when JSON is broken or does not match the expected content. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class JsonException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final int line;
    private final String pointer;
    private final String problem;

    /**
     * Creates an exception for a whole file.
     *
     * @param problem description of the problem and of the expected content
     */
    public JsonException(String problem) {
        this(0, "", problem, null);
    }

    JsonException(int line, String pointer, String problem, @Nullable Throwable cause) {
        super(VisibleText.of(pointer.isEmpty() ? problem : pointer + ": " + problem), cause);
        this.line = line;
        this.pointer = pointer;
        this.problem = problem;
    }

    /**
     * Creates an exception for invalid JSON. An error about depth or length has no line.
     *
     * @param broken the parser's exception
     * @return the exception, with the line
     */
    public static JsonException of(JacksonException broken) {
        return new JsonException(
                broken.getLocation() == null ? 0 : broken.getLocation().getLineNr(),
                "",
                broken instanceof UnexpectedEndOfInputException
                        ? "breaks off, expected a whole JSON object"
                        : broken.getOriginalMessage().lines().findFirst().orElse("is not JSON"),
                broken);
    }

    /**
     * Returns the problem with its place in a file.
     *
     * @return for example {@code line 14, /entries/0/runs: is 7, expected an array}; without a line for a problem of the whole file
     */
    public String placed() {
        return line < 1 ? problem : "line %s%s: %s".formatted(line, pointer.isEmpty() ? "" : ", " + pointer, problem);
    }
}
