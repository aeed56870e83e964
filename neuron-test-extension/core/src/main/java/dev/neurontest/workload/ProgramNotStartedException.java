package dev.neurontest.workload;

import dev.neurontest.internal.file.OpenFileLimit;
import dev.neurontest.internal.text.VisibleText;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Thrown when a program cannot be started. The message contains the program, the searched places, the reason and advice. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ProgramNotStartedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private ProgramNotStartedException(String message, Throwable cause) {
        super(VisibleText.of(message), cause);
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public static ProgramNotStartedException of(
            String program, @Nullable Path directory, @Nullable String searchPath, IOException cause) {
        return new ProgramNotStartedException(
                "Cannot start \"%s\": %s".formatted(program, reason(program, directory, searchPath, cause)), cause);
    }

    private static String reason(
            String program, @Nullable Path directory, @Nullable String searchPath, IOException cause) {
        if (directory != null && !Files.isDirectory(directory)) {
            return "its working directory %s does not exist. Create it, or use another directory.".formatted(directory);
        }
        if (program.contains(File.separator)) {
            Path file = directory == null ? Path.of(program) : directory.resolve(program);
            return unusable(file.toAbsolutePath(), cause);
        }
        String searched = searchPath == null ? "" : searchPath;
        return find(program, searched)
                .map(file -> unusable(file, cause))
                .orElseGet(() -> ("there is no such program in this JVM's PATH, which is %s. "
                                + "Install it, add its folder to PATH, or use its absolute path.")
                        .formatted(searched.isEmpty() ? "empty" : searched));
    }

    private static Optional<Path> find(String program, String searchPath) {
        return Stream.of(searchPath.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .flatMap(folder -> in(folder, program).stream())
                .filter(Files::isRegularFile)
                .findFirst();
    }

    private static List<Path> in(String folder, String program) {
        try {
            return List.of(Path.of(folder, program));
        } catch (InvalidPathException e) {
            return List.of();
        }
    }

    private static String unusable(Path file, IOException cause) {
        if (!Files.exists(file)) {
            return "%s does not exist. Correct the path; a relative one starts from the working directory."
                    .formatted(file);
        }
        if (Files.isDirectory(file)) {
            return "%s is a directory. Name the program in it.".formatted(file);
        }
        if (!Files.isExecutable(file)) {
            return "%s is not executable. Run chmod +x, or name its interpreter as the program.".formatted(file);
        }
        return "%s exists, but the system refused it (%s). %s"
                .formatted(
                        file,
                        cause.getMessage(),
                        OpenFileLimit.advice(
                                cause, "If it is a script, check whether the interpreter in its first line exists."));
    }
}
