package dev.neurontest.internal.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Queries of processes from outside. */
public final class ProcessFixture {

    private ProcessFixture() {}

    /** Returns whether a process has ended, even if its parent has not waited for it yet. */
    public static boolean isGone(long pid) {
        try {
            String status = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return "ZX".indexOf(status.charAt(status.lastIndexOf(')') + 2)) >= 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** Returns whether every thread of a process is stopped. The first ones stop while others still run. */
    public static boolean isStopped(long pid) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path thread : threads.toList()) {
                String status = Files.readString(thread.resolve("stat"));
                if (status.charAt(status.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (NoSuchFileException threadHasEnded) {
            return false;
        }
    }

    /** Returns the environment of a process that ends with a JVM. */
    public static Map<String, String> endingWith(ProcessIdentity jvm) {
        return Map.of(ProcessTree.MARK, "outer:" + ProcessTree.newMark(Optional.of(jvm)));
    }

    /** Returns an earlier JVM with the process ID of this one. */
    public static ProcessIdentity dead() {
        ProcessIdentity self = ProcessTable.shownSelf().orElseThrow();
        return new ProcessIdentity(self.pid(), self.startTicks() - 1, self.namespace(), self.user());
    }
}
