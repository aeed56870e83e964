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

/** The folder that a child's output goes to. Directories above it may be links, the folder itself and its files may not. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OutputFolder {

    private static final int LONGEST_NAME = 70;

    private OutputFolder() {}

    /**
     * Makes a folder where there is none.
     *
     * @param folder its path
     * @throws IOException when it cannot be made, or is there as something else than a directory
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
                                : "it is no directory");
            }
        }
    }

    /**
     * Makes a folder that no other process uses.
     *
     * @param parent made when it is not there
     * @param name what it should be called; characters that are odd in a file's name are replaced, and a number is added when
     *     there is one already
     * @return its absolute path
     * @throws IOException when it cannot be made
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
                // Of an earlier one.
            }
        }
    }

    /** A file that was not there before. */
    static OutputStream newFile(Path folder, String name) throws IOException {
        make(folder);
        return Files.newOutputStream(folder.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }
}
