package dev.neurontest.internal.runtime.stream;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apiguardian.api.API;

/**
 * Where the library puts an event that is read: a place that is used again for the next one. What the event holds is outside
 * the heap and belongs to the reader, until it is freed.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class StreamEvent {

    /** Bytes of {@code ndebug_stream_event_header_t}. */
    public static final int HEADER = 64;

    private static final int TYPE = 8;

    private final Memory memory = new Memory(HEADER + Long.BYTES);
    private final ByteBuffer fields = memory.getByteBuffer(0, memory.size()).order(ByteOrder.LITTLE_ENDIAN);
    private final long address = Pointer.nativeValue(memory);
    private long payload;

    /** A place without an event. */
    public StreamEvent() {}

    /** The library may leave the pointer as it was, so that it must be known what that is. */
    int readFrom(int fd) {
        fields.putLong(HEADER, 0);
        payload = 0;
        int status = DebugStreamCalls.nrt_debug_client_read_one_event(fd, address, address + HEADER);
        if (status == 0) {
            payload = fields.getLong(HEADER);
        }
        return status;
    }

    /**
     * What the header promises.
     *
     * @return bytes of the payload, unsigned
     */
    public long size() {
        return fields.getLong(0);
    }

    /**
     * The type of the event.
     *
     * @return 1 for a print; unsigned
     */
    public long type() {
        return Integer.toUnsignedLong(fields.getInt(TYPE));
    }

    /**
     * Whether there is a payload at all: the library may hand out a header alone, whatever that promises.
     *
     * @return false when there is nothing to be looked into
     */
    public boolean hasPayload() {
        return payload != 0;
    }

    /**
     * What the payload can hold at most, however much the header promises: libc knows what it has allocated.
     *
     * @return bytes, rounded up by libc; 0 without a payload
     */
    public long allocated() {
        return payload == 0 ? 0 : PollCalls.malloc_usable_size(payload);
    }

    /**
     * The header as it came.
     *
     * @return its own copy
     */
    public byte[] header() {
        byte[] header = new byte[HEADER];
        fields.duplicate().position(0).get(header);
        return header;
    }

    /**
     * Eight bytes of the payload, which must be there.
     *
     * @param from the lowest one
     * @return the number
     */
    public long number(long from) {
        return new Pointer(payload).getLong(from);
    }

    /**
     * Copies a part of the payload, which must be there.
     *
     * @param from first byte
     * @param target where it goes
     * @param at first byte there
     * @param length how many
     */
    public void copy(long from, byte[] target, int at, int length) {
        new Pointer(payload).read(from, target, at, length);
    }

    /** Gives the payload back. It came from {@code malloc}, so that libc's {@code free} takes it. May be called again. */
    public void free() {
        long allocation = payload;
        payload = 0;
        if (allocation != 0) {
            Native.free(allocation);
        }
    }
}
