package dev.neurontest.internal.lease.store;

import java.nio.file.FileSystemException;

/** A link, a pipe or anything else that no JVM made in place of a file or directory of a table. */
final class PlantedFileException extends FileSystemException {

    private static final long serialVersionUID = 1;

    PlantedFileException(String file, String reason) {
        super(file, null, reason);
    }
}
