package dev.neurontest.internal.lease.store;

import java.nio.file.FileSystemException;

/** Thrown when a link, a pipe or another object that no JVM created is in place of a file or directory of a table. */
final class PlantedFileException extends FileSystemException {

    private static final long serialVersionUID = 1;

    PlantedFileException(String file, String reason) {
        super(file, null, reason);
    }
}
