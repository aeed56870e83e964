package dev.neurontest.evidence;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Makes the folder that run files go to. Directories that are there may be links, the folder itself may not. */
final class OutputFolder {

    private OutputFolder() {}

    static void make(Path folder) throws IOException {
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
}
