package dev.neurontest.internal.command;

import static dev.neurontest.patience.Patience.LIMIT;
import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.internal.cluster.SlurmFixture;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.merge.RunReports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of the scripts of examples/slurm and of the runnable jar on a real Slurm: 400 tests in 8 shards on four nodes.
 */
@Tag("long")
class SlurmIT {

    private static final int CLASSES = 40;
    private static final int TESTS = 400;
    private static final Path BUILT = Path.of(System.getProperty("command.build", "target"));
    private static final Path SUBMIT =
            Path.of("..", "..", "examples", "slurm", "submit.sh").toAbsolutePath();

    @TempDir
    private Path folder;

    private Path project;
    private SlurmFixture slurm;
    private Process submit;

    @RegisterExtension
    private final TestExecutionExceptionHandler logs = (context, failure) -> {
        failure.addSuppressed(new AssertionError(slurm.logs() + said()));
        throw failure;
    };

    @BeforeEach
    void start() throws Exception {
        String missing = SlurmFixture.missing().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        project = Files.createDirectories(folder.resolve("project"));
        Files.createDirectories(project.resolve("hold"));
        Files.createDirectories(project.resolve("libs"));
        Files.copy(BUILT.resolve("neuron-test.jar"), project.resolve("neuron-test.jar"));
        compile();
        slurm = SlurmFixture.start(Files.createDirectories(folder.resolve("slurm")));
    }

    @AfterEach
    void stop() {
        if (slurm != null) {
            slurm.close();
        }
    }

    /** Compiles the tests. The sixth test on a node waits as long as the node is {@linkplain #hold held}. */
    private void compile() throws IOException {
        Path sources = Files.createDirectories(folder.resolve("sources"));
        Path classes = Files.createDirectories(project.resolve("target/test-classes"));
        List<String> arguments = new ArrayList<>(
                List.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-d", classes.toString()));
        for (int number = 1; number <= CLASSES; number++) {
            Path source = sources.resolve("Model%sTest.java".formatted(number));
            Files.writeString(source, """
                    import dev.neurontest.*;
                    import dev.neurontest.device.*;
                    import java.nio.file.*;
                    import org.junit.jupiter.api.*;

                    @NeuronTest
                    class Model%sTest {
                        @RepeatedTest(10)
                        void runs(NeuronCore core, RepetitionInfo info) throws Exception {
                            Thread.sleep(50);
                            Path held = Path.of("hold", System.getenv("SLURMD_NODENAME"));
                            if (info.getCurrentRepetition() == 6 && Files.exists(held)) {
                                Files.writeString(held, "in the middle");
                                while (Files.exists(held)) Thread.sleep(50);
                            }
                        }
                    }
                    """.formatted(number));
            arguments.add(source.toString());
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .as("javac")
                .isZero();
    }

    private void hold(String node) throws IOException {
        Files.createFile(project.resolve("hold").resolve(node));
    }

    private void awaitTheMiddleOn(String node) {
        Path held = project.resolve("hold").resolve(node);
        await().until(() -> Files.size(held) > 0 || !submit.isAlive());
        assertThat(held).as("written by the sixth test on " + node).isNotEmptyFile();
    }

    private void release(String node) throws IOException {
        Files.delete(project.resolve("hold").resolve(node));
    }

    private void submit(Map<String, String> variables) throws IOException {
        submit = slurm.begin(project, "submit", variables, List.of("sh", SUBMIT.toString()));
    }

    private int status() throws InterruptedException {
        assertThat(submit.waitFor(3 * LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as("submit.sh ended")
                .isTrue();
        return submit.exitValue();
    }

    /** Returns the output of the jobs. */
    private String said() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(project)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".out"))
                    .sorted()
                    .toList()) {
                all.append("%n--- %s%n%s".formatted(file.getFileName(), Files.readString(file)));
            }
        }
        return all.toString();
    }

    private RunReport report() {
        return RunReports.merge(List.of(project.resolve("run")));
    }

    /** Returns the output of the gate in one line. */
    private String gate() throws IOException {
        return Files.readString(project.resolve("slurm-2.out")).replaceAll("\\s+", " ");
    }

    private void assertEveryTestOnce() {
        assertThat(report().tests().stream().filter(ReportedTest::isTest))
                .hasSize(TESTS)
                .allMatch(test -> test.outcome() == TestOutcome.PASSED)
                .extracting(test -> test.id().id())
                .doesNotHaveDuplicates();
    }

    @Test
    void deadNodeLosesNoTestAndDrainedNodeGetsNoMore() throws Exception {
        // given
        hold("n2");
        hold("n4");
        submit(Map.of());

        // when
        awaitTheMiddleOn("n2");
        slurm.kill("n2");
        awaitTheMiddleOn("n4");
        slurm.drain("n4");
        release("n4");

        // then
        assertThat(status()).isZero();
        assertThat(gate())
                .contains("400 tests of 9 JVMs", "400 passed", "8 of 8 shards, ", "GATES PASSED")
                .containsPattern(
                        "Shard ([1-8])/8 was started again on (n[13]) \\(Slurm job 1_\\1 on \\2, restart 1\\):"
                                + " its attempt on n2 \\(Slurm job 1_\\1 on n2\\) was killed\\. Tests that both ran count once\\.");
        assertEveryTestOnce();
        assertThat(report().jvms())
                .filteredOn(jvm -> jvm.start().orElseThrow().machine().equals("n4"))
                .hasSize(1);
    }

    @Test
    void gateFailsWhenShardOfDeadNodeIsNotRequeued() throws Exception {
        // given
        hold("n2");
        submit(Map.of("SBATCH_NO_REQUEUE", "1"));

        // when
        awaitTheMiddleOn("n2");
        slurm.kill("n2");

        // then
        assertThat(status()).isOne();
        assertThat(gate())
                .contains("GATES FAILED: 2 of 10")
                .containsPattern("lost\\.max: expected no lost test, was [0-9]+ lost tests?: Model")
                .containsPattern("8 of 8 shards \\(shard [1-8] did not end\\)")
                .containsPattern(
                        "complete: .* JVM [0-9]+ of shard [1-8]/8 on n2 was killed\\. [0-9]+ planned tests? (is|are) lost: ")
                .containsPattern("LOST Model[0-9]+Test > runs\\(\\S+, \\S+\\) > repetition 6 of 10 ");
    }

    /** Verifies a shard that runs twice, because a job continues on a node that lost contact to Slurm. */
    @Test
    void shardRunByTwoNodesCountsOnce() throws Exception {
        // given
        hold("n2");
        submit(Map.of());

        // when
        awaitTheMiddleOn("n2");
        slurm.killSlurmd("n2");
        await().until(() -> slurm.requeued("n2"));
        release("n2");

        // then
        assertThat(status()).isZero();
        assertThat(gate())
                .contains("400 tests of 9 JVMs", "400 passed", "8 of 8 shards, ", "GATES PASSED")
                .containsPattern(
                        "was started again on n[134] \\(Slurm job 1_[1-8] on n[134], restart 1\\): its attempt on n2"
                                + " \\(Slurm job 1_[1-8] on n2\\) (had ended|was killed)\\. Tests that both ran count once\\.");
        assertEveryTestOnce();
    }
}
