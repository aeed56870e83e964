package dev.neurontest.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** A factory of temporary folders in memory if there is space, because hosts of tests are thousands of small files. */
@NullMarked
public final class TempDirInMemory implements TempDirFactory {

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ROOM = 1L << 30;
    private static final String PREFIX = "junit-";

    /** Creates the factory for JUnit. */
    public TempDirInMemory() {}

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() > ROOM
                ? Files.createTempDirectory(MEMORY, PREFIX)
                : Files.createTempDirectory(PREFIX);
    }
}
