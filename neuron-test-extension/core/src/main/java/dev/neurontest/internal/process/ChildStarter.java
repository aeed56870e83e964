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
 * Starts programs that end with this JVM even when it is killed: {@code setpriv} asks the kernel for a signal at that time and then
 * becomes the program. The signal follows the thread that started the program, so one thread that lives as long as the JVM starts
 * all. A program that uses leased cores keeps {@linkplain ProgramLock locks}. A program that runs with the rights of another user loses the signal, and what a program starts does not get it.
 */
final class ChildStarter {

    private static final int LONGEST_FIRST_LINE = 256;

    /** Names for which {@code flock} would start a shell. */
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
     * @param builder with all but the signal and the locks
     * @param signal what it gets when this JVM ends without ending it, such as {@code KILL}
     * @param locks what it keeps locked as long as a process of it runs
     * @throws IOException when the system refuses it
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

    /** Leaves a command alone that the system would refuse: setpriv and flock end without its reason. */
    private static void wrap(ProcessBuilder builder, String signal, List<ProgramLock> locks) throws IOException {
        List<String> command = builder.command();
        Optional<Path> program = program(command.get(0), builder).filter(ChildStarter::starts);
        if (program.isEmpty() || OPTIONS_OF_FLOCK.contains(command.get(0))) {
            for (ProgramLock lock : locks) {
                lock.invalidate();
            }
        } else {
            List<String> locked = ProgramLock.around(locks, named(command, program.get(), builder));
            builder.command(StartingTools.FOUND
                    .setpriv()
                    .map(setpriv -> StartingTools.withSignal(setpriv, signal, locked))
                    .orElse(locked));
        }
    }

    /** A name without a folder is looked for in the PATH of this JVM, not in that of the child. */
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

    /** Empty as well when a relative folder comes first, which may be another one for the child. */
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

    /** Whether its interpreter is there, if it is a script that names one. */
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
            // A program need not be readable, a script must be.
            return true;
        }
    }
}
