package dev.neurontest.internal.report.show;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.apiguardian.api.API;

/**
 * Writer of files by renaming. A file is first written next to its place; therefore no reader sees an incomplete file, and no link in its
 * place is followed.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class WholeFile {

    private WholeFile() {}

    /** The content of a file. */
    @FunctionalInterface
    @API(status = API.Status.INTERNAL, since = "0.1")
    public interface Content {

        /**
         * Writes the content.
         *
         * @throws IOException when the file cannot be written
         */
        void write(Writer out) throws IOException;
    }

    /**
     * Writes a file and replaces an existing one.
     *
     * @param file target in an existing folder
     * @throws IOException when the file cannot be written; an existing file remains
     */
    public static void write(Path file, Content content) throws IOException {
        Path part = file.resolveSibling(".neuron-report-" + UUID.randomUUID());
        try {
            // An unpaired surrogate, which some test names contain, becomes a question mark and does not abort the
            // report.
            try (Writer out = new BufferedWriter(new OutputStreamWriter(
                    Files.newOutputStream(part, StandardOpenOption.CREATE_NEW), StandardCharsets.UTF_8))) {
                content.write(out);
            }
            move(part, file);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** Replaces a file, in one step if the system supports it; a folder is never replaced. */
    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException unsupported) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
