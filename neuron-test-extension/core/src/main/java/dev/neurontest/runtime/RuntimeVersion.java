package dev.neurontest.runtime;

import com.sun.jna.Memory;
import dev.neurontest.internal.runtime.library.CoreCalls;
import dev.neurontest.internal.runtime.library.NativeText;
import dev.neurontest.internal.runtime.watch.CallsInFlight;
import org.apiguardian.api.API;

/**
 * The version of a runtime library ({@code nrt_version_t}).
 *
 * @param major such as 2
 * @param minor such as 31
 * @param patch such as 24
 * @param maintenance such as 0
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RuntimeVersion(long major, long minor, long patch, long maintenance) {

    private static final int SIZE = 224;

    /**
     * Reads the version of the bound library. This is possible before its initialization.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public static RuntimeVersion read(CallsInFlight calls) {
        try (Memory memory = new Memory(SIZE)) {
            memory.clear();
            long address = NativeText.address(memory);
            int status = calls.during(
                    "nrt_get_version", "the library", null, () -> CoreCalls.nrt_get_version(address, SIZE));
            if (status != 0) {
                memory.clear();
            }
            return new RuntimeVersion(memory.getLong(0), memory.getLong(8), memory.getLong(16), memory.getLong(24));
        }
    }

    /**
     * Returns the four numbers.
     *
     * @return such as {@code 2.31.24.0}
     */
    @Override
    public String toString() {
        return "%s.%s.%s.%s".formatted(major, minor, patch, maintenance);
    }
}
