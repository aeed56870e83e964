package dev.neurontest.internal.runtime.library;

import dev.neurontest.internal.text.VisibleText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntSupplier;
import org.apiguardian.api.API;

/** The output of native code to standard error, including the log of the runtime. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class StandardError {

    private static final int STDERR = 2;
    private static final int CLOSE_ON_EXEC = 1;
    private static final int MOST_LINES = 20;

    private String caught = "";

    /**
     * Runs a body and captures the standard error of all code in this process during the run. Afterwards the output is written to the real
     * standard error. Suitable only for short calls.
     */
    public int during(IntSupplier body) {
        int file = Libc.memfd_create(Libc.text("neuron-test-stderr"), CLOSE_ON_EXEC);
        int real = file < 0 ? -1 : Libc.dup(STDERR);
        if (real < 0) {
            return body.getAsInt();
        }
        try {
            Libc.dup2(file, STDERR);
            try {
                return body.getAsInt();
            } finally {
                Libc.dup2(real, STDERR);
                keep(file);
            }
        } finally {
            Libc.close(real);
            Libc.close(file);
        }
    }

    private void keep(int file) {
        try {
            byte[] written = Files.readAllBytes(Path.of("/proc/self/fd/" + file));
            System.err.write(written);
            System.err.flush();
            caught = new String(written, StandardCharsets.UTF_8);
        } catch (IOException e) {
            // A failed read is ignored, because the log only helps to understand the status.
            caught = "";
        }
    }

    /** Returns the last lines of the last call. */
    public List<String> lines() {
        List<String> lines = caught.lines()
                .map(line -> VisibleText.line(line).strip())
                .filter(line -> !line.isEmpty())
                .toList();
        return lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size());
    }
}
