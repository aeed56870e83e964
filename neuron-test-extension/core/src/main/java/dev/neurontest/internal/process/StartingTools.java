package dev.neurontest.internal.process;

import dev.neurontest.internal.thread.Uninterrupted;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The programs by which others are started, as far as they do what is needed. Older ones do not, nor do those of BusyBox; a
 * container may forbid it or have a stub. They are tried together, so that usually one process is started for that.
 *
 * @param setpriv asks the kernel for a signal at the end of this JVM
 * @param flock locks a file and becomes another program
 */
record StartingTools(Optional<Path> setpriv, Optional<Path> flock) {

    private static final long ANSWERS_WITHIN_SECONDS = 10;
    private static final Path NO_INPUT = Path.of("/dev/null");
    private static final Path INPUT = Path.of("/proc/self/fd/0");

    /** The exit code where another process has a file locked. */
    static final int LOCKED = 75;

    /** The exit code of a program that was started for a trial. No stub ends with it. */
    private static final int WAS_STARTED = 76;

    /** Those of this machine, looked for once. */
    static final StartingTools FOUND = find(System.getenv("PATH"));

    static StartingTools find(@Nullable String searchPath) {
        Optional<Path> setpriv = ChildStarter.inPath("setpriv", searchPath);
        Optional<Path> flock = ChildStarter.inPath("flock", searchPath);
        if (setpriv.isPresent() && flock.isPresent() && becomesAProgram(setpriv, flock.get())) {
            return new StartingTools(setpriv, flock);
        }
        Optional<Path> alone = flock.filter(tool -> becomesAProgram(Optional.empty(), tool));
        return new StartingTools(
                setpriv.filter(tool -> alone.isEmpty()
                        && starts(withSignal(tool, "KILL", List.of("/bin/sh", "-c", "exit " + WAS_STARTED)))),
                alone);
    }

    /** Returns whether it becomes a program and leaves it the lock: the program finds the file locked. */
    private static boolean becomesAProgram(Optional<Path> setpriv, Path flock) {
        try (FileChannel open = FileChannel.open(flock, StandardOpenOption.READ)) {
            Path file = ProgramLock.descriptor(flock.toRealPath(), ProgramLock.self());
            List<String> command = ProgramLock.around(
                    flock, file, locked(flock, WAS_STARTED, file, List.of(flock.toString(), "--version")));
            return open.isOpen()
                    && starts(setpriv.map(tool -> withSignal(tool, "KILL", command))
                            .orElse(command));
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static boolean starts(List<String> command) {
        return run(command, NO_INPUT, ANSWERS_WITHIN_SECONDS) == WAS_STARTED;
    }

    /** Returns a command that locks a file and runs another one, or ends with a code when a process has the file locked already. */
    private static List<String> locked(Path flock, int conflict, Path file, List<String> command) {
        List<String> all = new ArrayList<>(List.of(
                flock.toString(),
                "--exclusive",
                "--nonblock",
                "--conflict-exit-code",
                Integer.toString(conflict),
                file.toString()));
        all.addAll(command);
        return all;
    }

    /**
     * Tests whether a process has a file locked. A second test, which the first one starts while it has the file locked, must find
     * it locked: a stub may do nothing and succeed.
     *
     * @return empty where that cannot be found out
     */
    static Optional<Boolean> isLocked(Path flock, Path file, long seconds) {
        List<String> second = locked(flock, WAS_STARTED, INPUT, List.of(flock.toString(), "--version"));
        int exit = run(locked(flock, LOCKED, INPUT, second), file, seconds);
        return exit == LOCKED || exit == WAS_STARTED ? Optional.of(exit == LOCKED) : Optional.empty();
    }

    /** Returns a command that becomes another one and asks for a signal. */
    static List<String> withSignal(Path setpriv, String signal, List<String> command) {
        List<String> all = new ArrayList<>(List.of(setpriv.toString(), "--pdeathsig", signal, "--"));
        all.addAll(command);
        return all;
    }

    /** Returns the exit code; -1 without one. */
    static int run(List<String> command, Path input, long seconds) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.from(input.toFile()))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            boolean ended = Uninterrupted.get(
                    () -> process.waitFor(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS));
            process.destroyForcibly();
            return ended ? process.exitValue() : -1;
        } catch (IOException broken) {
            return -1;
        }
    }
}
