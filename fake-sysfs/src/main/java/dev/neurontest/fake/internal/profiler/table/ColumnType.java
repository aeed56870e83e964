package dev.neurontest.fake.internal.profiler.table;

import org.apiguardian.api.API;

/** The type of a column: its letter in {@code tables.txt}, its physical type in a file, and its name in the schema. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum ColumnType {
    /** Text in UTF-8. */
    TEXT('s', 6, "string", ""),
    /** An integer with 64 bits. */
    LONG('l', 2, "integer", "int64"),
    /** An integer with 32 bits. */
    INT('i', 1, "integer", "int32"),
    /** A floating-point number with 32 bits. */
    FLOAT('f', 4, "number", "float"),
    /** A float in the schema, written with 64 bits. Therefore a summary has the same numbers as its JSON. */
    WIDE_FLOAT('F', 5, "number", "float"),
    /** A floating-point number with 64 bits. */
    DOUBLE('d', 5, "number", "double"),
    /** A boolean with one bit. */
    BOOLEAN('b', 0, "boolean", "");

    private final char letter;
    private final int physical;
    private final String word;
    private final String format;

    ColumnType(char letter, int physical, String word, String format) {
        this.letter = letter;
        this.physical = physical;
        this.word = word;
        this.format = format;
    }

    static ColumnType of(char letter) {
        for (ColumnType type : values()) {
            if (type.letter == letter) {
                return type;
            }
        }
        throw new IllegalArgumentException("unknown column type '" + letter + "'");
    }

    /** Returns the number of the type in a file. */
    int physical() {
        return physical;
    }

    /**
     * Returns the name of the type in the schema.
     *
     * @return a word such as {@code integer}
     */
    public String word() {
        return word;
    }

    /**
     * Returns the format in the schema.
     *
     * @return a format such as {@code int64}; empty for none
     */
    public String format() {
        return format;
    }
}
