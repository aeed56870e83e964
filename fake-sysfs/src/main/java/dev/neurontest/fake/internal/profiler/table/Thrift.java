package dev.neurontest.fake.internal.profiler.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A builder of structures in Thrift's compact protocol, and a growing byte buffer. */
final class Thrift {

    private static final int I32 = 5;
    private static final int I64 = 6;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int STRUCT = 12;
    private static final int LONG_LIST = 15;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes = new byte[64];
    private int length;
    private int lastField;

    Thrift i32(int field, long value) {
        return header(field, I32).zigzag(value);
    }

    Thrift i64(int field, long value) {
        return header(field, I64).zigzag(value);
    }

    Thrift text(int field, String value) {
        return header(field, BINARY).sized(value);
    }

    Thrift struct(int field, Thrift value) {
        return header(field, STRUCT).add(value).add(0);
    }

    Thrift structs(int field, List<Thrift> values) {
        header(field, LIST).listHeader(values.size(), STRUCT);
        for (Thrift each : values) {
            add(each).add(0);
        }
        return this;
    }

    Thrift i32s(int field, int... values) {
        header(field, LIST).listHeader(values.length, I32);
        for (int each : values) {
            zigzag(each);
        }
        return this;
    }

    Thrift texts(int field, String value) {
        return header(field, LIST).listHeader(1, BINARY).sized(value);
    }

    private Thrift header(int field, int type) {
        add((field - lastField) << 4 | type);
        lastField = field;
        return this;
    }

    private Thrift listHeader(int size, int type) {
        return size < LONG_LIST
                ? add(size << 4 | type)
                : add(LONG_LIST << 4 | type).varint(size);
    }

    private Thrift sized(String value) {
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        return varint(text.length).add(text, text.length);
    }

    private Thrift zigzag(long value) {
        return varint(value << 1 ^ value >> 63);
    }

    Thrift varint(long value) {
        long remaining = value;
        while ((remaining & ~0x7FL) != 0) {
            add((int) (remaining & 0x7f | 0x80));
            remaining >>>= 7;
        }
        return add((int) remaining);
    }

    /** Adds the lowest bytes of a number, lowest first. */
    Thrift littleEndian(long value, int count) {
        ensure(Long.BYTES);
        // Writes eight bytes at once, because a large table spends most of its time here.
        LONGS.set(bytes, length, value);
        length += count;
        return this;
    }

    Thrift add(int each) {
        ensure(1);
        bytes[length++] = (byte) each;
        return this;
    }

    Thrift add(byte[] more, int count) {
        ensure(count);
        System.arraycopy(more, 0, bytes, length, count);
        length += count;
        return this;
    }

    Thrift add(Thrift more) {
        return add(more.bytes, more.length);
    }

    private void ensure(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }

    /** Returns the buffer, which may be longer than {@link #length()}. */
    byte[] array() {
        return bytes;
    }

    int length() {
        return length;
    }

    void clear() {
        length = 0;
        lastField = 0;
    }
}
