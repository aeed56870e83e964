package dev.neurontest.fake.internal.archive;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The escapes of an archive. */
final class Escapes {

    private Escapes() {}

    /**
     * Returns the bytes of an escaped text.
     *
     * @throws IllegalArgumentException for an unknown escape; the message is that escape
     */
    static byte[] bytes(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        int i = 0;
        while (i < text.length()) {
            int c = text.codePointAt(i);
            if (c != '\\') {
                bytes.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
                i += Character.charCount(c);
                continue;
            }
            String sequence = text.substring(i, Math.min(i + 4, text.length()));
            i += sequence.startsWith("\\x") ? 4 : 2;
            bytes.write(
                    switch (sequence.length() > 1 ? sequence.charAt(1) : ' ') {
                        case '\\' -> '\\';
                        case 'n' -> '\n';
                        case 't' -> '\t';
                        case 'r' -> '\r';
                        case 'x' -> hex(sequence);
                        default -> throw new IllegalArgumentException(sequence);
                    });
        }
        return bytes.toByteArray();
    }

    private static int hex(String escape) {
        if (!escape.matches("\\\\x[0-9a-fA-F]{2}")) {
            throw new IllegalArgumentException(escape);
        }
        return HexFormat.fromHexDigits(escape, 2, 4);
    }
}
