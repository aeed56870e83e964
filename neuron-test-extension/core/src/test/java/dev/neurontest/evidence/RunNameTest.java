package dev.neurontest.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.evidence.RunEvent.PartOfRun;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunNameTest {

    @ParameterizedTest
    @CsvSource({
        "GITHUB_ACTIONS=true GITHUB_RUN_ID=7 GITHUB_RUN_ATTEMPT=2 GITHUB_JOB=a, GitHub run 7",
        "GITLAB_CI=true CI_PIPELINE_ID=7 CI_JOB_ID=8, GitLab pipeline 7",
        "JENKINS_URL=http://localhost BUILD_TAG=jenkins-a-7, Jenkins build jenkins-a-7",
        "TF_BUILD=True BUILD_BUILDID=7, Azure build 7",
        "SLURM_ARRAY_JOB_ID=7 SLURM_JOB_ID=9 SLURM_ARRAY_TASK_ID=2, Slurm job 7",
        "SLURM_JOB_ID=9, Slurm job 9"
    })
    void isThatOfTheServer(String variables, String name) {
        // given
        Map<String, String> environment = Arrays.stream(variables.split(" "))
                .map(each -> each.split("=", 2))
                .collect(Collectors.toMap(each -> each[0], each -> each[1]));

        // then
        assertThat(RunName.of(Optional.empty(), environment, ProcessHandle.current()))
                .isEqualTo(new PartOfRun(name, true));
    }

    @Test
    void isThatOfTheSettingBeforeAnyServer() {
        // then
        assertThat(RunName.of(
                        Optional.of("nightly 7"),
                        Map.of("GITHUB_ACTIONS", "true", "GITHUB_RUN_ID", "7"),
                        ProcessHandle.current()))
                .isEqualTo(new PartOfRun("nightly 7", true));
    }

    @Test
    void isTheProcessThatStartedTheJvmElsewhere() {
        // when
        PartOfRun named = RunName.of(Optional.empty(), Map.of("BUILD_TAG", "other"), ProcessHandle.current());

        // then
        assertThat(named.chosen()).isFalse();
        assertThat(named.run())
                .matches("process \\d+.*")
                .doesNotStartWith(
                        "process %d ".formatted(ProcessHandle.current().pid()));
    }
}
