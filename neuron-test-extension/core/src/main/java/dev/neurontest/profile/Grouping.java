package dev.neurontest.profile;

import org.apiguardian.api.API;

/** A property to sum events by, in order from the finest to the coarsest. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Grouping {
    /** The place in the source: the line of a kernel, or else the line that the compiler recorded. */
    LINE("source line", 5_000),
    /** A part of the model. */
    LAYER("layer", 5_000),
    /** The operation of an instruction. */
    OPCODE("opcode", 1_000),
    /** The engine that executes an instruction. Each instruction has one engine. */
    ENGINE("engine", 100),
    /** The queue of a DMA transfer. Transfers are not instructions. */
    QUEUE("DMA queue", 1_000);

    private final String word;
    private final int most;

    Grouping(String word, int most) {
        this.word = word;
        this.most = most;
    }

    /**
     * Returns the singular noun for this property.
     *
     * @return a noun such as {@code source line}
     */
    public String word() {
        return word;
    }

    /** Returns the maximum number of names that are listed separately. */
    int most() {
        return most;
    }
}
