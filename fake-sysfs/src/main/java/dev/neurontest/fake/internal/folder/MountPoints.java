package dev.neurontest.fake.internal.folder;

import dev.neurontest.fake.internal.mounts.MountTable;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * Where something is mounted inside a folder, as this process sees it. Neither a device's number nor an error tells that of a
 * bind mount before its content is gone.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class MountPoints {

    private final List<String> points;

    private MountPoints(List<String> points) {
        this.points = points;
    }

    /**
     * Finds the mounts inside a folder, without the folder itself.
     *
     * @param folder an absolute path without links
     * @return none where the system has no table of mounts
     * @throws IOException when the table cannot be read
     */
    public static MountPoints in(Path folder) throws IOException {
        List<String> points = MountTable.read().stream()
                .map(MountTable.Mount::point)
                .filter(point -> point.startsWith(folder + "/"))
                .collect(Collectors.toCollection(ArrayList::new));
        // What was mounted last covers what was mounted before.
        Collections.reverse(points);
        return new MountPoints(points);
    }

    /**
     * Returns whether nothing is mounted.
     *
     * @return true for no mounts
     */
    public boolean isEmpty() {
        return points.isEmpty();
    }

    boolean has(Path path) {
        return !isEmpty() && points.contains(path.toString());
    }

    boolean hasIn(Path folder) {
        return points.stream().anyMatch(point -> point.startsWith(folder + "/"));
    }

    /**
     * Deletes a file, a link, or a directory with everything in it, except mounts and the directories that lead to them. Works by
     * descriptor, so that no link can take the place of a directory between check and removal.
     *
     * @param parent the directory in which the path is
     * @param path an absolute path without links
     * @throws IOException when something cannot be deleted
     */
    public void delete(SecureDirectoryStream<Path> parent, Path path) throws IOException {
        if (has(path)) {
            return;
        }
        Path name = path.getFileName();
        try {
            boolean isDirectory = parent.getFileAttributeView(
                            name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes()
                    .isDirectory();
            if (!isDirectory) {
                parent.deleteFile(name);
                return;
            }
            try (SecureDirectoryStream<Path> directory = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                for (Path entry : directory) {
                    delete(directory, path.resolve(entry.getFileName()));
                }
            }
            if (!hasIn(path)) {
                parent.deleteDirectory(name);
            }
        } catch (NoSuchFileException e) {
            // Another program was faster.
        }
    }

    /**
     * Creates the failure for a folder that stays because of its mounts.
     *
     * @param folder that stays
     * @return an exception with the commands that delete it
     */
    public IOException keeping(Path folder) {
        return new IOException(folder + " holds what others have mounted, which is not deleted: umount "
                + String.join(" ", points) + ", then delete what is left of " + folder);
    }
}
