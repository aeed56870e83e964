package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.metric.Fraction;
import dev.neurontest.profile.threshold.ProfileRules;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThrottlingTest {

    private static ProfileSummary summary(Object... namesAndValues) {
        return new ProfileSummary("", MeasuredFixture.metrics(namesAndValues), List.of());
    }

    @Test
    void takesTheReasonThatLastedLongest() {
        // given
        ProfileSummary transpose = SampleFixture.summary("summary-json_derived_trn2_2.25_transpose_1024.json");

        // then
        assertThat(Throttling.all(transpose)).hasSize(2);
        assertThat(Throttling.of(transpose))
                .hasValueSatisfying(part -> assertThat(part).hasToString("27.1 %"));
    }

    @Test
    void doesNotCountALimitOfAllThatIsPossible() {
        // given
        String activity = "throttle_activity_0_active_time_nc4_percent";
        String limit = "throttle_activity_0_avg_util_limit_nc4_percent";

        // then
        assertThat(Throttling.of(summary(activity, 0.3, limit, 1))).isEmpty();
        assertThat(Throttling.of(summary(activity, 0.3, limit, 0.5))).contains(new Fraction(0.3));
        assertThat(Throttling.of(summary(activity, 0.3))).contains(new Fraction(0.3));
    }

    @Test
    void isEmptyWhereNothingWasWritten() {
        // then
        assertThat(Throttling.of(summary("total_time", 1))).isEmpty();
    }

    @Test
    void isOfNoClassWhereAShareCannotBeRead() {
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
    void comparesOverTheEdgeOfAClass() {
        // then
        assertThat(ProfileRules.areThrottledAlike("a_1 70 % at 50 %", "a_1 80 % at 50 %"))
                .isTrue();
        assertThat(ProfileRules.areThrottledAlike("a_1 70 % at 50 %", "a_1 90 % at 50 %"))
                .isFalse();
        assertThat(ProfileRules.areThrottledAlike("a_1 70 % at 50 %", "a_0 70 % at 50 %"))
                .isFalse();
        assertThat(ProfileRules.areThrottledAlike("", "a_1 10 % at 50 %")).isFalse();
        assertThat(ProfileRules.areThrottledAlike("", "")).isTrue();
        assertThat(ProfileRules.areThrottledAlike("unknown", "unknown")).isFalse();
    }
}
