package dev.neurontest.internal.maven;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BaselineMojoTest {

    private final BaselineMojo baseline = new BaselineMojo();

    @BeforeEach
    void locateProject() {
        baseline.basedir = new File("/p/module");
        baseline.buildDirectory = new File("/p/module/target");
    }

    @Test
    void proposalsOfModuleAreComparedByDefault() {
        // when
        List<String> words = baseline.words();

        // then
        assertThat(words)
                .containsExactly(
                        "baseline",
                        "diff",
                        "--directory=/p/module/src/test/resources/neuron-baselines",
                        "--output=/p/module/target/neuron-test");
    }

    @Test
    void eachParameterIsAnOption() {
        // given
        baseline.action = "approve";
        baseline.directory = new File("/p/baselines");
        baseline.output = new File("/p/out");
        baseline.only = "BertTest#infers() total_time";
        baseline.note = "compiler 2.24 spills more";
        baseline.early = true;
        baseline.prune = true;

        // when
        List<String> words = baseline.words();

        // then
        assertThat(words)
                .containsExactly(
                        "baseline",
                        "approve",
                        "--directory=/p/baselines",
                        "--output=/p/out",
                        "--only=BertTest#infers() total_time",
                        "--note=compiler 2.24 spills more",
                        "--early",
                        "--prune");
    }
}
