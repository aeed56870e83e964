package dev.neurontest.profile;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * A choice of instructions by one of their properties.
 *
 * @param by the property
 * @param text the name, or a part of it in any case of letters
 * @param whole whether it is the whole name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record EventQuery(Grouping by, String text, boolean whole) {

    static final String TRANSPOSE = "transpose";

    /**
     * Creates a choice.
     *
     * @param by the property
     * @param text the name, or a part of it
     * @param whole whether it is the whole name
     * @throws IllegalArgumentException when the text is empty
     */
    public EventQuery {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("The %s to look for is empty.".formatted(by.word()));
        }
    }

    /**
     * Creates a choice of transposes, read tolerantly: the opcode, or the compiler's, contains "transpose". The tools have no certain mark
     * for them, so transposes that the Tensor Engine makes by ordinary matrix multiplications are not found.
     *
     * @return the query
     */
    public static EventQuery transposes() {
        return containing(Grouping.OPCODE, TRANSPOSE);
    }

    /**
     * Creates a choice of instructions of one name.
     *
     * @param by the property, such as {@link Grouping#OPCODE}
     * @param name all of it, such as {@code MATMUL}
     * @return the query
     */
    public static EventQuery of(Grouping by, String name) {
        return new EventQuery(by, name, true);
    }

    /**
     * Creates a choice of instructions whose name contains a text.
     *
     * @param by the property, such as {@link Grouping#LINE}
     * @param part in upper or lower case, such as {@code attention.py:}
     * @return the query
     */
    public static EventQuery containing(Grouping by, String part) {
        return new EventQuery(by, part, false);
    }

    boolean isMetBy(EventRow row) {
        return row.isNamed() && (whole ? row.name().equals(text) : contains(row.name(), text));
    }

    static boolean contains(String name, String part) {
        return name.toUpperCase(Locale.ROOT).contains(part.toUpperCase(Locale.ROOT));
    }

    /**
     * Returns the query in words.
     *
     * @return such as {@code opcode is "MATMUL"}
     */
    @Override
    public String toString() {
        return "%s %s \"%s\"".formatted(by.word(), whole ? "is" : "contains", text);
    }
}
