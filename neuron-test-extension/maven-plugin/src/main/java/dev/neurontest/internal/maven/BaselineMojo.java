package dev.neurontest.internal.maven;

import dev.neurontest.internal.configuration.Setting;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** Shows baselines and the proposals of runs, and accepts proposals. */
@Mojo(name = "baseline", threadSafe = true)
final class BaselineMojo extends CommandMojo {

    /** The work to do: show lists the baselines, diff compares the proposals with them, and approve accepts proposals. */
    @Parameter(property = "neuron.baseline.action", defaultValue = "diff")
    String action = "diff";

    /** The folder of the baselines. The default is that of neuron.test.baseline.directory. */
    @Parameter
    @Nullable
    File directory;

    /**
     * The folder with the run files and proposals. The default is that of neuron.test.output, or neuron-test in the build directory.
     */
    @Parameter
    @Nullable
    File output;

    /** Chooses only baselines and proposals with this text in their class, test and metric. */
    @Parameter(property = "neuron.baseline.only")
    @Nullable
    String only;

    /** The reason why baselines change, which is stored in their files. */
    @Parameter(property = "neuron.baseline.note")
    @Nullable
    String note;

    /** Also accepts improvements measured in fewer than three sessions. */
    @Parameter(property = "neuron.baseline.early")
    boolean early;

    /** Also removes baselines of metrics that the last run of their class did not measure. */
    @Parameter(property = "neuron.baseline.prune")
    boolean prune;

    @Override
    List<String> words() {
        List<String> words = new ArrayList<>(List.of("baseline", action));
        add(
                words,
                "--directory",
                directory == null ? inProject(settings().value(Setting.BASELINE_DIRECTORY)) : directory);
        add(words, "--output", output == null ? outputOfTests() : output);
        add(words, "--only", only);
        add(words, "--note", note);
        if (early) {
            words.add("--early");
        }
        if (prune) {
            words.add("--prune");
        }
        return words;
    }
}
