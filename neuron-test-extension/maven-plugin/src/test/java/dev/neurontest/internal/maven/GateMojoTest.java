package dev.neurontest.internal.maven;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GateMojoTest {

    @TempDir
    private Path project;

    private final GateMojo gate = new GateMojo();

    @BeforeEach
    void locateProject() {
        gate.basedir = project.toFile();
        gate.buildDirectory = project.resolve("target").toFile();
    }

    @Test
    void defaultLimitsWithoutFileInProject() {
        // when
        List<String> words = gate.words();

        // then
        assertThat(words).containsExactly("report", project + "/target/neuron-test", "--gate");
    }

    @Test
    void fileNextToPomIsUsed() throws IOException {
        // given
        Files.createFile(project.resolve("neuron-gate.properties"));

        // when
        List<String> words = gate.words();

        // then
        assertThat(words).contains("--gate=" + project + "/neuron-gate.properties");
    }

    /** Verifies that the command refuses a file that cannot be read. Otherwise the default limits would replace it. */
    @Test
    void brokenLinkNextToPomIsPassedToCommand() throws IOException {
        // given
        Files.createSymbolicLink(project.resolve("neuron-gate.properties"), project.resolve("missing"));

        // when
        List<String> words = gate.words();

        // then
        assertThat(words).contains("--gate=" + project + "/neuron-gate.properties");
    }

    @Test
    void namedFileIsPassedToCommandEvenIfMissing() throws IOException {
        // given
        Files.createFile(project.resolve("neuron-gate.properties"));
        gate.file = new File("/ci/nightly.properties");

        // when
        List<String> words = gate.words();

        // then
        assertThat(words)
                .contains("--gate=/ci/nightly.properties")
                .filteredOn(word -> word.startsWith("--gate"))
                .hasSize(1);
    }

    @Test
    void limitsOfCommandLineReplaceThoseOfPom() {
        // given
        gate.limits = Map.of("hardware.min", "1", "skipped.max", "5");
        gate.commandLineLimits = List.of(" hardware.min = 40", "flaky.max=1");

        // when
        List<String> words = gate.words();

        // then
        assertThat(words)
                .filteredOn(word -> word.startsWith("--limit"))
                .containsExactly("--limit=skipped.max=5", "--limit= hardware.min = 40", "--limit=flaky.max=1");
    }

    @Test
    void malformedAndRepeatedLimitsArePassedToCommand() {
        // given
        gate.commandLineLimits = List.of("hardware", "flaky.max=1", "flaky.max=2");

        // when
        List<String> words = gate.words();

        // then
        assertThat(words).contains("--limit=hardware", "--limit=flaky.max=1", "--limit=flaky.max=2");
    }
}
