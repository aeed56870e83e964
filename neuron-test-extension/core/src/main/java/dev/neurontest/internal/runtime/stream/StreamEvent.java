package dev.neurontest.internal.runtime.stream;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apiguardian.api.API;

/** A reusable buffer for an event from the library. The payload is off the heap and belongs to the reader until it is freed. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class StreamEvent {

    /** Size of {@code ndebug_stream_event_header_t}. */
    public static final int HEADER = 64;

    private static final int TYPE = 8;

    private final Memory memory = new Memory(HEADER + Long.BYTES);
    private final ByteBuffer fields = memory.getByteBuffer(0, memory.size()).order(ByteOrder.LITTLE_ENDIAN);
    private final long address = Pointer.nativeValue(memory);
    private long payload;

    /** Creates a buffer without an event. */
    public StreamEvent() {}

    /** Reads an event. The pointer is cleared before the call, because the library may leave it unchanged. */
    int readFrom(int fd) {
        fields.putLong(HEADER, 0);
        payload = 0;
        int status = DebugStreamCalls.nrt_debug_client_read_one_event(fd, address, address + HEADER);
        if (status == 0) {
            payload = fields.getLong(HEADER);
        }
        return status;
    }

    /** Returns the size of the payload in the header, unsigned bytes. */
    public long size() {
        return fields.getLong(0);
    }

    /**
     * Returns the type of the event.
     *
     * @return 1 for a print; unsigned
     */
    public long type() {
        return Integer.toUnsignedLong(fields.getInt(TYPE));
    }

    /** Returns whether there is a payload. The library may return a header alone, independent of its fields. */
    public boolean hasPayload() {
        return payload != 0;
    }

    /**
     * Returns the allocated size of the payload according to libc. It limits the size in the header.
     *
     * @return bytes, rounded up by libc; 0 without a payload
     */
    public long allocated() {
        return payload == 0 ? 0 : PollCalls.malloc_usable_size(payload);
    }

    /** Returns a copy of the unchanged header. */
    public byte[] header() {
        byte[] header = new byte[HEADER];
        fields.duplicate().position(0).get(header);
        return header;
    }

    /**
     * Returns eight bytes of the payload, which must exist.
     *
     * @param from position of the lowest byte
     */
    public long number(long from) {
        return new Pointer(payload).getLong(from);
    }

    /**
     * Copies a part of the payload, which must exist.
     *
     * @param from position of the first byte
     * @param target destination
     * @param at first index in the destination
     * @param length number of bytes
     */
    public void copy(long from, byte[] target, int at, int length) {
        new Pointer(payload).read(from, target, at, length);
    }

    /**
     * Frees the payload. It was allocated by {@code malloc} and is therefore freed by libc's {@code free}. This method can be called
     * repeatedly.
     */
    public void free() {
        long allocation = payload;
        payload = 0;
        if (allocation != 0) {
            Native.free(allocation);
        }
    }
}
