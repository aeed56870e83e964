package dev.neurontest.fake.internal.profiler.ntff;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.apiguardian.api.API;

/** A builder of a Protocol Buffers message. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Protobuf {

    private static final int VARINT = 0;
    private static final int BYTES = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /**
     * Adds a varint.
     *
     * @param field number of the field
     */
    public Protobuf number(int field, long value) {
        varint((long) field << 3 | VARINT);
        varint(value);
        return this;
    }

    /**
     * Adds bytes.
     *
     * @param field number of the field
     */
    public Protobuf bytes(int field, byte[] value) {
        varint((long) field << 3 | BYTES);
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    /**
     * Adds a text.
     *
     * @param field number of the field
     */
    public Protobuf text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Adds a message.
     *
     * @param field number of the field
     */
    public Protobuf message(int field, Protobuf value) {
        return bytes(field, value.toBytes());
    }

    /** Returns the encoded message. */
    public byte[] toBytes() {
        return out.toByteArray();
    }

    private void varint(long value) {
        long remaining = value;
        while ((remaining & ~0x7fL) != 0) {
            out.write((int) (remaining & 0x7f | 0x80));
            remaining >>>= 7;
        }
        out.write((int) remaining);
    }
}
