package dev.neurontest.examples.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** Tests that the samples without a test of their own are well formed and run the gate. */
class SamplesTest {

    private static final Path FOLDER = Repository.ROOT.resolve("examples/ci");

    @ParameterizedTest
    @CsvSource({"github-actions.yml, jobs", "gitlab-ci.yml, neuron-tests", "eks-job.yaml, spec"})
    void yamlSampleRunsTheGate(String name, String key) throws IOException {
        // when
        Map<String, ?> sample = new Yaml().load(Files.readString(FOLDER.resolve(name)));

        // then
        assertThat(sample).extractingByKey(key, InstanceOfAssertFactories.MAP).isNotEmpty();
        assertThat(sample.toString()).containsPattern("(?s)neuron-test\\.jar report\\s.*--gate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"github-actions.yml", "gitlab-ci.yml", "Jenkinsfile"})
    void sampleKeepsReportPageAndLinkedFiles(String name) throws IOException {
        assertThat(FOLDER.resolve(name))
                .content()
                .containsPattern("neuron-report\\.(html|\\*)")
                .contains("neuron-report-files");
    }

    /** Samples read the limits of the gate from a file, which a reader has to create first. */
    @Test
    void pageShowsTheFileOfTheGateBeforeItsSamples() {
        List<Block> blocks = Page.read(Repository.ROOT.resolve("docs/ci.md")).blocks();

        assertThat(blocks.stream()
                        .filter(block -> block.text().contains("neuron-gate.properties")
                                || block.language().equals("properties"))
                        .findFirst()
                        .flatMap(block -> block.says(Block.Kind.FROM)))
                .contains("examples/ci/neuron-gate.properties");
    }

    @Test
    void everyYamlSampleIsTested() throws IOException {
        try (var files = Files.list(FOLDER)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.matches(".*\\.ya?ml")))
                    .containsExactlyInAnyOrderElementsOf(
                            List.of("github-actions.yml", "gitlab-ci.yml", "eks-job.yaml"));
        }
    }
}
