package dev.neurontest.internal.profile.threshold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.metric.Fraction;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.MeasuredFixture;
import dev.neurontest.profile.Profile;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RelativeExpectationTest {

    private static final String WORDS = "@RelativeToTest(\"fp32()\")";

    private static Profile took(double time) {
        return MeasuredFixture.of("total_time", time).profile();
    }

    private static Optional<Fraction> percent(String text) {
        return text == null || text.isEmpty() ? Optional.empty() : Optional.of(Fraction.parse(text));
    }

    private static Judgement judge(Profile mine, Profile other, String max, String min) {
        return new RelativeExpectation(
                        "total_time",
                        percent(max),
                        percent(min),
                        "KernelTest > fp32()",
                        () -> Optional.ofNullable(other),
                        WORDS)
                .judge(mine);
    }

    @ParameterizedTest
    @CsvSource({
        "6, 10, 60 %, '', true",
        "6.1, 10, 60 %, '', false",
        "6, 10, '', 60 %, true",
        "5.9, 10, '', 60 %, false",
        "6, 10, 70 %, 50 %, true",
        "8, 10, 70 %, 50 %, false",
        "4, 10, 70 %, 50 %, false",
        "30, 10, 300 %, '', true"
    })
    void comparesShareOfOtherProfileWithLimits(double mine, double other, String max, String min, boolean kept) {
        // when
        Judgement judgement = judge(took(mine), took(other), max, min);

        // then
        assertThat(judgement.violations()).hasSize(kept ? 0 : 1);
        assertThat(judgement.undecided()).isEmpty();
    }

    @Test
    void violationNamesValuesOfBothProfiles() {
        // then
        assertThat(judge(took(0.008), took(0.010), "70 %", "50 %").violations())
                .containsExactly(new Violation(
                        WORDS,
                        "total_time",
                        "at most 70 % and at least 50 % of that of KernelTest > fp32()",
                        "80 %: 8 ms compared with 10 ms of KernelTest > fp32()",
                        "Both profiles are attached to their tests; if the change is intended, set the new ratio."));
        assertThat(judge(took(8), took(10), "70 %", "").violations())
                .extracting(Violation::expected)
                .containsExactly("at most 70 % of that of KernelTest > fp32()");
        assertThat(judge(took(4), took(10), "", "50 %").violations())
                .extracting(Violation::expected)
                .containsExactly("at least 50 % of that of KernelTest > fp32()");
    }

    @Test
    void isUndecidedBeforeOtherTestRan() {
        // then
        assertThat(judge(took(1), null, "60 %", "").undecided())
                .containsExactly(
                        new Undecided(
                                WORDS,
                                "total_time",
                                "KernelTest > fp32() has no profile in this JVM. It must run first: order them with @TestMethodOrder or @TestClassOrder, in one JVM."));
    }

    @Test
    void isUndecidedForDoubtfulProfile() {
        // given
        Profile doubtful = MeasuredFixture.of("total_time", 1)
                .doubt(Doubt.Kind.OTHER_NEFF, "Another NEFF ran.")
                .profile();

        // then
        assertThat(judge(took(1), doubtful, "60 %", "").violations()).isEmpty();
        assertThat(judge(took(1), doubtful, "60 %", "").undecided())
                .singleElement()
                .extracting(Undecided::reason)
                .asString()
                .contains("Another NEFF ran.");
    }

    @Test
    void isUndecidedForTimeOfZero() {
        // then
        assertThat(judge(took(1), took(0), "60 %", "").undecided())
                .extracting(Undecided::reason)
                .containsExactly("It is 0 s in KernelTest > fp32(), and a share of 0 is undefined.");
        assertThat(judge(took(0), took(1), "60 %", "").undecided())
                .extracting(Undecided::reason)
                .containsExactly(
                        "It is 0 s in resnet50.neff but more in KernelTest > fp32(): a time of 0 is neither a measurement nor an improvement.");
    }

    @Test
    void isUndecidedBelowOneNanosecond() {
        // then
        assertThat(judge(took(1), took(1e-15), "60 %", "").undecided()).isNotEmpty();
        assertThat(judge(took(1e-15), took(1), "60 %", "").undecided()).isNotEmpty();
    }

    @Test
    void absentMetricIsViolation() {
        // given
        Profile without =
                MeasuredFixture.of("hbm_read_bytes", 1).title("without.neff").profile();

        // then
        assertThat(judge(without, took(1), "60 %", "").violations())
                .extracting(Violation::actual)
                .containsExactly("the tool did not write it for without.neff");
        assertThat(judge(took(1), without, "60 %", "").violations())
                .extracting(Violation::actual)
                .containsExactly("the tool did not write it for without.neff");
    }
}
