package dev.neurontest.assertj;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.neurontest.metric.ByteSize;
import dev.neurontest.metric.Fraction;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.Latency;
import dev.neurontest.profile.MeasuredFixture;
import dev.neurontest.profile.MetricExpectation;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileExpectations;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

class ProfileAssertTest {

    private static final Profile PROFILE = MeasuredFixture.of(
                    "total_time",
                    0.0164,
                    "hbm_read_bytes",
                    2097152,
                    "mfu_estimated_percent",
                    0.45,
                    "matmul_instruction_count",
                    64,
                    "mm_arithmetic_intensity",
                    15.8,
                    "spill_save_bytes",
                    0,
                    "throttle_active_nc0_time_ns",
                    774,
                    "warp_ratio",
                    0.5,
                    "instance_type",
                    "trn2.3xlarge")
            .profile();

    private static void fails(ThrowingCallable assertion) {
        assertThatThrownBy(assertion).isInstanceOf(AssertionError.class);
    }

    @Test
    void limitsTimes() {
        assertThat(PROFILE)
                .totalTime()
                .isAtMost(Duration.ofMillis(17))
                .isAtMost("17 ms")
                .isAtLeast("16400 us")
                .isBetween("16 ms", "17 ms");
        fails(() -> assertThat(PROFILE).totalTime().isAtMost(Duration.ofMillis(16)));
        fails(() -> assertThat(PROFILE).totalTime().isAtLeast("17 ms"));
        fails(() -> assertThat(PROFILE).totalTime().isBetween(Duration.ofMillis(1), Duration.ofMillis(16)));
        assertThat(PROFILE).throttleActiveTimeNs(0).isAtMost(Duration.ofNanos(774));
        fails(() -> assertThat(PROFILE).throttleActiveTimeNs(0).isAtMost("773 ns"));
    }

    @Test
    void limitsBytesFractionsAndCounts() {
        assertThat(PROFILE).hbmReadBytes().isAtMost("2 MiB").isAtMost(ByteSize.parse("2 MiB"));
        fails(() -> assertThat(PROFILE).hbmReadBytes().isAtMost("1 MiB"));
        assertThat(PROFILE).mfuEstimatedPercent().isAtLeast("42 %").isAtLeast(Fraction.ofPercent(45));
        fails(() -> assertThat(PROFILE).mfuEstimatedPercent().isAtLeast("46 %"));
        assertThat(PROFILE).matmulInstructionCount().isAtMost(64).isBetween(1, 64);
        fails(() -> assertThat(PROFILE).matmulInstructionCount().isAtMost(63));
        assertThat(PROFILE).mmArithmeticIntensity().isAtMost(15.8);
        fails(() -> assertThat(PROFILE).mmArithmeticIntensity().isAtMost(15.7));
    }

    @Test
    void distinguishesZeroFromAbsent() {
        assertThat(PROFILE).spillSaveBytes().isZero().isPresent();
        fails(() -> assertThat(PROFILE).spillReloadBytes().isZero());
        fails(() -> assertThat(MeasuredFixture.of("spill_save_bytes", 0)
                        .and("spill_save_bytes", 0)
                        .and("spill_save_bytes", 1)
                        .profile())
                .spillSaveBytes()
                .isZero());
    }

    @Test
    void reachesUnknownMetricsByName() {
        assertThat(PROFILE).metric("warp_ratio").isAtMost(0.5);
        fails(() -> assertThat(PROFILE).metric("warp_ratio").isAtMost(0.4));
        fails(() -> assertThat(PROFILE).metric("warp_speed").isAtMost(0.4));
    }

