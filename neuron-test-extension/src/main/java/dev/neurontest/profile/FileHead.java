package dev.neurontest.profile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The first bytes of a file, little-endian. */
record FileHead(ByteBuffer bytes) {

    /** Reads so many bytes from the beginning, or fewer when the file has no more. */
    static FileHead read(SeekableByteChannel file, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        file.position(0);
        while (bytes.hasRemaining() && file.read(bytes) >= 0) {
            // A read may stop early.
        }
        return new FileHead(bytes.flip());
    }

    int length() {
        return bytes.limit();
    }

    int unsignedByte(int offset) {
        return Byte.toUnsignedInt(bytes.get(offset));
    }

    long eightBytes(int offset) {
        return bytes.getLong(offset);
    }

    String hex(int offset, int length) {
        return HexFormat.of().formatHex(bytes.array(), offset, offset + length);
    }

    /** Up to the first NUL; what could move a terminal's cursor is replaced. */
    String text(int offset, int length) {
        int end = offset;
        while (end < offset + length && bytes.get(end) != 0) {
            end++;
        }
        return printable(bytes.array(), offset, end - offset);
    }

    static String printable(byte[] bytes, int offset, int length) {
        return new String(bytes, offset, length, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "\ufffd");
    }
}
