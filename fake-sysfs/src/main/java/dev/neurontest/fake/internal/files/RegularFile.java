package dev.neurontest.fake.internal.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.apiguardian.api.API;

/** Opener of files that users name. The kind is checked first: opening a pipe waits for its writer, and a device may never end. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RegularFile {

    private static final int KIND = 0170000;
    private static final int PIPE = 0010000;
    private static final int SOCKET = 0140000;

    private RegularFile() {}

    /**
     * Opens a file for reading.
     *
     * @param file a regular file, or a link to one
     * @return its content; the caller must close it
     * @throws FileSystemException when it is of another kind, before it is opened
     * @throws IOException when it cannot be read
     */
    public static InputStream open(Path file) throws IOException {
        Optional<String> kind = otherKind(file);
        if (kind.isPresent()) {
            throw new FileSystemException(file.toString(), null, "is " + kind.get() + ", expected a regular file");
        }
        return Files.newInputStream(file);
    }

    /**
     * Returns the kind of a file that is not a regular one. Links are followed.
     *
     * @return such as "a pipe"; empty for a regular file
     * @throws IOException when there is no such file, or its folder cannot be searched
     */
    public static Optional<String> otherKind(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (attributes.isRegularFile()) {
            return Optional.empty();
        }
        if (attributes.isDirectory()) {
            return Optional.of("a directory");
        }
        try {
            return Optional.of(
                    switch ((int) Files.getAttribute(file, "unix:mode") & KIND) {
                        case PIPE -> "a pipe";
                        case SOCKET -> "a socket";
                        default -> "a device";
                    });
        } catch (UnsupportedOperationException notUnix) {
            return Optional.of("not a regular file");
        }
    }
}
