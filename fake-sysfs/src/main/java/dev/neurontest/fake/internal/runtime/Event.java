package dev.neurontest.fake.internal.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apiguardian.api.API;

/**
 * Events of a debug stream that are alike but for one element: what the library gets in a file and queues.
 *
 * @param type the type in their headers
 * @param dataSize the size in their headers, which may be wrong
 * @param payload what comes with each; it is not copied
 * @param times how many there are
 * @param elementAt where in the payload the element is by which they differ
 * @param elements that element of each, one behind the other; empty when they do not differ
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Event(long type, long dataSize, byte[] payload, long times, long elementAt, byte[] elements) {

    private static final int NUMBERS = 6;

    /** The fixed part of the record, which the library reads into a struct. */
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
