package dev.neurontest.internal.cluster;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of programs that srun starts on the nodes of a job. Tests that end a node run last. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SlurmEngineIT {

    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final SlurmOfClass SLURM = new SlurmOfClass();

    private Map<String, String> job;
    private HostEngine engine;

    @BeforeEach
    void allocate() throws Exception {
        job = SLURM.get().allocate(2);
        engine = SlurmEngine.of(job);
    }

    @AfterEach
    void release() throws Exception {
        SLURM.get().release(job);
    }

    private LaunchedFixture launch(Map<String, String> variables, String host, String... words) throws IOException {
        Map<String, String> all = new HashMap<>(job);
        all.putAll(variables);
        return LaunchedFixture.start(folder, engine, engine.command(host, List.of(words)), all);
    }

    private String host(int number) {
        return engine.hosts().get(number);
    }

    @Test
    void hostsAreNodesOfJob() {
        assertThat(engine.hosts()).hasSize(2).allMatch(host -> host.matches("n[1-4]"));
        assertThat(engine.source()).startsWith("SLURM_JOB_NODELIST is n");
    }

    @Test
    void inputReachesProgramLineByLineUntilItsEnd() throws Exception {
        try (LaunchedFixture cat = launch(Map.of(), host(1), "cat", "-")) {
            assertThat(cat.exchange("größe")).isEqualTo("größe");
            assertThat(cat.exchange("$(id) 'a")).isEqualTo("$(id) 'a");
            assertThat(cat.rest()).isEmpty();
            assertThat(cat.exitCode()).isZero();
        }
    }

    @Test
    void megabytesPassUnchanged() throws Exception {
        // given
        String line = "x".repeat(4 << 20);

        try (LaunchedFixture cat = launch(Map.of(), host(1), "cat")) {
            // when
            Thread writer = new Thread(() -> {
                try {
                    cat.process().getOutputStream().write(line.getBytes());
                    cat.process().getOutputStream().close();
                } catch (IOException ended) {
                    throw new IllegalStateException(ended);
                }
            });
            writer.start();
            String output = new String(cat.process().getInputStream().readAllBytes());
            writer.join();

            // then
            assertThat(output.equals(line)).as("%s characters", output.length()).isTrue();
        }
    }

    @Test
    void wordsReachProgramUnchanged() throws Exception {
        try (LaunchedFixture printf = launch(Map.of(), host(0), "printf", "%s|", "-v", "a b", "$HOME", "'", "", "*")) {
            assertThat(printf.rest()).isEqualTo("-v|a b|$HOME|'||*|");
        }
    }

    @Test
    void exitCodeAndErrorsAreThoseOfProgram() throws Exception {
        try (LaunchedFixture ls = launch(Map.of(), host(0), "ls", "/none")) {
            assertThat(ls.rest()).isEmpty();
            assertThat(ls.exitCode()).isEqualTo(2);
            assertThat(ls.errors()).contains("/none");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void programRunsOnItsHost(int number) throws Exception {
        try (LaunchedFixture printenv = launch(Map.of(), host(number), "printenv", "SLURMD_NODENAME")) {
            assertThat(printenv.rest()).isEqualTo(host(number) + "\n");
        }
    }

    /** Verifies that the step has one process although a step with all resources of the job runs, and others. */
    @Test
    void severalProgramsShareNodeWithStepThatTakesEverything() throws Exception {
        List<String> exclusive = List.of(
                "srun", "--jobid=" + job.get("SLURM_JOB_ID"), "--nodes=2", "--gres=neuron:16", "--exact", "cat");

        try (LaunchedFixture everything =
                LaunchedFixture.start(folder, new LocalEngine("", List.of("")), exclusive, job)) {
            everything.exchange("runs");
            List<LaunchedFixture> programs = new ArrayList<>();
            try {
                for (int number = 0; number < 4; number++) {
                    programs.add(launch(Map.of(), host(number % 2), "cat"));
                }
                for (LaunchedFixture program : programs) {
                    assertThat(program.exchange("runs too")).isEqualTo("runs too");
                }
            } finally {
                programs.forEach(LaunchedFixture::close);
            }
        }
    }

    /** Verifies that variables which a batch step or a user has set for other steps do not change this one. */
    @ParameterizedTest
    @CsvSource({
        "SLURM_NTASKS, 4",
        "SLURM_NTASKS_PER_NODE, 2",
        "SLURM_NNODES, 2",
        "SLURM_JOB_NUM_NODES, 2",
        "SLURM_LABELIO, 1",
        "SLURM_STDINMODE, none",
        "SLURM_STDOUTMODE, none",
        "SLURM_UNBUFFEREDIO, 1",
        "SLURM_GRES, neuron:99",
        "SLURM_REMOTE_CWD, /var",
        "SLURM_EXCLUSIVE, 1",
        "SLURM_CONSTRAINT, none",
        "SLURM_DEBUG, 5",
        "SLURM_HET_SIZE, 2",
        "SLURM_CPUS_PER_TASK, 64",
        "SLURM_TASK_PROLOG, /none",
        "SRUN_EXPORT_ENV, NONE",
    })
    void variableOfBatchStepHasNoEffect(String variable, String value) throws Exception {
        try (LaunchedFixture cat = launch(Map.of(variable, value), host(1), "cat")) {
            assertThat(cat.exchange("once")).isEqualTo("once");
            assertThat(cat.rest()).isEmpty();
            assertThat(cat.exitCode()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void programEndsWithItsLauncher(boolean forcibly) throws Exception {
        try (LaunchedFixture cat = launch(Map.of(), host(1), "cat")) {
            // given
            cat.exchange("runs");
            assertThat(SLURM.get().running(host(1), "cat")).hasSize(1);

            // when
            if (forcibly) {
                cat.process().destroyForcibly();
            } else {
                cat.process().destroy();
            }

            // then
            await().until(() -> SLURM.get().running(host(1), "cat").isEmpty()
                    && SLURM.get().steps(job).isBlank());
        }
    }

    @Test
    @Tag("long")
    void batchStepRunsOnFirstNodeAndItsExitCodeIsThatOfJob() throws Exception {
        // given
        SLURM.get().release(job);

        // when
        Process batch = SLURM.get()
                .beginJob(
                        4,
                        folder,
                        "batch",
                        Map.of(),
                        List.of("sh", "-c", "echo $SLURMD_NODENAME $SLURM_JOB_NODELIST; exit 7"));

        // then
        assertThat(batch.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(batch.exitValue()).isEqualTo(7);
        assertThat(folder.resolve("batch.out")).hasContent("n1 n[1-4]");
    }

    @Test
    void endedJobIsNamedByLauncher() throws Exception {
        // given
        SLURM.get().release(job);

        try (LaunchedFixture cat = launch(Map.of(), host(1), "cat")) {
            assertThat(cat.exitCode()).isNotZero();
            assertThat(cat.errors()).contains("srun: error: ");
        }
    }

    @Test
    @Tag("long")
    @Order(Integer.MAX_VALUE - 1)
    void stoppedSlurmdStartsNothing() throws Exception {
        // given
        SLURM.get().stopSlurmd(host(1));

        try (LaunchedFixture cat = launch(Map.of(), host(1), "cat")) {
            assertThat(cat.exitCode()).isNotZero();
            assertThat(cat.errors()).contains("srun: error: ");
        }
    }

    @Test
    @Tag("long")
    @Order(Integer.MAX_VALUE)
    void nodeThatDiesEndsItsLauncherWhichNamesIt() throws Exception {
        try (LaunchedFixture cat = launch(Map.of(), host(1), "cat")) {
            // given
            cat.exchange("runs");

            // when
            SLURM.get().kill(host(1));

            // then: Slurm 22.05 ends with 0, because no task has failed.
            cat.exitCode();
            assertThat(cat.errors()).contains("Node failure on " + host(1));
        }
    }
}
