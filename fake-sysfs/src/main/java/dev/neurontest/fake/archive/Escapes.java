package dev.neurontest.fake.archive;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Bytes as ASCII text without line ends, and back. */
final class Escapes {

    private static final HexFormat HEX = HexFormat.of();

    private Escapes() {}

    /** Of a content: each character is one byte. */
    static String content(String bytes) {
        return escape(bytes.getBytes(StandardCharsets.ISO_8859_1), false);
    }

    /** Of a mark or a value of the header. */
    static String words(String text) {
        return escape(text.getBytes(StandardCharsets.UTF_8), false);
    }

    /** Of a name, a path or a target: no space is left in it. */
    static String name(String text) {
        return escape(text.getBytes(StandardCharsets.UTF_8), true);
    }

    private static String escape(byte[] bytes, boolean everySpace) {
        StringBuilder text = new StringBuilder(bytes.length + 2);
        for (int i = 0; i < bytes.length; i++) {
            byte b = bytes[i];
            switch (b) {
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\t' -> text.append("\\t");
                case '\r' -> text.append("\\r");
                default -> {
                    boolean plain = b > ' ' && b < 0x7f || b == ' ' && !everySpace && i < bytes.length - 1;
                    if (plain) {
                        text.append((char) b);
                    } else {
                        text.append("\\x").append(HEX.toHexDigits(b));
                    }
                }
            }
        }
        return text.toString();
    }

    /**
     * The bytes that a text stands for.
     *
     * @throws IllegalArgumentException with the escape that is none
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
            String rest = text.substring(i, Math.min(i + 4, text.length()));
            i += rest.startsWith("\\x") ? 4 : 2;
            bytes.write(
                    switch (rest.length() > 1 ? rest.charAt(1) : ' ') {
                        case '\\' -> '\\';
                        case 'n' -> '\n';
                        case 't' -> '\t';
                        case 'r' -> '\r';
                        case 'x' -> hex(rest);
                        default -> throw new IllegalArgumentException(rest);
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
