package dev.neurontest.profile;

import org.apiguardian.api.API;

/** A property by which the events of a profile are summed up; the finest first. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Grouping {
    /** The place in the source: the line of a kernel, or else the one that the compiler notes. */
    LINE("source line", 5_000),
    /** A part of the model. */
    LAYER("layer", 5_000),
    /** The operation of an instruction. */
    OPCODE("opcode", 1_000),
    /** The engine that executes it; each instruction is of one. */
    ENGINE("engine", 100),
    /** The queue of a DMA transfer; transfers are no instructions. */
    QUEUE("DMA queue", 1_000);

    private final String word;
    private final int most;

    Grouping(String word, int most) {
        this.word = word;
        this.most = most;
    }

    /**
     * Returns the word for one of them.
     *
     * @return such as {@code source line}
     */
    public String word() {
        return word;
    }

    /** Returns the number of names that are kept apart. */
    int most() {
        return most;
    }
}
