package dev.neurontest.internal.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Sample;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.baseline.BaselineEntry;
import dev.neurontest.internal.baseline.history.BaselineFixture;
import dev.neurontest.internal.baseline.history.BaselineStore;
import dev.neurontest.jvm.MavenProgram;
import dev.neurontest.jvm.MavenProgram.Ended;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the goals in the project of a user. Maven runs in another folder than that of the project. */
class MavenPluginIT {

    private static final String GATE = "neuron-test:gate";

    @TempDir
    private static Path root;

    private static MavenProjectFixture project;
    private static Ended verified;

    @BeforeAll
    static void runTests() throws Exception {
        assumeTrue(MavenProgram.find().isPresent(), "mvn is not in PATH");
        project = MavenProjectFixture.in(root);
        Files.writeString(project.folder().resolve("neuron-gate.properties"), "hardware.min = 0\n");
        verified = project.run(
                "verify", "-Dneuron.test.platform=fake:trn1.2xlarge", "-Dneuron.gate.limits=waiting.max=1 min");
    }

    @Test
    void buildSucceedsIfGatesPass() {
        // then
        assertThat(verified.out())
                .containsSubsequence(
                        "Tests run: 1", ":gate (default)", "GATES PASSED", "waiting.max", "report: ", "BUILD SUCCESS")
                .doesNotContain("is not a setting");
        assertThat(project.folder().resolve("target/neuron-report.html")).isNotEmptyFile();
        assertThat(project.folder().resolve("target/neuron-report.json")).isNotEmptyFile();
    }

    @Test
    void failedGateFailsBuildAndNamesReport() throws Exception {
        // when
        Ended ended = project.run(GATE, "-Dneuron.gate.limits=hardware.min=40");

        // then
        assertThat(ended.status()).isNotZero();
        assertThat(ended.out())
                .containsSubsequence(
                        "GATES FAILED: 1",
                        "hardware.min = 40",
                        "BUILD FAILURE",
                        "neuron-test ended with exit status 1: a gate failed. Its output is above. The report is "
                                + project.folder() + "/target/neuron-report.html.");
    }

    @Test
    void missingRunFileFailsBuild() throws Exception {
        // when
        Ended ended = project.run(GATE, "-Dneuron.test.output=elsewhere");

        // then
        assertThat(ended.status()).isNotZero();
        assertThat(ended.out())
                .containsSubsequence(
                        "No run could be read",
                        project.folder() + "/elsewhere does not exist",
                        "BUILD FAILURE",
                        "neuron-test ended with exit status 2: nothing was decided: no run file");
    }

    @Test
    void reportDecidesNothingAndDiffShowsProposals() throws Exception {
        // given
        writeProposal("infers()");

        // when
        Ended ended = project.run("neuron-test:report", "neuron-test:baseline", "-Dneuron.report.html=all.html");

        // then
        assertThat(ended.out())
                .containsSubsequence("1 passed", "com.acme.BertTest#infers() total_time", "BUILD SUCCESS")
                .doesNotContain("GATES");
        assertThat(project.folder().resolve("all.html")).isNotEmptyFile();
    }

    @Test
    void skippedGateReadsNothingAndProposalIsApproved() throws Exception {
        // given
        Path resources = Files.createDirectories(project.folder().resolve("src/test/resources"));
        writeProposal("answers()");

        // when
        Ended ended = project.run(
                GATE,
                "neuron-test:baseline",
                "-Dneuron.report.skip",
                "-Dneuron.baseline.action=approve",
                "-Dneuron.baseline.only=answers()",
                "-Dneuron.baseline.note=the first one");

        // then
        assertThat(ended.status()).as(ended.out()).isZero();
        assertThat(ended.out()).contains("neuron.report.skip").doesNotContain("GATES");
        assertThat(resources.resolve("neuron-baselines").toFile().listFiles())
                .singleElement()
                .satisfies(file -> assertThat(file).content().contains("answers()", "the first one"));
    }

    private static void writeProposal(String test) {
        BaselineFixture.write(
                BaselineStore.in(project.folder().resolve("target/neuron-test/baseline-proposals")),
                List.of(proposal(test)));
    }

    private static BaselineEntry proposal(String test) {
        Metric latency = new Metric("total_time", Unit.SECONDS, Direction.LOWER, Noise.NOISY);
        return new BaselineEntry(
                new BaselineKey("com.acme.BertTest", test, latency.name()),
                latency,
                Stack.of(Map.of("instance", "trn1.2xlarge", "driver", "2.30")),
                new Sample(Collections.nCopies(10, 0.017), 30),
                Optional.empty(),
                LocalDate.parse("2026-11-21"),
                "",
                "",
                List.of());
    }
}
