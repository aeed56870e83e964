package dev.neurontest.internal.command.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The state of the JVM of the tests, written by that JVM for the command. If a test ends the JVM, no end is written, regardless of the exit
 * code.
 *
 * @param folder the folder of two files: the progress, and the end
 */
record RunState(Path folder) {

    private Path progressFile() {
        return folder.resolve("progress");
    }

    private Path endFile() {
        return folder.resolve("end");
    }

    /** Writes the progress. At the start, the text is empty. */
    void writeProgress(String text) throws IOException {
        Path next = folder.resolve("next");
        Files.writeString(next, text);
        Files.move(next, progressFile(), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Writes the exit code of the tests, after all tests have run. */
    void writeEnd(int status) throws IOException {
        Files.writeString(endFile(), String.valueOf(status));
    }

    /** Returns the progress; an empty text before the start of the JVM. */
    String progress() {
        return text(progressFile());
    }

    /** Checks whether the JVM has started. */
    boolean hasStarted() {
        return Files.exists(progressFile());
    }

    /** Returns the exit code of the tests; an empty text if not all tests have run. */
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
