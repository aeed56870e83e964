package dev.neurontest.profile;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * A selection of instructions by one of their properties.
 *
 * @param by the property
 * @param text the name, or a part of it in upper or lower case
 * @param whole true if the text is the whole name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record EventQuery(Grouping by, String text, boolean whole) {

    static final String TRANSPOSE = "transpose";

    /**
     * Creates a selection.
     *
     * @param by the property
     * @param text the name, or a part of it
     * @param whole true if the text is the whole name
     * @throws IllegalArgumentException when the text is empty
     */
    public EventQuery {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("The %s to search for is empty.".formatted(by.word()));
        }
    }

    /**
     * Creates a selection of transposes. It is tolerant: the opcode, the compiler's opcode or the type of an instruction of the Tensor
     * Engine contains "transpose". The Tensor Engine transposes by matrix multiplications of the type {@code TRANSPOSE}; these events have
     * the type in place of the opcode {@code MATMUL}.
     *
     * @return the query
     */
    public static EventQuery transposes() {
        return containing(Grouping.OPCODE, TRANSPOSE);
    }

    /**
     * Creates a selection of instructions with a given name.
     *
     * @param by the property, such as {@link Grouping#OPCODE}
     * @param name the whole name, such as {@code MATMUL}
     * @return the query
     */
    public static EventQuery of(Grouping by, String name) {
        return new EventQuery(by, name, true);
    }

    /**
     * Creates a selection of instructions with a given text in their name.
     *
     * @param by the property, such as {@link Grouping#LINE}
     * @param part a part of the name in upper or lower case, such as {@code attention.py:}
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
     * Returns a readable form of the query.
     *
     * @return a text such as {@code opcode is "MATMUL"}
     */
    @Override
    public String toString() {
        return "%s %s \"%s\"".formatted(by.word(), whole ? "is" : "contains", text);
    }
}
