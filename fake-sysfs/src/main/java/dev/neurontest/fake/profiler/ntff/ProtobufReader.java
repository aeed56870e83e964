package dev.neurontest.fake.profiler.ntff;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The fields of a message of Protocol Buffers, one after the other. */
final class ProtobufReader {

    private static final byte[] NOTHING = new byte[0];

    private final byte[] message;
    private int at;
    private int field;
    private long number;
    private byte[] bytes = NOTHING;

    ProtobufReader(byte[] message) {
        this.message = message;
    }

    /** Moves on to the next field; false at the end. */
    boolean next() throws IOException {
        if (at == message.length) {
            return false;
        }
        long tag = varint();
        field = (int) (tag >>> 3);
        // A field of another kind than expected has nothing, and not what the one before has.
        number = 0;
        bytes = NOTHING;
        switch ((int) (tag & 7)) {
            case 0 -> number = varint();
            case 1 -> skip(8);
            case 2 -> {
                long length = varint();
                int from = at;
                skip(length);
                bytes = Arrays.copyOfRange(message, from, at);
            }
            case 5 -> skip(4);
            default -> throw new IOException("proto: illegal wireType " + (tag & 7));
        }
        return true;
    }

    private void skip(long length) throws IOException {
        if (length < 0 || length > message.length - at) {
            throw new IOException("unexpected EOF");
        }
        at += (int) length;
    }

    private long varint() throws IOException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (at == message.length) {
                throw new IOException("unexpected EOF");
            }
            byte each = message[at++];
            value |= (long) (each & 0x7f) << shift;
            if (each >= 0) {
                return value;
            }
        }
        throw new IOException("proto: integer overflow");
    }

    int field() {
        return field;
    }

    long number() {
        return number;
    }

    byte[] bytes() {
        return bytes;
    }

    String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
