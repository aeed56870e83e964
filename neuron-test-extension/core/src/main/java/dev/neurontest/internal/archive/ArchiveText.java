package dev.neurontest.internal.archive;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** Formatter for the lines of an archive. Each part is in ASCII on one line, for any content of a file. */
final class ArchiveText {

    private ArchiveText() {}

    static String mode(int mode) {
        return String.format(Locale.ROOT, "%04o", mode & 07777);
    }

    static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%d.%03d", time.toSeconds(), time.toMillisPart());
    }

    /** Formats a name, a path or the target of a link. Spaces are escaped, because a space ends it. */
    static String name(String name) {
        return escaped(name.getBytes(StandardCharsets.UTF_8)).replace(" ", "\\x20");
    }

    /** Formats text at the end of a line, which may contain spaces. */
    static String words(String words) {
        return content(words.getBytes(StandardCharsets.UTF_8));
    }

    /** Formats the content of a file. A space at the end is escaped, because editors delete spaces at line ends. */
    static String content(byte[] content) {
        String text = escaped(content);
        return text.endsWith(" ") ? text.substring(0, text.length() - 1) + "\\x20" : text;
    }

    private static String escaped(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length + 8);
        for (byte each : bytes) {
            switch (each) {
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\t' -> text.append("\\t");
                case '\r' -> text.append("\\r");
                default -> {
                    if (each >= ' ' && each <= '~') {
                        text.append((char) each);
                    } else {
                        text.append(String.format(Locale.ROOT, "\\x%02x", each & 0xff));
                    }
                }
            }
        }
        return text.toString();
    }
}
