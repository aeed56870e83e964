package dev.neurontest.internal.process;

import dev.neurontest.internal.thread.Uninterrupted;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Starter of programs that end with this JVM, even if it is killed. {@code setpriv} requests a signal from the kernel for that
 * event and then becomes the program. The kernel sends the signal when the thread that started the program ends. So a single
 * thread, which lives as long as the JVM, starts all programs. A program that uses leased cores holds
 * {@linkplain ProgramLock locks}. A program that changes its user loses the signal. Processes started by the program do not get
 * it.
 */
final class ChildStarter {

    private static final int LONGEST_FIRST_LINE = 256;

    /** Program names that {@code flock} would treat as options and start with a shell. */
    private static final Set<String> OPTIONS_OF_FLOCK = Set.of("-c", "--command");

    private static final ExecutorService THREAD = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(null, task, "start of children", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    });

    private ChildStarter() {}

    /**
     * Starts a program.
     *
     * @param builder the program without signal and locks
     * @param signal the signal if this JVM ends before the program, such as {@code KILL}
     * @param locks the locks held while a process of the program runs
     * @throws IOException if the operating system rejects the program
     */
    static Process start(ProcessBuilder builder, String signal, List<ProgramLock> locks) throws IOException {
        return onTheThread(() -> {
            wrap(builder, signal, locks);
            return builder.start();
        });
    }

    private interface Starting {
        Process start() throws IOException;
    }

    private static Process onTheThread(Starting starting) throws IOException {
        try {
            return Uninterrupted.get(THREAD.submit(starting::start)::get);
        } catch (ExecutionException e) {
            throw unwrapped(e);
        }
    }

    private static IOException unwrapped(ExecutionException failed) {
        Throwable cause = failed.getCause();
        if (cause instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof IOException refused ? refused : new IOException(cause);
    }

    /**
     * Wraps a command in setpriv and flock. A command that the operating system would reject is not wrapped, because setpriv and
     * flock would hide the reason.
     */
    private static void wrap(ProcessBuilder builder, String signal, List<ProgramLock> locks) throws IOException {
        List<String> command = builder.command();
        Optional<Path> program = program(command.get(0), builder).filter(ChildStarter::starts);
        if (program.isEmpty() || OPTIONS_OF_FLOCK.contains(command.get(0))) {
            for (ProgramLock lock : locks) {
                lock.invalidate();
            }
        } else {
            List<String> locked = ProgramLock.wrapped(locks, named(command, program.get(), builder));
            builder.command(StartingTools.FOUND
                    .setpriv()
                    .map(setpriv -> StartingTools.withSignal(setpriv, signal, locked))
                    .orElse(locked));
        }
    }

    /**
     * Returns the command with the path of its program. A name without a folder is searched in the PATH of this JVM, not in that
     * of the child.
     */
    private static List<String> named(List<String> command, Path program, ProcessBuilder builder) {
        Map<String, String> environment = builder.environment();
        if (command.get(0).contains(File.separator) || Objects.equals(environment.get("PATH"), System.getenv("PATH"))) {
            return command;
        }
        List<String> all = new ArrayList<>(command);
        all.set(0, program.toString());
        return all;
    }

    private static Optional<Path> program(String name, ProcessBuilder builder) {
        if (!name.contains(File.separator)) {
            return inPath(name, System.getenv("PATH"));
        }
        try {
            Path file = builder.directory() == null
                    ? Path.of(name)
                    : builder.directory().toPath().resolve(name);
            return Optional.of(file).filter(ChildStarter::isProgram);
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /**
     * Finds a program in a search path. Returns empty if a relative folder comes first, because it might be a different folder
     * for the child.
     */
    static Optional<Path> inPath(String name, @Nullable String searchPath) {
        for (String folder : searchPath == null ? new String[0] : searchPath.split(File.pathSeparator, -1)) {
            try {
                Path file = Path.of(folder, name);
                if (!file.isAbsolute()) {
                    return Optional.empty();
                }
                if (isProgram(file)) {
                    return Optional.of(file);
                }
            } catch (InvalidPathException e) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    /** Checks whether a program can start. For a script its interpreter must exist. */
    private static boolean starts(Path program) {
        try (InputStream file = Files.newInputStream(program)) {
            String head = new String(file.readNBytes(LONGEST_FIRST_LINE), StandardCharsets.ISO_8859_1);
            if (!head.startsWith("#!")) {
                return true;
            }
            String[] words =
                    head.lines().findFirst().orElse("").substring(2).trim().split("[ \t]+");
            return isProgram(Path.of(words[0]));
        } catch (IOException | InvalidPathException unreadable) {
            // A program might be unreadable, but a script must be readable.
            return true;
        }
    }
}