    @Test
    void refusesBareNumberForFraction() {
        assertThat(PROFILE).metric("mfu_estimated_percent").isAtLeast("42 %");
        assertThatThrownBy(() ->
                        assertThat(PROFILE).metric("mfu_estimated_percent").isAtMost(42))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "mfu_estimated_percent is a fraction of 1, but 42.0 could mean a fraction or percent: write it as a text such as \"42 %\".");
    }

    @Test
    void refusesAssertionsOfOtherMetricTypes() {
        MetricAssert<String> text =
                assertThat(PROFILE).instanceType().startsWith("trn2").isPresent();
        assertThatThrownBy(text::isZero).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> assertThat(PROFILE).totalTime().startsWith("0"))
                .hasMessageContaining("total_time is a number in ")
                .hasMessageContaining(", not a text.");
    }

    @Test
    void judgesMedianByDefault() {
        // given
        Profile noisy = MeasuredFixture.of("total_time", 0.016)
                .and("total_time", 0.016)
                .and("total_time", 0.03)
                .profile();

        // then
        assertThat(noisy).totalTime().isAtMost("17 ms");
        fails(() -> assertThat(noisy).totalTime().over("worst").isAtMost("17 ms"));
        fails(() -> assertThat(noisy).totalTime().over("p90").isAtMost("1 s"));
    }

    @Test
    void failsWithMessageOfThreshold() {
        // when
        AssertionFailedError error = catchThrowableOfType(
                AssertionFailedError.class,
                () -> assertThat(PROFILE).as("resnet").totalTime().isAtMost(Duration.ofMillis(16)));

        // then
        assertThat(error.getMessage())
                .startsWith(
                        "[resnet] total_time: expected at most 16 ms, was 16.4 ms, 2.5 % over\nProfile of resnet50.neff by neuron-explorer 2.32.7.0: 1 expectation violated\n")
                .contains("total_time  16.4 ms  at most 16 ms  2.5 % over  median  violated  total_time at most 16 ms");
        assertThat(error.getExpected().getStringRepresentation()).isEqualTo("total_time: at most 16 ms");
        assertThat(error.getActual().getStringRepresentation()).isEqualTo("total_time: 16.4 ms, 2.5 % over");
    }

    @Test
    void meetsRules() {
        // given
        ProfileExpectations gate = ProfileExpectations.builder()
                .expect(MetricExpectation.of("total_time", "17 ms", "", "median"))
                .build();

        // then
        assertThat(PROFILE).meets(gate).hasLatencyOfAtMost("17 ms").isValid().hasNoDoubts();
        fails(() -> assertThat(MeasuredFixture.of("total_time", 1).profile()).meets(gate));
        fails(() -> assertThat(PROFILE).hasLatencyOfAtMost("16 ms"));
        fails(() -> assertThat(MeasuredFixture.of("total_time", 0.01).profile())
                .hasLatencyOfAtMost(Latency.EXECUTION, "1 s"));
    }

    @Test
    void doubtfulProfileFailsAffectedAssertions() {
        // given
        Profile throttled = MeasuredFixture.of("total_time", 0.01)
                .doubt(Doubt.Kind.THROTTLED, "The device was slowed down.")
                .profile();
        Profile first = MeasuredFixture.of("hbm_read_bytes", 1)
                .doubt(Doubt.Kind.FIRST_EXECUTION, "Start-up is in it.")
                .profile();

        // then
        assertThat(throttled).isValid();
        fails(() -> assertThat(throttled).hasNoDoubts());
        fails(() -> assertThat(throttled).totalTime().isAtMost("17 ms"));
        assertThat(first).isValid().hbmReadBytes().isAtMost("1 B");
        assertThatThrownBy(() -> assertThat(first).hasNoDoubts())
                .hasMessage("Profile of resnet50.neff is in doubt:%n  FIRST_EXECUTION: Start-up is in it.".formatted());
    }

    @Test
    void collectsFailuresSoftly() {
        // given
        NeuronSoftAssertions softly = new NeuronSoftAssertions();

        // when
        softly.assertThat(PROFILE).totalTime().over("worst").isAtMost("16 ms").isAtMost("15 ms");
        softly.assertThat(PROFILE).hbmReadBytes().isAtMost("2 MiB");
        softly.assertThat(PROFILE)
                .meets(ProfileExpectations.DEFAULT)
                .spillReloadBytes()
                .isZero();
        softly.assertThat(PROFILE).instanceType().startsWith("inf2");

        // then
        assertThat(softly.errorsCollected()).hasSize(4);
        assertThat(softly.errorsCollected().get(0)).hasMessageContaining("worst");
    }
}
