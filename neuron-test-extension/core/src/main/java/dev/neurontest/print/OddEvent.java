package dev.neurontest.print;

import dev.neurontest.tensor.TensorBytes;
import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * An event that is not a print. Its type is unknown, or its sizes contradict each other. It is stored unchanged.
 *
 * @param order position in the order of arrival within the test, counted together with the prints
 * @param arrived time at which this process received the event
 * @param origin transport by which the event arrived
 * @param coreIndex the process-relative logical core of the stream; -1 when unknown
 * @param type type in the header, unsigned
 * @param reason description of the defect
 * @param prefix prefix of the intended print; empty when the event was not a print or the prefix is unknown
 * @param header the 64 bytes of the header; empty when the origin has no headers
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
     * Returns whether the event may be a print with the given prefix. If so, a statement about all prints with this prefix is impossible.
     *
     * @param expectedPrefix the prefix
     * @return true also for an event of a stream that is a print with an unknown prefix
     */
    public boolean mayBePrintOf(String expectedPrefix) {
        return prefix.map(expectedPrefix::equals).orElse(type == DevicePrint.EVENT_TYPE);
    }

    /** Returns whether the event may be a print. A line of output that begins like a print but has no values is usually none. */
    boolean mayBePrint() {
        boolean hasContent = payload.size() > 0 || origin != PrintOrigin.TEXT;
        return prefix.isPresent() && hasContent || type == DevicePrint.EVENT_TYPE;
    }

    /**
     * Returns a copy of this event of a program on several hosts.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public OddEvent with(long index, PrintSource program) {
        return new OddEvent(index, arrived, origin, coreIndex, type, program + ": " + reason, prefix, header, payload);
    }

    /**
     * Returns a copy of this event with another position among the events of a test.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public OddEvent withOrder(long index) {
        return new OddEvent(index, arrived, origin, coreIndex, type, reason, prefix, header, payload);
    }
}
