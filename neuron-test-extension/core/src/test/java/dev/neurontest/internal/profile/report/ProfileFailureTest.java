package dev.neurontest.internal.profile.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.MeasuredFixture;
import dev.neurontest.profile.MetricExpectation;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileExpectations;
import dev.neurontest.profile.ToolRun;
import dev.neurontest.runtime.RuntimeReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

class ProfileFailureTest {

    private static final ProfileExpectations GATE = ProfileExpectations.builder()
            .expect(MetricExpectation.of("total_time", "17 ms", "", "median"))
            .expect(MetricExpectation.of("mfu_estimated_percent", "", "42 %", "median"))
            .expect(MetricExpectation.of("spill_save_bytes", "0 B", "", "median"))
            .expect(MetricExpectation.of("total_exec_time", "1 s", "", "median"))
            .build();

    @Test
    void namesFolderBelowWorkingDirectoryByRelativePath() {
        // given
        Path folder = Path.of("target/neuron-test/resnet50").toAbsolutePath();
        Profile profile = MeasuredFixture.in(folder).and("total_time", 0.0182).profile();

        // when
        AssertionFailedError error = ProfileFailure.judged(GATE, profile).toError();

        // then
        assertThat(error)
                .hasMessageContaining("\nTrace: target/neuron-test/resnet50/profile_exec_")
                .hasMessageContaining("\nFolder: target/neuron-test/resnet50\n");
    }

    @Test
    void listsEveryThresholdInOneTable() {
        // given
        Profile profile = MeasuredFixture.of(
                        "total_time", 0.0182, "mfu_estimated_percent", 0.45, "spill_save_bytes", 4096)
                .notice("Captured again once, because the device was slowed down.")
                .profile();

        // when
        AssertionFailedError error = ProfileFailure.judged(GATE, profile).toError();

        // then
        assertThat(error).hasMessage("""
                total_time: expected at most 17 ms, was 18.2 ms, 7.1 % over
                Profile of resnet50.neff by neuron-explorer 2.32.7.0: 3 expectations violated

                metric                          value  limit          margin         over              rule
                total_time                    18.2 ms  at most 17 ms  7.1 % over     median  violated  @Threshold(metric = "total_time",
                                                                                                       max = "17 ms")
                mfu_estimated_percent            45 %  at least 42 %  3 points left  median  kept      @Threshold(metric =
                                                                                                       "mfu_estimated_percent",
                                                                                                       min = "42 %")
                spill_save_bytes       4 KiB (4096 B)  at most 0 B    over           median  violated  @Threshold(metric =
                                                                                                       "spill_save_bytes", max = "0 B")
                total_exec_time                absent  at most 1 s                   median  violated  @Threshold(metric =
                                                                                                       "total_exec_time", max = "1 s")

                total_time
                  expected at most 17 ms
                  was 18.2 ms, 7.1 % over
                  It varies between runs: 3 to 5 % is usual for milliseconds, more for microseconds. One execution decided it: trace more and judge their median, or see in the trace where the time goes. If it is intended, change the threshold.

                spill_save_bytes
                  expected at most 0 B
                  was 4 KiB (4096 B)
                  It does not vary between runs of one NEFF, unless control flow depends on data: see what changed in the compiler or the kernel. If it is intended, change the threshold.

                total_exec_time
                  expected at most 1 s
                  was absent
                  Absent is not zero. It is written by newer versions of neuron-explorer only, and not for every graph; this is neuron-explorer 2.32.7.0. Nearest in this summary: total_time.

                Also seen:
                  Captured again once, because the device was slowed down.

                Trace: /out/resnet50/profile_exec_1.ntff
                Folder: /out/resnet50
                To see its summary again:
                  neuron-explorer view -n /models/resnet50.neff -s /out/resnet50/profile_exec_1.ntff --output-format summary-text
                """);
        assertThat(error.getExpected().getStringRepresentation()).isEqualTo("""
                total_time: at most 17 ms
                spill_save_bytes: at most 0 B
                total_exec_time: at most 1 s""");
        assertThat(error.getActual().getStringRepresentation()).isEqualTo("""
                total_time: 18.2 ms, 7.1 % over
                spill_save_bytes: 4 KiB (4096 B)
                total_exec_time: absent""");
    }

    @Test
    void printsReasonForUndecidedOnce() {
        // given
        Profile profile = MeasuredFixture.nothing()
                .title("res net's.neff")
                .and("total_time", 0.0182)
                .doubt(
                        Doubt.Kind.DROPPED_NOTIFICATIONS,
                        "The device was slowed down for 27.1 % of the time. Let it cool down and capture again.")
                .viewer(Optional.of("/opt/aws/neuron/bin/neuron-explorer"))
                .run(new ToolRun(
                        List.of("/opt/aws/neuron/bin/neuron-explorer", "view", "-n", "a"),
                        "exit 0",
                        Duration.ofSeconds(3),
                        "",
                        RuntimeReport.EMPTY))
                .profile();
        ProfileExpectations rules = ProfileExpectations.builder()
                .expect(MetricExpectation.of("total_time", "17 ms", "", "median"))
                .expect(MetricExpectation.of("hbm_read_bytes", "3 MiB", "", "p90"))
                .build();

        // when
        ProfileFailure failure = ProfileFailure.judged(rules, profile);

        // then
        assertThat(failure.text()).isEqualTo("""
                Profile of res net's.neff by neuron-explorer 2.32.7.0: 2 expectations undecided

                metric          value  limit                      margin  over               rule
                total_time             at most 17 ms                      median  undecided  @Threshold(metric = "total_time",
                                                                                             max = "17 ms")
                hbm_read_bytes         at most 3 MiB (3145728 B)          p90     undecided  @Threshold(metric = "hbm_read_bytes",
                                                                                             max = "3 MiB", over = "p90")

                total_time
                hbm_read_bytes
                  undecided: The device was slowed down for 27.1 % of the time. Let it cool down and capture again.

                Trace: /out/resnet50/profile_exec_1.ntff
                Folder: /out/resnet50
                To see its summary again:
                  /opt/aws/neuron/bin/neuron-explorer view -n '/models/res net'\\''s.neff' -s /out/resnet50/profile_exec_1.ntff --output-format summary-text
                """);
        assertThat(failure.isFailure()).isTrue();
    }

    @Test
    void showsEnoughDigitsToDistinguishValueFromLimit() {
        // given
        Profile profile = MeasuredFixture.of("total_time", 0.0170001).profile();
        ProfileExpectations rules = ProfileExpectations.builder()
                .expect(MetricExpectation.of("total_time", "17 ms", "", "median"))
                .build();

        // then
        assertThat(ProfileFailure.judged(rules, profile).actual()).isEqualTo("total_time: 17.0001 ms, 0.000588 % over");
    }

    @Test
    void isNoFailureWhenAllThresholdsAreKept() {
        // given
        Profile profile = MeasuredFixture.of("total_time", 0.0164).profile();
        ProfileExpectations rules = ProfileExpectations.builder()
                .expect(MetricExpectation.of("total_time", "17 ms", "", "median"))
                .build();

        // when
        ProfileFailure failure = ProfileFailure.judged(rules, profile);

        // then
        assertThat(failure.isFailure()).isFalse();
        assertThat(failure.text()).contains("16.4 ms  at most 17 ms  3.5 % left");
    }
}
