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
 * The mounts inside a folder, as this process sees them. A bind mount must be detected before its content is deleted, but neither a device
 * number nor an error reveals it.
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
     * @return none on a system without a table of mounts
     * @throws IOException when the table cannot be read
     */
    public static MountPoints in(Path folder) throws IOException {
        List<String> points = MountTable.read().stream()
                .map(MountTable.Mount::point)
                .filter(point -> point.startsWith(folder + "/"))
                .collect(Collectors.toCollection(ArrayList::new));
        // A later mount covers an earlier one.
        Collections.reverse(points);
        return new MountPoints(points);
    }

    /** Returns whether there are no mounts. */
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
     * descriptor, because a link must not replace a directory between check and removal.
     *
     * @param parent the directory that contains the path
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
     * Creates the exception for a folder that cannot be deleted because of its mounts.
     *
     * @param folder the folder
     * @return an exception with the commands that delete it
     */
    public IOException keeping(Path folder) {
        return new IOException(folder + " contains mounts of other programs, which are not deleted: umount "
                + String.join(" ", points) + ", then delete the rest of " + folder);
    }
}
