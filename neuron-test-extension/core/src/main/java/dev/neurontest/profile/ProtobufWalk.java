package dev.neurontest.profile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;

/**
 * A reader of the fields of a protobuf message in a file, in order and without a schema. Fields that are not requested are skipped without
 * reading, therefore a wrong length does no harm.
 */
final class ProtobufWalk {

    private static final int VARINT = 0;
    private static final int EIGHT_BYTES = 1;
    private static final int LENGTH_DELIMITED = 2;
    private static final int FOUR_BYTES = 5;

    private final Source source;
    private final long end;
    private long position;
    private int field;
    private long number;
    private long start;

    private ProtobufWalk(Source source, long from, long end) {
        this.source = source;
        this.position = from;
        this.start = from;
        this.end = end;
    }

    /** Starts before the first field of a message between two positions of a file. Reading more than the given number of fields fails. */
    static ProtobufWalk of(SeekableByteChannel file, long from, long end, int fields) {
        return new ProtobufWalk(new Source(file, fields), from, end);
    }

    /**
     * Moves to the next field.
     *
     * @return false at the end of the message
     * @throws IOException when the bytes are not a message, or the file ends within it
     */
    boolean next() throws IOException {
        if (position == end) {
            return false;
        }
        source.countField(position);
        long at = position;
        long tag = varint();
        field = (int) (tag >>> 3);
        number = -1;
        switch ((int) (tag & 7)) {
            case VARINT -> {
                number = varint();
                start = position;
            }
            case EIGHT_BYTES -> skip(Long.BYTES);
            case FOUR_BYTES -> skip(Integer.BYTES);
            case LENGTH_DELIMITED -> skip(varint());
            default -> throw notAMessage(at);
        }
        if (field <= 0) {
            throw notAMessage(at);
        }
        return true;
    }

    /** Returns the number of the field. */
    int field() {
        return field;
    }

    /** Returns the unsigned number in the field; -1 when it contains no number. */
    long number() {
        return number;
    }

    /** Returns the bytes in the field; empty when there are more than allowed. */
    byte[] bytes(int most) throws IOException {
        long length = position - start;
        return length > most ? new byte[0] : source.bytes(start, (int) length);
    }

    /** Returns a reader of the message in the field. */
    ProtobufWalk inside() {
        return new ProtobufWalk(source, start, position);
    }

    private void skip(long length) throws IOException {
        start = position;
        if (length < 0 || length > end - position) {
            throw notAMessage(start);
        }
        position += length;
    }

    private long varint() throws IOException {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (position == end) {
                throw notAMessage(position);
            }
            byte next = source.at(position++);
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw notAMessage(position);
    }

    private static IOException notAMessage(long position) {
        return new IOException("no protobuf field at byte " + position);
    }

    /** The file that a reader and its nested readers share, read in blocks. */
    private static final class Source {

        private final SeekableByteChannel file;
        private final int fields;
        private int fieldsSeen;
        private final ByteBuffer piece = ByteBuffer.allocate(8192).limit(0);
        private long pieceStart;

        Source(SeekableByteChannel file, int fields) {
            this.file = file;
            this.fields = fields;
        }

        void countField(long position) throws IOException {
            if (++fieldsSeen > fields) {
                throw new IOException("more than %s protobuf fields up to byte %s".formatted(fields, position));
            }
        }

        byte at(long position) throws IOException {
            if (position < pieceStart || position >= pieceStart + piece.limit()) {
                load(position);
            }
            return piece.get((int) (position - pieceStart));
        }

        byte[] bytes(long from, int length) throws IOException {
            byte[] bytes = new byte[length];
            for (int i = 0; i < length; i++) {
                bytes[i] = at(from + i);
            }
            return bytes;
        }

        private void load(long position) throws IOException {
            piece.clear();
            file.position(position);
            int read = file.read(piece);
            piece.flip();
            pieceStart = position;
            if (read <= 0) {
                throw new IOException("the file ends at byte " + position);
            }
        }
    }
}
