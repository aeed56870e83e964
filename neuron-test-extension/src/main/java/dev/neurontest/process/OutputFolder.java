package dev.neurontest.process;

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

    /** A file that was not there before. */
    static OutputStream newFile(Path folder, String name) throws IOException {
        make(folder);
        return Files.newOutputStream(folder.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }
}
