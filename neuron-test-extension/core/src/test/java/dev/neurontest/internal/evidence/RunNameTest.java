package dev.neurontest.internal.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.RunEvent.PartOfRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunNameTest {

    private final List<ProcessHandle> started = new ArrayList<>();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "GITHUB_ACTIONS=true GITHUB_RUN_ID=7 GITHUB_RUN_ATTEMPT=2 GITHUB_JOB=a, GitHub run 7",
        "GITLAB_CI=true CI_PIPELINE_ID=7 CI_JOB_ID=8, GitLab pipeline 7",
        "JENKINS_URL=http://localhost BUILD_TAG=jenkins-a-7, Jenkins build jenkins-a-7",
        "TF_BUILD=True BUILD_BUILDID=7, Azure build 7",
        "SLURM_ARRAY_JOB_ID=7 SLURM_JOB_ID=9 SLURM_ARRAY_TASK_ID=2, Slurm job 7",
        "SLURM_JOB_ID=9, Slurm job 9"
    })
    void isReadFromCiServerVariables(String variables, String name) {
        // given
        Map<String, String> environment = Arrays.stream(variables.split(" "))
                .map(each -> each.split("=", 2))
                .collect(Collectors.toMap(each -> each[0], each -> each[1]));

        // then
        assertThat(RunName.of(Optional.empty(), environment, ProcessHandle.current()))
                .isEqualTo(new PartOfRun(name, true));
    }

    @Test
    void settingOverridesCiServer() {
        // then
        assertThat(RunName.of(
                        Optional.of("nightly 7"),
                        Map.of("GITHUB_ACTIONS", "true", "GITHUB_RUN_ID", "7"),
                        ProcessHandle.current()))
                .isEqualTo(new PartOfRun("nightly 7", true));
    }

    @Test
    void isStartingProcessWithoutCiServer() {
        // when
        PartOfRun named = RunName.of(Optional.empty(), Map.of("BUILD_TAG", "other"), ProcessHandle.current());

        // then
        assertThat(named.chosen()).isFalse();
        assertThat(named.run())
                .matches("process \\d+.*")
                .doesNotStartWith(
                        "process %d ".formatted(ProcessHandle.current().pid()));
    }

    /** Starts a shell in place of a build, and returns its child process in place of a JVM. */
    private ProcessHandle startedBy(String... command) throws IOException {
        Process shell = new ProcessBuilder(command).start();
        started.add(shell.toHandle());
        shell.getOutputStream().write("sleep 600; true\n".getBytes(StandardCharsets.UTF_8));
        shell.getOutputStream().flush();
        return Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(
                        () -> shell.descendants()
                                .filter(process -> process.info()
                                        .command()
                                        .filter(program -> program.endsWith("sleep") || program.endsWith("coreutils"))
                                        .isPresent())
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    private static String run(ProcessHandle jvm) {
        return RunName.of(Optional.empty(), Map.of(), jvm).run().replaceAll("(process \\d+).*", "$1");
    }

    private Path script(String content) throws IOException {
        return Files.writeString(folder.resolve("build.sh"), content);
    }

    @AfterEach
    void end() {
        started.forEach(shell -> shell.descendants().forEach(ProcessHandle::destroyForcibly));
        started.forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "sh is not there")
    void isBuildProcessAboveShellOfFork() throws IOException {
        // then
        assertThat(run(startedBy("sh", "-c", "sleep 600; true")))
                .isEqualTo("process " + ProcessHandle.current().pid());
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "sh is not there")
    void isScriptThatStartedJvm() throws IOException {
        // when
        ProcessHandle jvm = startedBy("sh", script("sleep 600; true").toString());

        // then
        assertThat(run(jvm)).isEqualTo("process " + started.get(0).pid());
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "sh is not there")
    void isShellCommandRunByScript() throws IOException {
        // when
        ProcessHandle jvm =
                startedBy("sh", script("sh -c 'sleep 600; true'; true").toString());

        // then
        assertThat(run(jvm)).isEqualTo("process " + jvm.parent().orElseThrow().pid());
    }

    /** Verifies that two runs from one terminal are different runs. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "sh is not there")
    void isJvmItselfWhenStartedAtTerminal() throws IOException {
        // when
        ProcessHandle jvm = startedBy("sh");

        // then
        assertThat(run(jvm)).isEqualTo("process " + jvm.pid());
    }
}
