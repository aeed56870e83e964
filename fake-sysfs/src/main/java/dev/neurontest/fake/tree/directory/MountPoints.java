package dev.neurontest.fake.tree.directory;

import dev.neurontest.fake.mounts.MountTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Where something is mounted inside a folder, as this process sees it. Neither a device's number nor an error tells that of a
 * bind mount before its content is gone.
 */
final class MountPoints {

    private final List<String> points;

    private MountPoints(List<String> points) {
        this.points = points;
    }

    /** All inside a folder, not the folder itself. None where the system does not tell. */
    static MountPoints in(Path folder) throws IOException {
        List<String> points = MountTable.read().stream()
                .map(MountTable.Mount::point)
                .filter(point -> point.startsWith(folder + "/"))
                .collect(Collectors.toCollection(ArrayList::new));
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
}
