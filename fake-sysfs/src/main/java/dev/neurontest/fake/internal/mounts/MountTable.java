package dev.neurontest.fake.internal.mounts;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** The table of mounts, as this process sees it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class MountTable {

    private static final Path SELF = Path.of("/proc/self/mountinfo");

    /** The charset of file names. It makes a name in the table equal to the name in a path. */
    private static final Charset NAMES = Charset.forName(
            System.getProperty("sun.jnu.encoding", Charset.defaultCharset().name()));

    private MountTable() {}

    /**
     * A mount.
     *
     * @param device the number of the file system, such as {@code 0:47}
     * @param point the path of the mount
     * @param type the type of the file system, with its subtype after a dot
     * @param source the source, as the file system reports it
     * @param options the options of the file system
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Mount(String device, String point, String type, String source, String options) {}

    /**
     * Reads the table.
     *
     * @return in the order in which they were mounted; none on a system without such a table
     * @throws IOException when it cannot be read
     */
    public static List<Mount> read() throws IOException {
        return Files.exists(SELF) ? parse(new String(Files.readAllBytes(SELF), NAMES)) : List.of();
    }

    static List<Mount> parse(String table) {
        return table.lines().map(MountTable::mount).flatMap(Optional::stream).toList();
    }

    /** Parses a line {@code id parent device root point options [tags…] - type source options}. */
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

    /** Decodes a word in which blanks and similar characters are written as a backslash and three octal digits. */
    private static String unescape(String word) {
        if (word.indexOf('\\') < 0) {
            return word;
        }
        byte[] escaped = word.getBytes(NAMES);
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
        return new String(plain, 0, length, NAMES);
    }
}
