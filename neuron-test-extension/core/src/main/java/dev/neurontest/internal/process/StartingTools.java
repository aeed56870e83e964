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
 * The programs that start other programs, if they support the required options. Older versions and BusyBox do not. A container
 * might forbid them or contain a stub. They are tried in a single command, to need only one process in the usual case.
 *
 * @param setpriv requests a signal from the kernel for the end of this JVM
 * @param flock locks a file and becomes another program
 */
record StartingTools(Optional<Path> setpriv, Optional<Path> flock) {

    private static final long ANSWERS_WITHIN_SECONDS = 10;
    private static final Path NO_INPUT = Path.of("/dev/null");
    private static final Path INPUT = Path.of("/proc/self/fd/0");

    /** The exit code if another process has locked the file. */
    static final int LOCKED = 75;

    /** The exit code of a program that was started as a trial. No stub ends with it. */
    private static final int WAS_STARTED = 76;

    /** The tools of this machine, searched once. */
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

    /** Checks whether flock becomes a program that inherits the lock: the program must find the file locked. */
    private static boolean becomesAProgram(Optional<Path> setpriv, Path flock) {
        try (FileChannel open = FileChannel.open(flock, StandardOpenOption.READ)) {
            Path file = ProgramLock.descriptor(flock.toRealPath(), ProgramLock.self());
            List<String> command = ProgramLock.wrapped(
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

    /** Returns a command that locks a file and runs another command. It ends with a given code if the file is already locked. */
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
     * Checks whether a process has locked a file. While the first check holds the lock, it starts a second check, which must find
     * the file locked. This detects a stub that does nothing and succeeds.
     *
     * @return empty if that is unknown
     */
    static Optional<Boolean> isLocked(Path flock, Path file, long seconds) {
        List<String> second = locked(flock, WAS_STARTED, INPUT, List.of(flock.toString(), "--version"));
        int exit = run(locked(flock, LOCKED, INPUT, second), file, seconds);
        return exit == LOCKED || exit == WAS_STARTED ? Optional.of(exit == LOCKED) : Optional.empty();
    }

    /** Returns a command that requests a signal and becomes another command. */
    static List<String> withSignal(Path setpriv, String signal, List<String> command) {
        List<String> all = new ArrayList<>(List.of(setpriv.toString(), "--pdeathsig", signal, "--"));
        all.addAll(command);
        return all;
    }

    /** Runs a command and returns its exit code; -1 without one. */
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
