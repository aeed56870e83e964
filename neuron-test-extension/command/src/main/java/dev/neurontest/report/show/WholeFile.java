package dev.neurontest.report.show;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.apiguardian.api.API;

/** Files that are written beside their place and then renamed: no reader finds half of one, and no link in its place is followed. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class WholeFile {

    private WholeFile() {}

    /** What is in a file. */
    @FunctionalInterface
    @API(status = API.Status.INTERNAL, since = "0.1")
    public interface Content {

        /**
         * Writes it.
         *
         * @param out the file
         * @throws IOException when it cannot be written
         */
        void write(Writer out) throws IOException;
    }

    /**
     * Writes a file, replacing what is there.
     *
     * @param file in a folder that exists
     * @param content of the file
     * @throws IOException when it cannot be written; what was there stays
     */
    public static void write(Path file, Content content) throws IOException {
        Path part = file.resolveSibling(".neuron-report-" + UUID.randomUUID());
        try {
            try (Writer out = Files.newBufferedWriter(part, StandardOpenOption.CREATE_NEW)) {
                content.write(out);
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
