package dev.neurontest.internal.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apiguardian.api.API;

/** The folder of a child's output. Its parents may be links. The folder itself and its files must not be links. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OutputFolder {

    private static final int LONGEST_NAME = 70;

    private OutputFolder() {}

    /**
     * Creates a folder if it does not exist.
     *
     * @throws IOException if it cannot be created or is not a directory
     */
    public static void make(Path folder) throws IOException {
        Path absolute = folder.toAbsolutePath();
        Path parent = absolute.getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            make(parent);
        }
        try {
            Files.createDirectory(absolute);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(absolute, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileSystemException(
                        absolute.toString(),
                        null,
                        Files.isSymbolicLink(absolute)
                                ? "it is a symbolic link, which is not followed"
                                : "it is not a directory");
            }
        }
    }

    /**
     * Creates a folder that no other process uses.
     *
     * @param parent created if it does not exist
     * @param name the preferred name; unusual characters for a file name are replaced, and a number is appended if the name
     *     exists
     * @return its absolute path
     * @throws IOException if it cannot be created
     */
    public static Path fresh(Path parent, String name) throws IOException {
        make(parent);
        String plain = name.replaceAll("[^A-Za-z0-9._-]+", "_");
        plain = plain.substring(0, Math.min(LONGEST_NAME, plain.length()));
        for (int number = 1; ; number++) {
            try {
                return Files.createDirectory(parent.resolve(number == 1 ? plain : plain + "-" + number)
                        .toAbsolutePath());
            } catch (FileAlreadyExistsException e) {
                // The name belongs to an earlier folder.
            }
        }
    }

    /** Creates a file that must not exist. */
    static OutputStream newFile(Path folder, String name) throws IOException {
        make(folder);
        return Files.newOutputStream(folder.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }
}
