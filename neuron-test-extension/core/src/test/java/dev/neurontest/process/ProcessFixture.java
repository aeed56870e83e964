package dev.neurontest.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Looks at processes from outside. */
public final class ProcessFixture {

    private ProcessFixture() {}

    /** Also when no process has asked for it since it ended, as the first process of a container may not. */
    public static boolean isGone(long pid) {
        try {
            String status = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return "ZX".indexOf(status.charAt(status.lastIndexOf(')') + 2)) >= 0;
        } catch (IOException e) {
            return true;
        }
    }
}
