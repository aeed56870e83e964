package dev.neurontest.runtime;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import dev.neurontest.runtime.library.NativeText;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The machine as the runtime knows it ({@code nrt_instance_info_t}).
 *
 * @param family such as {@code TRN2}; its number where this version does not know it
 * @param size its number in the header's enumeration, in which the number of unknown sizes moves
 * @param architecture as the runtime calls it
 * @param revision of the device, as the runtime calls it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RuntimeInstance(String family, long size, String architecture, String revision) {

    private static final List<String> FAMILIES = List.of(
            "UNKNOWN",
            "INF1",
            "TRN1",
            "TRN1N",
            "INF2",
            "TRN2",
            "TRN2N",
            "INF2E",
            "TRN2P",
            "TRN2U",
            "TRN2E",
            "TRN2EU",
            "TRN2AC",
            "TRN2UAC",
            "TRN3",
            "TRN3PDS98");

    private static final long BYTES = 32;
    private static final int ARCHITECTURE = 8;
    private static final int ARCHITECTURE_LENGTH = 16;
    private static final int REVISION = 24;
    private static final int REVISION_LENGTH = 8;

    static Optional<RuntimeInstance> read(Function getInstanceInfo) {
        try (Memory memory = new Memory(BYTES)) {
            memory.clear();
            return getInstanceInfo.invokeInt(new Object[] {memory, BYTES}) == 0
                    ? Optional.of(new RuntimeInstance(
                            family(memory.getInt(0)),
                            Integer.toUnsignedLong(memory.getInt(4)),
                            NativeText.bounded(memory, ARCHITECTURE, ARCHITECTURE_LENGTH),
                            NativeText.bounded(memory, REVISION, REVISION_LENGTH)))
                    : Optional.empty();
        }
    }

    private static String family(int number) {
        return number >= 0 && number < FAMILIES.size() ? FAMILIES.get(number) : Integer.toUnsignedString(number);
    }
}
