package dev.neurontest.examples.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The files of the repository. Tests run in the folder of their module. */
final class Repository {

    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Set<String> NOT_OURS = Set.of("target", ".git", ".idea", "node_modules");

    private Repository() {}

    /** Returns all Markdown files. */
    static List<Path> markdown() {
        return markdownBelow(ROOT);
    }

    private static List<Path> markdownBelow(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted()
                    .flatMap(entry -> Files.isDirectory(entry)
                                    && !NOT_OURS.contains(entry.getFileName().toString())
                            ? markdownBelow(entry).stream()
                            : Stream.of(entry).filter(file -> file.toString().endsWith(".md")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the pages for users: the files in the root and everything in docs. */
    static List<Path> pages() {
        return markdown().stream()
                .filter(file -> file.getParent().equals(ROOT) || file.startsWith(ROOT.resolve("docs")))
                .toList();
    }

    static String name(Path file) {
        return ROOT.relativize(file).toString();
    }
}
