package dev.neurontest.internal.command;

import dev.neurontest.internal.report.compare.ComparedRun;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names an earlier run for a comparison. */
final class CompareOption {

    @Option(
            names = "--compare",
            paramLabel = "FILE",
            description = {
                "the neuron-report.json of an earlier run: also show what is new, gone, failing, fixed, flaky, slower, faster;",
                "it does not change the exit code"
            })
    private @Nullable Path file;

    /** Adds the file to those that the command reads. */
    void addTo(OutputFiles files) {
        files.earlierReport("--compare", file);
    }

    /**
     * Reads the earlier run. Called at the start, before long work and before the file may be replaced.
     *
     * @throws dev.neurontest.internal.report.format.EarlierRunException when it cannot be read
     */
    Optional<ComparedRun> earlier() {
        return Optional.ofNullable(file).map(ComparedRun::read);
    }
}
