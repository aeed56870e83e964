package dev.neurontest.internal.lease.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The open files of this process. */
final class OpenFilesFixture {

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private OpenFilesFixture() {}

    /** Returns the open files below a directory, including removed ones and the directory. */
    static List<String> in(Path directory) throws IOException {
        return all().stream()
                .filter(each -> each.startsWith(directory.toString()))
                .toList();
    }

    /** Returns all open files by their names in the system. */
    static List<String> all() throws IOException {
        List<String> open = new ArrayList<>();
        try (Stream<Path> links = Files.list(DESCRIPTORS)) {
            for (Path link : links.toList()) {
                if (Files.isSymbolicLink(link)) {
                    open.add(Files.readSymbolicLink(link).toString());
                }
            }
        }
        return open;
    }
}
