package dev.neurontest.print;

import dev.neurontest.tensor.TensorBytes;
import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * An event that is no print: of a type that is not known, or with sizes that contradict each other. It is kept as it came.
 *
 * @param order of arrival within the test, counted together with the prints
 * @param arrived when this process got it
 * @param origin by which way it came
 * @param coreIndex the process-relative logical core whose stream it came from; -1 when that is unknown
 * @param type of the header, unsigned
 * @param reason what is wrong with it
 * @param prefix of the print that it was meant to be; empty when it was none, or when that cannot be told
 * @param header the 64 bytes of the header; empty when the way has none
 * @param payload as many bytes as the header promises
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record OddEvent(
        long order,
        Instant arrived,
        PrintOrigin origin,
        int coreIndex,
        long type,
        String reason,
        Optional<String> prefix,
        TensorBytes header,
        TensorBytes payload) {

    /**
     * Whether it may be a print with this prefix, so that nothing can be said about all of these.
     *
     * @param wanted which prefix
     * @return true also where an event of a stream is a print whose prefix cannot be told
     */
    public boolean mayBePrintOf(String wanted) {
        return prefix.map(wanted::equals).orElse(type == DevicePrint.EVENT_TYPE);
    }

    /** Whether it may be a print at all: a line of output that begins as one, and has no values, is most often none. */
    boolean mayBePrint() {
        boolean saysSomething = payload.size() > 0 || origin != PrintOrigin.TEXT;
        return prefix.isPresent() && saysSomething || type == DevicePrint.EVENT_TYPE;
    }

    /** The same at another place among the events of a test. */
    @API(status = API.Status.INTERNAL)
    public OddEvent withOrder(long other) {
        return new OddEvent(other, arrived, origin, coreIndex, type, reason, prefix, header, payload);
    }
}
