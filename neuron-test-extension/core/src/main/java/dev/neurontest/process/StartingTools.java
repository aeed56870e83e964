package dev.neurontest.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The programs by which others are started, as far as they do what is needed. Older ones do not, nor do those of BusyBox; a
 * container may forbid it. They are tried together, so that usually one process is started for that.
 *
 * @param setpriv asks the kernel for a signal at the end of this JVM
 * @param flock locks a file and becomes another program
 */
record StartingTools(Optional<Path> setpriv, Optional<Path> flock) {

    private static final long ANSWERS_WITHIN_SECONDS = 10;

    /** Those of this machine, looked for once. */
    static final StartingTools FOUND = find();

    private static StartingTools find() {
        Optional<Path> setpriv = ChildStarter.inPath("setpriv", System.getenv("PATH"));
        Optional<Path> flock = ChildStarter.inPath("flock", System.getenv("PATH"));
        if (setpriv.isPresent() && flock.isPresent() && becomesAProgram(setpriv, flock.get())) {
            return new StartingTools(setpriv, flock);
        }
        return new StartingTools(
                setpriv.filter(tool -> succeeds(withSignal(tool, "KILL", List.of(tool.toString(), "--version")))),
                flock.filter(tool -> becomesAProgram(Optional.empty(), tool)));
    }

    private static boolean becomesAProgram(Optional<Path> setpriv, Path flock) {
        try (FileChannel open = FileChannel.open(flock, StandardOpenOption.READ)) {
            Path file = ProgramLock.descriptor(flock.toRealPath(), ProgramLock.self());
            List<String> command = ProgramLock.around(flock, file, List.of(flock.toString(), "--version"));
            return open.isOpen()
                    && succeeds(setpriv.map(tool -> withSignal(tool, "KILL", command))
                            .orElse(command));
        } catch (IOException unreadable) {
            return false;
        }
    }

    /** Returns a command that becomes another one and asks for a signal. */
    static List<String> withSignal(Path setpriv, String signal, List<String> command) {
        List<String> all = new ArrayList<>(List.of(setpriv.toString(), "--pdeathsig", signal, "--"));
        all.addAll(command);
        return all;
    }

    private static boolean succeeds(List<String> command) {
        return run(command, Path.of("/dev/null"), ANSWERS_WITHIN_SECONDS) == 0;
    }

    /** Returns the exit code; -1 without one. */
    static int run(List<String> command, Path input, long seconds) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.from(input.toFile()))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            boolean interrupted = false;
            boolean ended = false;
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            while (!ended && System.nanoTime() < deadline) {
                try {
                    ended = process.waitFor(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            process.destroyForcibly();
            return ended ? process.exitValue() : -1;
        } catch (IOException broken) {
            return -1;
        }
    }
}
