package dev.neurontest.internal.archive;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** How the parts of an archive's lines are written: ASCII only, one line each, whatever was in a file. */
final class ArchiveText {

    private ArchiveText() {}

    static String mode(int mode) {
        return String.format(Locale.ROOT, "%04o", mode & 07777);
    }

    static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%d.%03d", time.toSeconds(), time.toMillisPart());
    }

    /** A name, a path or the target of a link, in which a space would end it. */
    static String name(String name) {
        return escaped(name.getBytes(StandardCharsets.UTF_8)).replace(" ", "\\x20");
    }

    /** What is last on its line, and may have spaces in it. */
    static String words(String words) {
        return content(words.getBytes(StandardCharsets.UTF_8));
    }

    /** Editors drop a space at the end of a line. */
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
