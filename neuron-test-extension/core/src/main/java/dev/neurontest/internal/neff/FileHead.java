package dev.neurontest.internal.neff;

import dev.neurontest.internal.text.VisibleText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apiguardian.api.API;

/**
 * The first bytes of a file, little-endian.
 *
 * @param bytes bytes from position 0 to the limit, backed by an array
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record FileHead(ByteBuffer bytes) {

    /**
     * Reads the given number of bytes from the beginning of a file, or fewer when the file is shorter.
     *
     * @param file the file; its position changes
     * @param length maximum number of bytes
     * @return the bytes that exist
     * @throws IOException when the file cannot be read
     */
    public static FileHead read(SeekableByteChannel file, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        file.position(0);
        while (bytes.hasRemaining() && file.read(bytes) >= 0) {
            // A read may return early.
        }
        return new FileHead(bytes.flip());
    }

    /** Returns the number of bytes, at most the requested number. */
    public int length() {
        return bytes.limit();
    }

    /** Returns one byte, from 0 to 255. */
    public int unsignedByte(int offset) {
        return Byte.toUnsignedInt(bytes.get(offset));
    }

    /** Returns eight bytes as one number. */
    public long eightBytes(int offset) {
        return bytes.getLong(offset);
    }

    /** Returns bytes as hexadecimal digits, two for each byte. */
    public String hex(int offset, int length) {
        return HexFormat.of().formatHex(bytes.array(), offset, offset + length);
    }

    /**
     * Returns a text up to its first NUL, with visible escapes for terminal control characters.
     *
     * @param length maximum number of bytes
     */
    public String text(int offset, int length) {
        int end = offset;
        while (end < offset + length && bytes.get(end) != 0) {
            end++;
        }
        return printable(bytes.array(), offset, end - offset);
    }

    /**
     * Returns bytes as text, with visible escapes for terminal control characters.
     *
     * @param bytes UTF-8; other bytes are replaced
     */
    public static String printable(byte[] bytes, int offset, int length) {
        return VisibleText.line(new String(bytes, offset, length, StandardCharsets.UTF_8));
    }
}
