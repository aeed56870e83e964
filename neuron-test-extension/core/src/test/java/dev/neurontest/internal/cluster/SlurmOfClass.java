package dev.neurontest.internal.cluster;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** A Slurm for all tests of a class. They are skipped without Slurm. A failure contains the logs of its programs. */
public final class SlurmOfClass implements BeforeAllCallback, AfterAllCallback, TestExecutionExceptionHandler {

    private Path folder;
    private SlurmFixture slurm;

    /** Returns the Slurm. */
    public SlurmFixture get() {
        return slurm;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        String missing = SlurmFixture.missing().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        folder = Files.createTempDirectory("slurm-");
        slurm = SlurmFixture.start(folder);
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        failure.addSuppressed(new AssertionError(slurm.logs()));
        throw failure;
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (slurm != null) {
            slurm.close();
        }
        if (folder != null) {
            List<Path> files;
            try (Stream<Path> all = Files.walk(folder)) {
                files = all.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }
}
