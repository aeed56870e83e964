package dev.neurontest.internal.terminal;

import org.apiguardian.api.API;

/** What a word says, which has a colour where there are colours. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Style {
    /** All is well: green. */
    PASSED("[32m"),
    /** Something is wrong: red. */
    FAILED("[31m"),
    /** Undecided, skipped, or to know of: yellow. */
    UNDECIDED("[33m"),
    /** What follows belongs together: bold. */
    HEADING("[1m");

    private final String sequence;

    Style(String sequence) {
        this.sequence = sequence;
    }

    String sequence() {
        return sequence;
    }
}
