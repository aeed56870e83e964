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

/** Files that are written beside their place and then renamed: no reader finds half of one, and no link in its place is followed. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class WholeFile {

    private WholeFile() {}

    /** The content of a file. */
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
            // Half a character, which some names of tests have, becomes a question mark: it ends no report.
            try (Writer out = new BufferedWriter(new OutputStreamWriter(
                    Files.newOutputStream(part, StandardOpenOption.CREATE_NEW), StandardCharsets.UTF_8))) {
                content.write(out);
            }
            move(part, file);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** Replaces a file in one step where the system can; a folder is never replaced. */
    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException unsupported) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
