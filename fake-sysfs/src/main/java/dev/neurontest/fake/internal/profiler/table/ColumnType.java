package dev.neurontest.fake.internal.profiler.table;

import org.apiguardian.api.API;

/** What a column holds: its letter in {@code tables.txt}, the physical type in a file, and the words of the schema. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum ColumnType {
    /** UTF-8. */
    TEXT('s', 6, "string", ""),
    /** 64 bits. */
    LONG('l', 2, "integer", "int64"),
    /** 32 bits. */
    INT('i', 1, "integer", "int32"),
    /** 32 bits. */
    FLOAT('f', 4, "number", "float"),
    /** A float by the schema, written with 64 bits, so that a summary has the numbers of its JSON. */
    WIDE_FLOAT('F', 5, "number", "float"),
    /** 64 bits. */
    DOUBLE('d', 5, "number", "double"),
    /** One bit. */
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
        throw new IllegalArgumentException("no type of a column is written '" + letter + "'");
    }

    /** Its number in a file. */
    int physical() {
        return physical;
    }

    /**
     * Its word in the schema.
     *
     * @return such as {@code integer}
     */
    public String word() {
        return word;
    }

    /**
     * What the schema says beside the word.
     *
     * @return such as {@code int64}; empty for nothing
     */
    public String format() {
        return format;
    }
}
