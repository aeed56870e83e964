package dev.neurontest.profile.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.profile.Doubt;
import dev.neurontest.recording.Judgement;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventDemandTest {

    @TempDir
    Path folder;

    private Judgement atMost(String event, EventStatistic over, String max, Doubt... doubts) {
        return new EventDemand(event, over, Optional.of(over.parse(max)), Optional.empty(), "the rule")
                .judge(SystemFixture.tenExecutions(folder, doubts));
    }

    @Test
    void keepsALimitThatIsReached() {
        // then
        assertThat(atMost("nc_exec_running", EventStatistic.MAX, "900 ns")).isEqualTo(Judgement.NOTHING);
        assertThat(atMost("nc_exec_running", EventStatistic.COUNT, "10")).isEqualTo(Judgement.NOTHING);
    }

    @Test
    void breaksALimitByWhatItIsOver() {
        // then
        assertThat(atMost("nc_exec_running", EventStatistic.P50, "101 ns")).isEqualTo(Judgement.NOTHING);
        assertThat(atMost("nc_exec_running", EventStatistic.P99, "101 ns").violations())
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.subject()).isEqualTo("p99 of nc_exec_running");
                    assertThat(violation.actual()).isEqualTo("900 ns");
                    assertThat(violation.expected()).isEqualTo("at most 101 ns");
                    assertThat(violation.advice())
                            .startsWith(
                                    "It has nc_exec_running: 10, p50 100 ns, p99 900 ns, longest 900 ns, in all 1.8 µs.");
                });
    }

    @Test
    void breaksALowerLimit() {
        // when
        Judgement found = new EventDemand(
                        "nrt_execute",
                        EventStatistic.COUNT,
                        Optional.empty(),
                        Optional.of(EventStatistic.COUNT.parse("11")),
                        "the rule")
                .judge(SystemFixture.tenExecutions(folder));

        // then
        assertThat(found.violations()).extracting("expected", "actual").hasSize(1);
        assertThat(found.violations().get(0).expected()).isEqualTo("at least 11");
    }

    @Test
    void decidesNothingWhenEventsWereDropped() {
        // when
        Judgement found = atMost(
                "nrt_execute",
                EventStatistic.MAX,
                "1 s",
                new Doubt(Doubt.Kind.DROPPED_NOTIFICATIONS, "12 trace events were dropped."));

        // then
        assertThat(found.violations()).isEmpty();
        assertThat(found.undecided())
                .singleElement()
                .satisfies(undecided -> assertThat(undecided.reason()).isEqualTo("12 trace events were dropped."));
    }

    @Test
    void decidesNothingOfAnEventThatIsNotThere() {
        // when
        Judgement found = atMost("nrt_exec", EventStatistic.COUNT, "0");

        // then
        assertThat(found.undecided())
                .singleElement()
                .satisfies(
                        undecided -> assertThat(undecided.reason())
                                .isEqualTo(
                                        "The system profile of resnet50.neff has no event named nrt_exec, which is not zero: it may not have been traced. Was nrt_execute meant? There are nrt_execute, nc_exec_running."));
    }
}
