package dev.neurontest.internal.profile.threshold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.metric.Fraction;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.MeasuredFixture;
import dev.neurontest.profile.Profile;
import org.junit.jupiter.api.Test;

class RooflineExpectationTest {

    /** Returns a model that memory limits to half of the peak, and that reaches a quarter. */
    private static MeasuredFixture halfWay() {
        return MeasuredFixture.of(
                "mm_arithmetic_intensity", 50, "peak_flops_bandwidth_ratio", 100, "mfu_inst_estimated_percent", 0.25);
    }

    private static Judgement judge(String min, Profile profile) {
        return new RooflineExpectation(Fraction.parse(min), "@MinRoofline").judge(profile);
    }

    @Test
    void comparesReachedShareOfRooflineWithMinimum() {
        // then
        assertThat(judge("50 %", halfWay().profile())).isEqualTo(Judgement.NOTHING);
        assertThat(judge("51 %", halfWay().profile()).violations())
                .containsExactly(
                        new Violation(
                                "@MinRoofline",
                                "share of the roofline",
                                "at least 51 %",
                                "50 %",
                                "Memory bound: 50 flops for each byte of HBM, and below 100 the memory is the limit. It reaches 25 % of the peak, which is 50 % of the 50 % that it could (mfu_inst_estimated_percent). If it cannot be more, set the lower share."));
    }

    @Test
    void isViolatedByProfileWithoutRoofline() {
        // when
        Judgement judgement = judge("1 %", MeasuredFixture.of("total_time", 1).profile());

        // then
        assertThat(judgement.violations())
                .extracting(Violation::actual)
                .containsExactly("the profile has none of the metrics for it");
    }

    @Test
    void isUndecidedForDoubtfulProfile() {
        // when
        Judgement judgement = judge(
                "99 %", halfWay().doubt(Doubt.Kind.THROTTLED, "Slowed down.").profile());

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.undecided())
                .containsExactly(new Undecided("@MinRoofline", "share of the roofline", "Slowed down."));
    }
}
