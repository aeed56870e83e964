package dev.neurontest.profile.explain;

import org.apiguardian.api.API;

/** By what events are summed up, the finest first. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Grouping {
    /** Where the source says it. */
    LINE("source line", "lines"),
    /** A part of the model. */
    LAYER("layer", "layers"),
    /** What an instruction does. */
    OPCODE("opcode", "opcodes"),
    /** What runs it; each instruction is of one. */
    ENGINE("engine", "engines"),
    /** What transfers data; transfers are no instructions. */
    QUEUE("DMA queue", "dmaQueues");

    private final String word;
    private final String member;

    Grouping(String word, String member) {
        this.word = word;
        this.member = member;
    }

    /**
     * What people call one of them.
     *
     * @return such as {@code source line}
     */
    public String word() {
        return word;
    }

    /** What JSON calls all of them. */
    String member() {
        return member;
    }
}
