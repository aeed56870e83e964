package dev.neurontest.profile.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.MeasuredFixture;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.threshold.MetricThreshold;
import dev.neurontest.profile.threshold.ProfileRules;
import org.junit.jupiter.api.Test;

class ExecutionDotsTest {

    private static Profile profile(String metric, double... values) {
        MeasuredFixture measured = MeasuredFixture.nothing();
        for (double value : values) {
            measured.and(metric, value);
        }
        return measured.profile();
    }

    private static ExecutionDots dots(Profile profile, String metric, String max) {
        ProfileRules rules = ProfileRules.builder()
                .expect(MetricThreshold.of(metric, max, "", "median"))
                .build();
        return ExecutionDots.of(profile, rules.outcomes(profile).get(0)).orElseThrow();
    }

    @Test
    void beginsNearTheValuesWhereTheyAreCloseTogether() {
        // when
        ExecutionDots dots = ExecutionDots.of(profile("total_time", 0.01600, 0.01604, 0.01610), "total_time")
                .orElseThrow();

        // then
        assertThat(dots.low()).isEqualTo("15.98 ms");
        assertThat(dots.high()).isEqualTo("16.12 ms");
        assertThat(dots.limit()).isEmpty();
        assertThat(dots.lanes()).singleElement().satisfies(lane -> {
            assertThat(lane.label()).isEqualTo("3 executions");
            assertThat(lane.value()).isEqualTo("16.04 ms median");
            assertThat(lane.dots().get(2).at() - lane.dots().get(0).at()).isGreaterThan(60);
        });
    }

    @Test
    void beginsAtZeroWhereTheyAreFarApart() {
        // when
        ExecutionDots dots = ExecutionDots.of(profile("total_time", 0.004, 0.016), "total_time")
                .orElseThrow();

        // then
        assertThat(dots.low()).isEqualTo("0 s");
        assertThat(dots.high()).isEqualTo("17 ms");
    }

    @Test
    void drawsTheLimitWhereItIsNear() {
        // when
        ExecutionDots dots = dots(profile("total_time", 0.0160, 0.0161), "total_time", "15.8 ms");

        // then
        assertThat(dots.low()).isEqualTo("15.75 ms");
        assertThat(dots.limit()).isEqualTo("\u2502 limit 15.8 ms");
        assertThat(dots.tick()).hasValueSatisfying(at -> assertThat(at).isBetween(5.0, 20.0));
    }

    @Test
    void saysWhereTheLimitIsWhenItWouldHideTheNoise() {
        // given
        Profile profile = profile("total_time", 0.0160, 0.0161);

        // then
        assertThat(dots(profile, "total_time", "10 ms").tick()).isEmpty();
        assertThat(dots(profile, "total_time", "10 ms").limit()).isEqualTo("limit 10 ms, far to the left");
        assertThat(dots(profile, "total_time", "20 ms").limit()).isEqualTo("limit 20 ms, far to the right");
        assertThat(dots(profile, "total_time", "20 ms").low()).isEqualTo("15.98 ms");
    }

    @Test
    void showsOneExecutionBesideItsLimit() {
        // then
        assertThat(dots(profile("total_time", 0.016), "total_time", "15 ms").tick())
                .isPresent();
        assertThat(dots(profile("spill_save_bytes", 4096), "spill_save_bytes", "0 B")
                        .tick())
                .hasValue(0.0);
        assertThat(dots(profile("spill_save_bytes", 0), "spill_save_bytes", "0 B")
                        .tick())
                .hasValue(0.0);
        assertThat(ExecutionDots.of(profile("total_time", 0.016), "total_time")).isEmpty();
        assertThat(ExecutionDots.of(profile("total_time", 0.016, 0.016), "total_time"))
                .isPresent();
    }

    @Test
    void tellsEndsApartThatLookTheSame() {
        // when
        ExecutionDots dots = ExecutionDots.of(profile("total_time", 0.016001, 0.016004), "total_time")
                .orElseThrow();

        // then
        assertThat(dots.low()).isEqualTo("16.0005 ms");
        assertThat(dots.high()).isEqualTo("16.0045 ms");
    }

    @Test
    void tellsFirstExecutionsFromThoseThatAreJudged() {
        // given
        Profile profile = MeasuredFixture.nothing()
                .doubtful(Doubt.Kind.FIRST_EXECUTION, "It has start-up in it.", "total_time", 0.020)
                .and("total_time", 0.016)
                .and("total_time", 0.016)
                .profile();

        // when
        ExecutionDots dots = ExecutionDots.of(profile, "total_time").orElseThrow();

        // then
        assertThat(dots.hasFirst()).isTrue();
        assertThat(dots.lanes().get(0).dots())
                .extracting(ExecutionDots.Dot::kind)
                .containsExactly("before", "dot", "dot");
        assertThat(dots.lanes().get(0).value()).isEqualTo("16 ms median");
    }
}
