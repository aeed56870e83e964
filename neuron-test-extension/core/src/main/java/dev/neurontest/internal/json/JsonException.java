package dev.neurontest.internal.json;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/** JSON that is broken, or says something else than what was expected. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class JsonException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final int line;
    private final String pointer;
    private final String problem;

    /**
     * Creates what is wrong with a whole file.
     *
     * @param problem in words, with what was expected
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
     * Creates what is wrong with a text that is no JSON. What is too deep or too long has no place.
     *
     * @param broken thrown by the parser
     * @return with its line
     */
    public static JsonException of(JacksonException broken) {
        return new JsonException(
                broken.getLocation() == null ? 0 : broken.getLocation().getLineNr(),
                "",
                broken instanceof UnexpectedEndOfInputException
                        ? "breaks off, expected a whole JSON object"
                        : broken.getOriginalMessage().lines().findFirst().orElse("is no JSON"),
                broken);
    }

    /**
     * What is wrong, with its place in a file.
     *
     * @return such as {@code line 14, /entries/0/runs: is 7, expected an array}; without a line where the whole file is wrong
     */
    public String placed() {
        return line < 1 ? problem : "line %s%s: %s".formatted(line, pointer.isEmpty() ? "" : ", " + pointer, problem);
    }
}
