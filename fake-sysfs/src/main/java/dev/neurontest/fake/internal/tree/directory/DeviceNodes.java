package dev.neurontest.fake.internal.tree.directory;

import dev.neurontest.fake.internal.driver.Journal;
import dev.neurontest.fake.internal.tree.DeviceNumbers;
import dev.neurontest.fake.internal.tree.FileNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Creator of the character nodes of devices, on Linux as root. It runs the program {@code mknod}, because Java has no such call.
 * The nodes cannot be opened, because the kernel has no driver for their major number, regardless of the hardware of the machine.
 */
final class DeviceNodes {

    private static final long PATIENCE_SECONDS = 30;

    private final String program;
    private final Journal journal;
    private boolean possible;

    /** @param folder a folder created by this process */
    DeviceNodes(Path folder, Journal journal) {
        this(folder, journal, "mknod");
    }

    DeviceNodes(Path folder, Journal journal, String program) {
        this.program = program;
        this.journal = journal;
        // On other systems a major number may have fewer bits, and this number would become that of a real driver.
        this.possible = System.getProperty("os.name").equals("Linux") && isRoots(folder);
    }

    private static boolean isRoots(Path folder) {
        try {
            return Files.getAttribute(folder, "unix:uid").equals(0);
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
            return false;
        }
    }

    /**
     * Creates the device node of a file. If that fails, the reason is added to the journal, and the caller creates an ordinary file
     * instead.
     *
     * @param at path where no file exists yet
     * @return false if the file is not a device node, or nodes cannot be created
     * @throws IOException if the program does not end in time, or the thread is interrupted
     */
    boolean make(FileNode file, Path at) throws IOException {
        if (!possible || file.minor() < 0) {
            return false;
        }
        String failure = run(
                program,
                "-m",
                Integer.toOctalString(file.mode()),
                at.toString(),
                "c",
                Integer.toString(DeviceNumbers.MAJOR),
                Integer.toString(file.minor()));
        if (failure.isEmpty()) {
            return true;
        }
        possible = false;
        journal.add("dev/neuronN are ordinary files, not device nodes: " + failure);
        return false;
    }

    /** Runs a command and returns its error message, or empty if it succeeds. */
    private static String run(String... command) throws IOException {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(command[0] + " takes longer than " + PATIENCE_SECONDS + " s");
            }
            return process.exitValue() == 0
                    ? ""
                    : new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8).strip() + " ("
                            + command[0] + " ended with " + process.exitValue() + ")";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + command[0] + " ran");
        } finally {
            process.destroyForcibly();
        }
    }
}
