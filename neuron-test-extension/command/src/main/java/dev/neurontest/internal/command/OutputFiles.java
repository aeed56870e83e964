package dev.neurontest.internal.command;

import dev.neurontest.internal.command.run.CommandException;
import dev.neurontest.internal.report.history.RunHistory;
import dev.neurontest.internal.report.merge.RunReports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The files that a command writes. Each is checked before the work of the command begins: its folder exists, and it replaces neither a file
 * that the command reads nor another file that it writes.
 */
final class OutputFiles {

    private final List<Named> inputs = new ArrayList<>();
    private final List<Named> outputs = new ArrayList<>();

    /**
     * A file with the option or parameter that names it.
     *
     * @param isReport true for a report in JSON, which is read before a new one replaces it
     */
    private record Named(String option, Path path, boolean isReport) {

        boolean isReplacedBy(Named output) {
            return !(isReport && output.isReport) && (isSameAs(output) || isFolderOf(output));
        }

        boolean isSameAs(Named other) {
            return real(path).equals(real(other.path)) || isHardLinkOf(other.path);
        }

        private boolean isHardLinkOf(Path other) {
            try {
                return Files.isSameFile(path, other);
            } catch (IOException absent) {
                return false;
            }
        }

        private boolean isFolderOf(Named other) {
            return Files.isDirectory(path) && real(other.path).startsWith(real(path));
        }
    }

    /**
     * Adds a file that the command reads, or a folder with nothing but such files.
     *
     * @param path null if the option is not given
     * @throws CommandException when an output would replace it
     */
    OutputFiles input(String option, @Nullable Path path) {
        return input(option, path, false);
    }

    /** Adds the report of an earlier run, which a report of this run may replace. */
    OutputFiles earlierReport(String option, @Nullable Path path) {
        return input(option, path, true);
    }

    private OutputFiles input(String option, @Nullable Path path, boolean isReport) {
        if (path != null) {
            Named input = new Named(option, path, isReport);
            inputs.add(input);
            outputs.forEach(output -> requireDistinct(input, output));
        }
        return this;
    }

    /**
     * Adds a file that the command writes.
     *
     * @param path null if the option is not given
     * @throws CommandException when it cannot be written without a loss
     */
    OutputFiles output(String option, @Nullable Path path) {
        return output(option, path, false);
    }

    /** Adds the report of this run in JSON. */
    OutputFiles report(String option, @Nullable Path path) {
        return output(option, path, true);
    }

    private OutputFiles output(String option, @Nullable Path path, boolean isReport) {
        if (path == null) {
            return this;
        }
        if (Files.exists(path) && !Files.isDirectory(path) && !Files.isRegularFile(path)) {
            throw new CommandException(
                    "%s: %s is not a regular file and would be replaced: name a file.".formatted(option, path));
        }
        return stream(option, path, isReport);
    }

    /** Adds a file or a pipe that the command writes in place. */
    OutputFiles stream(String option, @Nullable Path path) {
        return path == null ? this : stream(option, path, false);
    }

    private OutputFiles stream(String option, Path path, boolean isReport) {
        if (Files.isDirectory(path)) {
            throw new CommandException("%s: %s is a folder: name a file.".formatted(option, path));
        }
        requireParent(option, path);
        if (RunReports.isOfRun(path) || RunHistory.isNamedAsRecord(path)) {
            throw new CommandException(
                    "%s: %s belongs to a run, by its name, its folder or its content: name another file."
                            .formatted(option, path));
        }
        Named output = new Named(option, path, isReport);
        inputs.forEach(input -> requireDistinct(input, output));
        outputs.stream().filter(output::isSameAs).findFirst().ifPresent(other -> {
            throw new CommandException("%s and %s both name %s: name two files.".formatted(other.option, option, path));
        });
        outputs.add(output);
        return this;
    }

    /**
     * Checks a folder that the command fills, and creates it if only its last part is missing.
     *
     * @throws CommandException when the folder that should contain it does not exist
     */
    static void folder(String option, Path folder) throws IOException {
        requireParent(option, folder);
        Files.createDirectories(folder);
    }

    /**
     * Checks that the folder of a file or folder exists. No command creates a folder that an option does not name.
     *
     * @throws CommandException when it does not exist
     */
    static void requireParent(String option, Path path) {
        @Nullable Path parent = path.toAbsolutePath().getParent();
        if (parent == null || Files.isDirectory(parent)) {
            return;
        }
        String problem = Files.exists(parent)
                ? "%s: %s cannot be written, because %s is not a folder."
                : "%s: %s cannot be written, because %s does not exist: create it first.";
        throw new CommandException(problem.formatted(option, path, path.resolveSibling("")));
    }

    private static void requireDistinct(Named input, Named output) {
        if (input.isReplacedBy(output)) {
            throw new CommandException("%s: %s would replace what %s reads, %s: name another file."
                    .formatted(output.option, output.path, input.option, input.path));
        }
    }

    /** Returns a path without links and {@code ..}. If the file does not exist yet, that of its folder is resolved. */
    private static Path real(Path path) {
        Path absolute = path.toAbsolutePath();
        try {
            return absolute.toRealPath();
        } catch (IOException absent) {
            return Optional.ofNullable(absolute.getParent())
                    .map(parent ->
                            real(parent).resolve(parent.relativize(absolute)).normalize())
                    .orElse(absolute);
        }
    }
}
