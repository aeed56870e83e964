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
 * @param bytes from position 0 to the limit, with an array behind them
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record FileHead(ByteBuffer bytes) {

    /**
     * Reads so many bytes from the beginning, or fewer when the file has no more.
     *
     * @param file the file; its position moves
     * @param length how many
     * @return what is there
     * @throws IOException when it cannot be read
     */
    public static FileHead read(SeekableByteChannel file, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        file.position(0);
        while (bytes.hasRemaining() && file.read(bytes) >= 0) {
            // A read may stop early.
        }
        return new FileHead(bytes.flip());
    }

    /**
     * How many there are.
     *
     * @return at most as many as were asked for
     */
    public int length() {
        return bytes.limit();
    }

    /**
     * One byte.
     *
     * @param offset from 0
     * @return 0 to 255
     */
    public int unsignedByte(int offset) {
        return Byte.toUnsignedInt(bytes.get(offset));
    }

    /**
     * Eight bytes as one number.
     *
     * @param offset of the lowest one
     * @return the number
     */
    public long eightBytes(int offset) {
        return bytes.getLong(offset);
    }

    /**
     * Some bytes for a person.
     *
     * @param offset of the first
     * @param length how many
     * @return two digits each
     */
    public String hex(int offset, int length) {
        return HexFormat.of().formatHex(bytes.array(), offset, offset + length);
    }

    /**
     * A text up to its first NUL; what could move a terminal's cursor is shown instead.
     *
     * @param offset of the first byte
     * @param length how many it may have
     * @return the text
     */
    public String text(int offset, int length) {
        int end = offset;
        while (end < offset + length && bytes.get(end) != 0) {
            end++;
        }
        return printable(bytes.array(), offset, end - offset);
    }

    /**
     * Bytes as a text; what could move a terminal's cursor is shown instead.
     *
     * @param bytes UTF-8 as far as it is
     * @param offset of the first
     * @param length how many
     * @return the text
     */
    public static String printable(byte[] bytes, int offset, int length) {
        return VisibleText.line(new String(bytes, offset, length, StandardCharsets.UTF_8));
    }
}
