package dev.neurontest.internal.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.metric.Fraction;
import dev.neurontest.profile.MeasuredFixture;
import dev.neurontest.profile.ProfileExpectations;
import dev.neurontest.profile.ProfileSummary;
import dev.neurontest.profile.SampleFixture;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThrottlingTest {

    private static ProfileSummary summary(Object... namesAndValues) {
        return new ProfileSummary("", MeasuredFixture.metrics(namesAndValues), List.of());
    }

    @Test
    void usesLongestThrottlingReason() {
        // given
        ProfileSummary transpose = SampleFixture.summary("summary-json_derived_trn2_2.25_transpose_1024.json");

        // then
        assertThat(Throttling.all(transpose)).hasSize(2);
        assertThat(Throttling.of(transpose))
                .hasValueSatisfying(part -> assertThat(part).hasToString("27.1 %"));
    }

    @Test
    void ignoresLimitOfFullUtilization() {
        // given
        String activity = "throttle_activity_0_active_time_nc4_percent";
        String limit = "throttle_activity_0_avg_util_limit_nc4_percent";

        // then
        assertThat(Throttling.of(summary(activity, 0.3, limit, 1))).isEmpty();
        assertThat(Throttling.of(summary(activity, 0.3, limit, 0.5))).contains(new Fraction(0.3));
        assertThat(Throttling.of(summary(activity, 0.3))).contains(new Fraction(0.3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "throttle_activity_1_avg_util_limit_nc4_percent",
                "throttle_periodic_avg_util_limit_nc0_percent",
                "throttle_unknown_avg_util_limit_nc12_percent",
                "throttle_thermal_3_avg_util_limit_nc0_percent",
                "throttle_avg_util_limit_nc0_percent",
                "throttle_activity_1_avg_util_limit",
                "throttle_avg_util_limit",
                "throttle_avg_util_limit_percent",
                "throttle_Activity_1_avg_util_limit_nc4_percent",
                "throttle_current-ramp_avg_util_limit_nc4_percent",
                "throttle_tdp_average_utilization_limit_core4",
                "throttling_limit_percent",
                "max_achievable_util_with_throttling_percent"
            })
    void limitersIncludeUtilizationLimitWithoutShare(String metric) {
        // then
        assertThat(Throttling.limiters(summary(metric, 0.56))).singleElement().satisfies(limiter -> {
            assertThat(limiter.slows(0.05)).isTrue();
            assertThat(limiter.share()).isEmpty();
        });
        assertThat(MeasuredFixture.of(metric, 0.56).profile().throttleClass()).isEqualTo("unknown");
        assertThat(MeasuredFixture.of(metric, 1.0967).profile().throttleClass()).isEmpty();
        assertThat(Throttling.limiters(summary(metric, 1))).noneMatch(limiter -> limiter.slows(0.05));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "throttle_Activity_1_active_time_nc4_percent",
                "throttle_current-ramp_active_time_nc4_percent",
                "throttle_activity_1_active_time_core4_percent",
                "throttle_activity_1_active_time_nc4_fraction",
                "throttling_active_time_nc0_percent",
                "throttled_time"
            })
    void limitersIncludeShareUnderUnknownName(String metric) {
        // then
        assertThat(Throttling.limiters(summary(metric, 0.56)))
                .singleElement()
                .satisfies(limiter -> assertThat(limiter.slows(0.05)).isTrue());
        assertThat(MeasuredFixture.of(metric, 0.56).profile().throttleClass()).isNotEmpty();
        assertThat(MeasuredFixture.of(metric, 0).profile().throttleClass()).isEmpty();
        assertThat(Throttling.limiters(summary(metric, 0))).noneMatch(limiter -> limiter.slows(0.05));
    }

    @ParameterizedTest
    @ValueSource(strings = {"throttle_windows", "throttle_count", "total_time", "mfu_estimated_percent"})
    void limitersIgnoreOtherMetrics(String metric) {
        // then
        assertThat(Throttling.limiters(summary(metric, 0.56))).isEmpty();
    }

    @Test
    void limitersOmitTotalOfCoreWithListedLimits() {
        // given
        ProfileSummary matvec = SampleFixture.summary("summary-json_partial_inf2_2.28_matvec.json");

        // then
        assertThat(Throttling.limiters(matvec))
                .extracting(Throttling.Limiter::label)
                .containsExactly("activity_0 on nc0", "unknown on nc0");
        assertThat(Throttling.limiters(matvec)).noneMatch(limiter -> limiter.slows(0.05));
    }

    @Test
    void limitersCompareNanosecondsOfCoreWithTotalTime() {
        // given
        String nanoseconds = "throttle_active_nc0_time_ns";

        // then
        assertThat(Throttling.limiters(summary("total_time", 0.001, nanoseconds, 10_000)))
                .singleElement()
                .satisfies(limiter -> assertThat(limiter.share()).hasValue(0.01));
        assertThat(Throttling.limiters(summary(nanoseconds, 10_000))).allMatch(limiter -> limiter.slows(0.05));
        assertThat(Throttling.limiters(summary(nanoseconds, 0))).noneMatch(limiter -> limiter.slows(0.05));
        assertThat(Throttling.limiters(
                        summary("total_time", 0.001, nanoseconds, 500_000, "throttle_avg_util_limit_nc0_percent", 1)))
                .noneMatch(limiter -> limiter.slows(0.05));
    }

    @Test
    void limitersDoNotReadSecondsAsShare() {
        // then
        assertThat(Throttling.limiters(summary("throttle_activity_1_active_time", 0.001)))
                .allMatch(limiter -> limiter.slows(0.05));
        assertThat(Throttling.limiters(summary("throttle_activity_1_active_time", 0)))
                .noneMatch(limiter -> limiter.slows(0.05));
    }

    @Test
    void limitersOfOneCoreDoNotHideThoseOfAnother() {
        // then
        assertThat(Throttling.limiters(summary(
                        "throttle_activity_0_active_time_nc0_percent",
                        0.01,
                        "throttle_avg_util_limit_nc0_percent",
                        0.04,
                        "throttle_avg_util_limit_nc1_percent",
                        0.5)))
                .filteredOn(limiter -> limiter.slows(0.05))
                .extracting(Throttling.Limiter::label)
                .containsExactly("a limiter without a name on nc1");
    }

    @Test
    void isEmptyWithoutThrottlingMetrics() {
        // then
        assertThat(Throttling.of(summary("total_time", 1))).isEmpty();
    }

    @Test
    void classIsUnknownWhenShareIsUnreadable() {
        // given
        String share = "throttle_activity_0_active_time_nc4_percent";

        // then
        assertThat(MeasuredFixture.of(share, -1).profile().throttleClass()).isEqualTo("unknown");
        assertThat(MeasuredFixture.of(share, -1, "throttle_activity_0_avg_util_limit_nc4_percent", 1)
                        .profile()
                        .throttleClass())
                .isEmpty();
        assertThat(Throttling.isSame("unknown", "unknown")).isFalse();
        assertThat(Throttling.isSame("", "")).isTrue();
        assertThat(Throttling.isSame("activity_1 30 %", "activity_1 30 % at 50 %"))
                .as("the tables do not tell the limit")
                .isFalse();
        assertThat(Throttling.isNear("activity_1 30 %", "activity_1 30 % at 50 %"))
                .isFalse();
    }

    @Test
    void treatsNeighbouringClassesAsAlike() {
        // then
        assertThat(ProfileExpectations.areThrottledAlike("a_1 70 % at 50 %", "a_1 80 % at 50 %"))
                .isTrue();
        assertThat(ProfileExpectations.areThrottledAlike("a_1 70 % at 50 %", "a_1 90 % at 50 %"))
                .isFalse();
        assertThat(ProfileExpectations.areThrottledAlike("a_1 70 % at 50 %", "a_0 70 % at 50 %"))
                .isFalse();
        assertThat(ProfileExpectations.areThrottledAlike("", "a_1 10 % at 50 %"))
                .isFalse();
        assertThat(ProfileExpectations.areThrottledAlike("", "")).isTrue();
        assertThat(ProfileExpectations.areThrottledAlike("unknown", "unknown")).isFalse();
    }
}
