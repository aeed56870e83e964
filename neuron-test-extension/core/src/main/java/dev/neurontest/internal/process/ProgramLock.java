package dev.neurontest.internal.process;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A file that programs keep locked while they run. {@code flock --no-fork} locks it and becomes the program, which inherits the
 * descriptor. The kernel releases the lock when the last process with this descriptor ends, regardless of its user or namespace.
 * A process that closes inherited descriptors is still found by the name of the lock in its environment.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProgramLock implements AutoCloseable {

    private static final Path PROCESSES = Path.of("/proc");
    private static final long ANSWERS_WITHIN_SECONDS = 2;

    /** The separator before and after each name in an environment. */
    private static final String END = ",";

    private final String name;
    private final Path file;
    private final Closeable open;
    private final Path descriptor;

    private ProgramLock(String name, Path file, Closeable open, Path descriptor) {
        this.name = name;
        this.file = file;
        this.open = open;
        this.descriptor = descriptor;
    }

    /** The state of a lock. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum State {
        /** A process holds the lock. */
        HELD,
        /** The lock is free. */
        FREE,
        /** The file does not exist, or the lock cannot be tested here. */
        UNKNOWN
    }

    /** An opening of the lock file. */
    @FunctionalInterface
    public interface Opening {

        /**
         * Opens the file.
         *
         * @return the open file, to be closed when it is no longer needed
         * @throws IOException if it cannot be opened
         */
        Closeable open() throws IOException;
    }

    /**
     * Creates the file of a lock.
     *
     * @param name unique on this machine, without comma and colon
     * @param file the path at which the creation creates the file
     * @param creation creates the file and keeps it open
     * @return empty without a usable {@code flock}; then there is no file
     */
    public static Optional<ProgramLock> create(String name, Path file, Opening creation) {
        if (!isAvailable()) {
            return Optional.empty();
        }
        Closeable open = null;
        try {
            open = creation.open();
            return Optional.of(new ProgramLock(name, file, open, descriptor(file, self())));
        } catch (IOException failed) {
            // Without a lock, programs are identified by their numbers.
            discard(open, file);
            return Optional.empty();
        }
    }

    /**
     * Checks whether programs can be started with locks here.
     *
     * @return false without a {@code flock} that becomes a program, as with BusyBox
     */
    public static boolean isAvailable() {
        return StartingTools.FOUND.flock().isPresent();
    }

    /** Returns the number of this process. */
    static String self() {
        return Long.toString(ProcessHandle.current().pid());
    }

    private static void discard(@Nullable Closeable open, Path file) {
        if (open != null) {
            try {
                Files.deleteIfExists(file);
                open.close();
            } catch (IOException unremoved) {
                // The file does no harm, because it is not locked.
            }
        }
    }

    /**
     * Returns the path of an open descriptor, which no user can replace.
     *
     * @param file the path at which it was opened
     * @param process a number, or {@code self}
     */
    static Path descriptor(Path file, String process) throws IOException {
        Object key = key(file, LinkOption.NOFOLLOW_LINKS);
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(PROCESSES.resolve("self/fd"))) {
            for (Path each : descriptors) {
                Path candidate = PROCESSES
                        .resolve(process)
                        .resolve("fd")
                        .resolve(each.getFileName().toString());
                // This process has another number if the proc directory of another namespace is mounted.
                if (key.equals(keyIfOpen(each)) && key.equals(keyIfOpen(candidate))) {
                    return candidate;
                }
            }
        } catch (DirectoryIteratorException unreadable) {
            throw unreadable.getCause();
        }
        throw new IOException(file + " is not the file that was opened");
    }

    private static Object key(Path file, LinkOption... options) throws IOException {
        Object key =
                Files.readAttributes(file, BasicFileAttributes.class, options).fileKey();
        if (key == null) {
            throw new IOException(file + " has no number");
        }
        return key;
    }

    private static @Nullable Object keyIfOpen(Path descriptor) {
        try {
            return key(descriptor);
        } catch (IOException closed) {
            return null;
        }
    }

    public String name() {
        return name;
    }

    /** Returns a command that takes the locks and becomes another command. */
    static List<String> wrapped(List<ProgramLock> locks, List<String> command) {
        List<String> all = command;
        for (ProgramLock lock : locks) {
            all = wrapped(StartingTools.FOUND.flock().orElseThrow(), lock.descriptor, all);
        }
        return all;
    }

    static List<String> wrapped(Path flock, Path file, List<String> command) {
        List<String> all = new ArrayList<>(List.of(
                flock.toString(),
                "--no-fork",
                "--nonblock",
                "--conflict-exit-code",
                Integer.toString(StartingTools.LOCKED),
                "--shared",
                file.toString()));
        all.addAll(command);
        return all;
    }

    /** Returns the names of locks for the environment of programs. */
    static String text(List<ProgramLock> locks) {
        StringBuilder text = new StringBuilder();
        locks.forEach(lock -> text.append(END).append(lock.name).append(END));
        return text.toString();
    }

    /** Deletes the file, because a program was started without the lock. A free lock would prove nothing. */
    void invalidate() throws IOException {
        Files.deleteIfExists(file);
    }

    /**
     * Ends the use of the lock by this JVM.
     *
     * @param kept true if programs might still hold the lock; then the file stays for other JVMs that test it
     */
    public void close(boolean kept) {
        if (kept) {
            try {
                open.close();
            } catch (IOException closedByTheKernel) {
                // The kernel closes it when the JVM ends.
            }
        } else {
            discard(open, file);
        }
    }

    /** Deletes the file. */
    @Override
    public void close() {
        close(false);
    }

    /**
     * Checks whether a process holds a lock. This starts {@code flock}, which takes a few milliseconds.
     *
     * @param file the lock file
     * @param opening opens the file for reading
     * @return unknown also if {@code flock} does not answer
     */
    public static State test(Path file, Opening opening) {
        Optional<Path> flock = ChildStarter.inPath("flock", System.getenv("PATH"));
        if (flock.isEmpty() || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return State.UNKNOWN;
        }
        try {
            return test(flock.get(), file, opening.open());
        } catch (IOException unreadable) {
            return State.UNKNOWN;
        }
    }

    private static State test(Path flock, Path file, Closeable open) throws IOException {
        try (open) {
            return StartingTools.isLocked(flock, descriptor(file, "self"), ANSWERS_WITHIN_SECONDS)
                    .map(isLocked -> isLocked ? State.HELD : State.FREE)
                    .orElse(State.UNKNOWN);
        }
    }

    /**
     * Finds processes with the name of a lock in their environment, even if they do not hold it.
     *
     * @param name the name of the lock
     * @return the numbers of the visible processes
     */
    public static List<Long> named(String name) {
        String entry = END + name + END;
        return ProcessTable.having(environment -> environment.contains(entry)).stream()
                .map(ProcessHandle::pid)
                .toList();
    }
}
