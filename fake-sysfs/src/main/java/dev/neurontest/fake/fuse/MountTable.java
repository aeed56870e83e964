package dev.neurontest.fake.fuse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What is mounted where, as this process sees it. */
final class MountTable {

    private static final Path SELF = Path.of("/proc/self/mountinfo");

    private MountTable() {}

    /**
     * One mount.
     *
     * @param device the number of the file system, such as {@code 0:47}
     * @param point where it is
     * @param type the file system, with its subtype behind a dot
     * @param source what it says of where it comes from
     * @param options of the file system
     */
    record Mount(String device, String point, String type, String source, String options) {}

    static List<Mount> read() throws IOException {
        return parse(Files.readString(SELF, StandardCharsets.UTF_8));
    }

    static List<Mount> parse(String table) {
        return table.lines().map(MountTable::mount).flatMap(Optional::stream).toList();
    }

    /** {@code id parent device root point options [tags…] - type source options}. */
    private static Optional<Mount> mount(String line) {
        List<String> words = Arrays.asList(line.split(" "));
        int end = words.indexOf("-");
        if (end < 5 || words.size() < end + 4) {
            return Optional.empty();
        }
        return Optional.of(new Mount(
                words.get(2),
                unescape(words.get(4)),
                words.get(end + 1),
                unescape(words.get(end + 2)),
                words.get(end + 3)));
    }

    /** Blanks and the like are written as a backslash and three octal digits. */
    private static String unescape(String word) {
        if (word.indexOf('\\') < 0) {
            return word;
        }
        byte[] escaped = word.getBytes(StandardCharsets.UTF_8);
        byte[] plain = new byte[escaped.length];
        int length = 0;
        for (int i = 0; i < escaped.length; i++) {
            if (escaped[i] == '\\' && i + 3 < escaped.length) {
                plain[length++] =
                        (byte) ((escaped[i + 1] - '0') << 6 | (escaped[i + 2] - '0') << 3 | (escaped[i + 3] - '0'));
                i += 3;
            } else {
                plain[length++] = escaped[i];
            }
        }
        return new String(plain, 0, length, StandardCharsets.UTF_8);
    }
}
