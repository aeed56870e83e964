package dev.neurontest.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisabledOnOs(OS.WINDOWS)
class SlurmEngineTest {

    private static final Map<String, String> JOB = Map.of("SLURM_JOB_ID", "7", "SLURM_JOB_NODELIST", "n[1-4]");

    @TempDir
    private Path folder;

    /** Returns an engine whose scontrol is a shell script. */
    private SlurmEngine engine(Map<String, String> environment, String script) throws IOException {
        return engine(environment, script, Patience.LIMIT);
    }

    private SlurmEngine engine(Map<String, String> environment, String script, Duration deadline) throws IOException {
        Path scontrol = Files.writeString(folder.resolve("scontrol"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(scontrol, PosixFilePermissions.fromString("rwxr-xr-x"));
        return SlurmEngine.of(environment, List.of(scontrol.toString()), deadline);
    }

    @Test
    void hostsAreThoseOfScontrol() throws IOException {
        // when
        SlurmEngine engine = engine(JOB, "[ \"$*\" = 'show hostnames n[1-4]' ] && printf 'n4\\nn1.a_b\\n\\n'");

        // then
        assertThat(engine.hosts()).containsExactly("n4", "n1.a_b");
        assertThat(engine.source()).isEqualTo("SLURM_JOB_NODELIST is n[1-4]");
        assertThat(engine.name()).isEqualTo("Slurm");
    }

    @Test
    void scontrolHasVariablesOfJob() throws IOException {
        // given
        Map<String, String> job = new HashMap<>(JOB);
        job.put("SLURM_CONF", "n7");

        // when, then
        assertThat(engine(job, "echo $SLURM_CONF").hosts()).containsExactly("n7");
    }

    @Test
    void commandIsStepOnOneNodeThatSharesAllResourcesOfJob() throws IOException {
        // when
        List<String> command = engine(JOB, "echo n1; echo n2").command("n2", List.of("java", "-cp", "a b", "$x"));

        // then
        assertThat(command)
                .containsExactly(
                        "srun",
                        "--jobid=7",
                        "--nodelist=n2",
                        "--nodes=1",
                        "--ntasks=1",
                        "--overlap",
                        "--mem=0",
                        "--cpu-bind=none",
                        "--mpi=none",
                        "--export=ALL",
                        "--",
                        "java",
                        "-cp",
                        "a b",
                        "$x");
    }

    @Test
    void refusesUnknownHost() throws IOException {
        // given
        SlurmEngine engine = engine(JOB, "echo n1");

        // when, then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> engine.command("n2", List.of("java")))
                .withMessage("n2 is none of the hosts [n1]");
    }

    @Test
    void optionsOfSrunAreRemovedFromEnvironment() throws IOException {
        // given
        Map<String, String> environment = new HashMap<>(JOB);
        environment.putAll(Map.of(
                "SLURM_CONF",
                "/etc/slurm.conf",
                "SLURM_JWT",
                "token",
                "SLURM_WORKING_CLUSTER",
                "c",
                "SLURM_NTASKS_PER_NODE",
                "8",
                "SLURM_LABELIO",
                "1",
                "SLURM_STDINMODE",
                "none",
                "SRUN_CPUS_PER_TASK",
                "1",
                "SBATCH_EXCLUSIVE",
                "1",
                "PATH",
                "/bin"));

        // when
        engine(JOB, "echo n1").clean(environment);

        // then
        assertThat(environment)
                .containsOnlyKeys("SLURM_CONF", "SLURM_JWT", "SLURM_WORKING_CLUSTER", "SBATCH_EXCLUSIVE", "PATH");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true | SLURM_JOB_NODELIST is n[1-4], and scontrol show hostnames printed no node",
                "echo n1; echo n2; echo n1 | SLURM_JOB_NODELIST is n[1-4], and scontrol show hostnames printed n1 twice",
                "echo '-oops' | SLURM_JOB_NODELIST is n[1-4], and scontrol show hostnames printed -oops, expected a name of letters, digits, dots, underscores and hyphens that begins with a letter or a digit",
                "echo 'n[1-2]' | SLURM_JOB_NODELIST is n[1-4], and scontrol show hostnames printed n[1-2], expected a name of letters, digits, dots, underscores and hyphens that begins with a letter or a digit",
                "printf 'n\\033[31m\\n' | SLURM_JOB_NODELIST is n[1-4], and scontrol show hostnames printed n\\u001b[31m, expected a name of letters, digits, dots, underscores and hyphens that begins with a letter or a digit",
                "echo 'n1 n2' | SLURM_JOB_NODELIST is n[1-4], and scontrol show hostnames printed n1 n2, expected a name of letters, digits, dots, underscores and hyphens that begins with a letter or a digit",
                "echo 'Invalid hostlist' >&2; echo more >&2; exit 1 | SLURM_JOB_NODELIST is n[1-4], but scontrol show hostnames failed: Invalid hostlist",
                "echo n1; exit 3 | SLURM_JOB_NODELIST is n[1-4], but scontrol show hostnames failed with exit code 3",
                "kill -KILL $$ | SLURM_JOB_NODELIST is n[1-4], but scontrol show hostnames failed with exit code 137 (128 + 9: SIGKILL)",
            })
    void refusesOutputOfScontrol(String script, String message) {
        assertThatExceptionOfType(HostEngineException.class)
                .isThrownBy(() -> engine(JOB, script))
                .withMessage(message);
    }

    @Test
    void refusesMoreThan1024Nodes() throws IOException {
        // given
        String message = "SLURM_JOB_NODELIST is n[1-4], but more than 1024 hosts are not possible";

        // when, then
        assertThat(engine(JOB, "seq -f n%g 1 1024").hosts()).hasSize(1024);
        assertThatExceptionOfType(HostEngineException.class)
                .isThrownBy(() -> engine(JOB, "seq -f n%g 1 1025"))
                .withMessage(message);
        assertThatExceptionOfType(HostEngineException.class)
                .isThrownBy(() -> engine(JOB, "seq -f n%.0f 1 1000000"))
                .withMessage(message);
    }

    @Test
    void endsScontrolThatHangs() {
        assertThatExceptionOfType(HostEngineException.class)
                .isThrownBy(() -> engine(JOB, "echo n1; exec sleep 3600", Duration.ofSeconds(1)))
                .withMessage("SLURM_JOB_NODELIST is n[1-4], but scontrol show hostnames did not end within 1 s");
    }

    @Test
    void namesMissingScontrol() {
        assertThatExceptionOfType(HostEngineException.class)
                .isThrownBy(
                        () -> SlurmEngine.of(JOB, List.of(folder.resolve("none").toString()), Patience.LIMIT))
                .withMessageStartingWith(
                        "SLURM_JOB_NODELIST is n[1-4], but scontrol show hostnames cannot be started: ");
    }

    @Test
    void refusesListThatLooksLikeOption() {
        assertThatExceptionOfType(HostEngineException.class)
                .isThrownBy(() -> engine(Map.of("SLURM_JOB_ID", "7", "SLURM_JOB_NODELIST", "--help"), "echo n1"))
                .withMessage("SLURM_JOB_NODELIST is --help, which is not a list of nodes");
    }

    @Test
    void sourceEscapesAndShortensList() throws IOException {
        // given
        String list = "\u001bn[" + "1,".repeat(100) + "2]";

        // when
        String source = engine(Map.of("SLURM_JOB_ID", "7", "SLURM_JOB_NODELIST", list), "echo n1")
                .source();

        // then
        assertThat(source)
                .startsWith("SLURM_JOB_NODELIST is \\u001bn[1,1,")
                .endsWith("…")
                .hasSizeLessThan(120);
    }
}
