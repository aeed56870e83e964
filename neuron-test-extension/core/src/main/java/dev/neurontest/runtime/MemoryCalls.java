package dev.neurontest.runtime;

import java.util.List;

/** What a logical core's memory is used for, since the runtime counts by logical cores. */
final class MemoryCalls {

    static final List<String> SYMBOLS = List.of("nrt_get_vnc_memory_stats");

    private MemoryCalls() {}

    static native int nrt_get_vnc_memory_stats(int vnc, long[] statistics, long sizeIn, long[] sizeOut);
}
