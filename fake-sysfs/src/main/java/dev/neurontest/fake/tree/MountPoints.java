package dev.neurontest.fake.tree;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Where something is mounted inside a folder, as this process sees it. Neither a device's number nor an error tells that of a
 * bind mount before its content is gone.
 */
final class MountPoints {

    private static final Path TABLE = Path.of("/proc/self/mountinfo");
    private static final int POINT = 4;

    /** That of the names of files, so that a name reads here as it does in a path. */
    private static final Charset NAMES = Charset.forName(
            System.getProperty("sun.jnu.encoding", Charset.defaultCharset().name()));

    private final List<String> points;

    private MountPoints(List<String> points) {
        this.points = points;
    }

    /** All inside a folder, not the folder itself. None where the system does not tell. */
    static MountPoints in(Path folder) throws IOException {
        if (!Files.exists(TABLE)) {
            return new MountPoints(List.of());
        }
        String table = new String(Files.readAllBytes(TABLE), NAMES);
        List<String> points = new ArrayList<>();
        for (String line : table.split("\n")) {
            String[] words = line.split(" ");
            String point = words.length > POINT ? unescaped(words[POINT]) : "";
            if (point.startsWith(folder + "/")) {
                points.add(point);
            }
        }
        // What was mounted last covers what was mounted before.
        Collections.reverse(points);
        return new MountPoints(points);
    }

    boolean isEmpty() {
        return points.isEmpty();
    }

    boolean has(Path path) {
        return !isEmpty() && points.contains(path.toString());
    }

    boolean hasIn(Path folder) {
        return points.stream().anyMatch(point -> point.startsWith(folder + "/"));
    }

    /** Says what to do about a folder that stays because of them. */
    IOException keeping(Path folder) {
        return new IOException(folder + " holds what others have mounted, which is not deleted: umount "
                + String.join(" ", points) + ", then delete what is left of " + folder);
    }

    /** Blanks and the like are a backslash and three octal digits. */
    private static String unescaped(String word) {
        if (word.indexOf('\\') < 0) {
            return word;
        }
        byte[] escaped = word.getBytes(NAMES);
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        for (int i = 0; i < escaped.length; i++) {
            if (escaped[i] == '\\' && i + 3 < escaped.length) {
                plain.write(Integer.parseInt(new String(escaped, i + 1, 3, NAMES), 8));
                i += 3;
            } else {
                plain.write(escaped[i]);
            }
        }
        return plain.toString(NAMES);
    }
}
