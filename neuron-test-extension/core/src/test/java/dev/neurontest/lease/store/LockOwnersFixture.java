package dev.neurontest.lease.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The processes that have a file locked. */
public final class LockOwnersFixture {

    private LockOwnersFixture() {}

    /** Returns their numbers. */
    public static List<Long> owners(Path file) throws IOException {
        return new FileLocks(Path.of("/proc")).owners(file);
    }
}
