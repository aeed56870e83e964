package dev.neurontest.internal.runtime.library;

import java.util.List;
import org.apiguardian.api.API;

/** Functions for the memory usage of logical cores, the unit in which the runtime counts. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class MemoryCalls {

    public static final List<String> SYMBOLS = List.of("nrt_get_vnc_memory_stats");

    private MemoryCalls() {}

    public static native int nrt_get_vnc_memory_stats(int vnc, long[] statistics, long sizeIn, long[] sizeOut);
}
