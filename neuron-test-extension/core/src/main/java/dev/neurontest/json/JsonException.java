package dev.neurontest.json;

import dev.neurontest.text.VisibleText;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** JSON that is broken, or says something else than what was expected. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class JsonException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final int line;
    private final String pointer;
    private final String problem;

    JsonException(int line, String pointer, String problem, @Nullable Throwable cause) {
        super(VisibleText.of(pointer.isEmpty() ? problem : pointer + ": " + problem), cause);
        this.line = line;
        this.pointer = pointer;
        this.problem = problem;
    }

    /**
     * What is wrong, with its place in a file.
     *
     * @return such as {@code line 14, /entries/0/runs: is 7, expected an array}
     */
    public String placed() {
        return "line %s%s: %s".formatted(line, pointer.isEmpty() ? "" : ", " + pointer, problem);
    }
}
