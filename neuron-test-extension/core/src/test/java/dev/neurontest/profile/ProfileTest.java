package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProfileTest {

    @Test
    void timeIsMedianOfSlowestRank() {
        // given
        Profile profile = MeasuredFixture.nothing()
                .rank(0, "total_time", 0.030)
                .rank(0, "total_time", 0.010)
                .rank(0, "total_time", 0.011)
                .rank(1, "total_time", 0.017)
                .profile();

        // then
        assertThat(profile.number("total_time")).hasValue(0.017);
    }

    @Test
    void usesLowestRankWhenHigherIsBetter() {
        // given
        Profile profile = MeasuredFixture.nothing()
                .rank(0, "mfu_estimated_percent", 0.5)
                .rank(1, "mfu_estimated_percent", 0.4)
                .profile();

        // then
        assertThat(profile.number("mfu_estimated_percent")).hasValue(0.4);
    }

    @Test
    void leavesDoubtfulExecutionOutOfTimesWhenOthersExist() {
        // given
        MeasuredFixture first = MeasuredFixture.nothing()
                .doubtful(Doubt.Kind.FIRST_EXECUTION, "Start-up.", "total_time", 0.1, "hbm_read_bytes", 4096);

        // then
        assertThat(first.profile().number("total_time")).hasValue(0.1);
        assertThat(first.and("total_time", 0.01, "hbm_read_bytes", 1024)
                        .profile()
                        .number("total_time"))
                .hasValue(0.01);
        assertThat(first.profile().number("hbm_read_bytes")).hasValue(2560);
    }

    @Test
    void absentMetricIsNotZero() {
        // given
        Profile profile = MeasuredFixture.of("spill_save_bytes", 0).profile();

        // then
        assertThat(profile.number("spill_save_bytes")).hasValue(0);
        assertThat(profile.number("spill_reload_bytes")).isEmpty();
    }

    @Test
    void returnsTextOnlyWhenExecutionsAgree() {
        // given
        MeasuredFixture same = MeasuredFixture.of("instance_type", "trn2")
                .and("instance_type", "trn2")
                .and("total_time", 1);

        // then
        assertThat(same.profile().text("instance_type")).contains("trn2");
        assertThat(same.and("instance_type", "inf2").profile().text("instance_type"))
                .isEmpty();
    }

    @Test
    void listsEqualDoubtsOnce() {
        // given
        Profile profile = MeasuredFixture.nothing()
                .doubt(Doubt.Kind.THROTTLED, "Slow.")
                .doubtful(Doubt.Kind.THROTTLED, "Slow.")
                .doubtful(Doubt.Kind.UNREADABLE, "Broken.")
                .profile();

        // then
        assertThat(profile.allDoubts())
                .isEqualTo(
                        List.of(new Doubt(Doubt.Kind.THROTTLED, "Slow."), new Doubt(Doubt.Kind.UNREADABLE, "Broken.")));
    }
}
