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
 * The folder of the run files, with the files from before this run. Each JVM writes its own file.
 *
 * @param path the folder, which might not exist yet
 * @param before the run files of other runs
 */
record RunFolder(Path path, Set<Path> before) {

    static RunFolder of(Path path) throws IOException {
        return new RunFolder(path, Set.copyOf(runFiles(path)));
    }

    /** Returns the run files of this run. */
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
