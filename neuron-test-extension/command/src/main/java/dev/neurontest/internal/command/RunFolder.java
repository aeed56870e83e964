package dev.neurontest.internal.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folder of the run files, and which were there before this run: each JVM writes one of its own.
 *
 * @param path which may not be there yet
 * @param before those of other runs
 */
record RunFolder(Path path, Set<Path> before) {

    static RunFolder of(Path path) throws IOException {
        return new RunFolder(path, Set.copyOf(runFiles(path)));
    }

    /** Those of this run. */
    List<Path> written() throws IOException {
        return runFiles(path).stream().filter(file -> !before.contains(file)).toList();
    }

    private static List<Path> runFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches("run-.*\\.jsonl"))
                    .sorted()
                    .toList();
        } catch (NoSuchFileException | NotDirectoryException none) {
            return List.of();
        }
    }
}
