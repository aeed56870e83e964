package dev.neurontest.internal.terminal;

import org.apiguardian.api.API;

/** The meaning of a word, which determines its color if there are colors. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Style {
    /** Success: green. */
    PASSED("[32m"),
    /** A failure: red. */
    FAILED("[31m"),
    /** Undecided, skipped, or worth attention: yellow. */
    UNDECIDED("[33m"),
    /** A heading of a group of lines: bold. */
    HEADING("[1m");

    private final String sequence;

    Style(String sequence) {
        this.sequence = sequence;
    }

    String sequence() {
        return sequence;
    }
}
