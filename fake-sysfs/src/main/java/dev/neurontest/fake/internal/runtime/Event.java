package dev.neurontest.fake.internal.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apiguardian.api.API;

/**
 * Events of a debug stream that differ in at most one element. The library receives them in a file and queues them.
 *
 * @param type type in their headers
 * @param dataSize size in their headers, which may be wrong
 * @param payload payload of each event; it is not copied
 * @param times number of events
 * @param elementAt offset in the payload of the element that differs
 * @param elements the elements of all events in sequence; empty if the events do not differ
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Event(long type, long dataSize, byte[] payload, long times, long elementAt, byte[] elements) {

    private static final int NUMBERS = 6;

    /** Returns the fixed part of the record, which the library reads into a struct. */
    byte[] head() {
        long elementSize = times == 0 ? 0 : elements.length / times;
        return ByteBuffer.allocate(NUMBERS * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(type)
                .putLong(dataSize)
                .putLong(payload.length)
                .putLong(times)
                .putLong(elementAt)
                .putLong(elementSize)
                .array();
    }
}
