package dev.neurontest.internal.command.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The state of the JVM of the tests, which it writes for the command. A test that ends the JVM writes no end, whatever its exit code.
 *
 * @param folder of two files: the progress, and the end
 */
record RunState(Path folder) {

    private Path progressFile() {
        return folder.resolve("progress");
    }

    private Path endFile() {
        return folder.resolve("end");
    }

    /** Writes the progress, at the start an empty text. */
    void writeProgress(String text) throws IOException {
        Path next = folder.resolve("next");
        Files.writeString(next, text);
        Files.move(next, progressFile(), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Writes that all tests have run, and the exit code that follows. */
    void writeEnd(int status) throws IOException {
        Files.writeString(endFile(), String.valueOf(status));
    }

    /** Returns the progress; an empty text before the JVM has started. */
    String progress() {
        return text(progressFile());
    }

    /** Checks whether the JVM has started. */
    boolean hasStarted() {
        return Files.exists(progressFile());
    }

    /** Returns the exit code that follows from the tests; an empty text where not all have run. */
    String end() {
        return text(endFile());
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException absent) {
            return "";
        }
    }
}
