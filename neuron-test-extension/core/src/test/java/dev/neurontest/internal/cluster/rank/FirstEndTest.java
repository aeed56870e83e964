package dev.neurontest.internal.cluster.rank;

import static dev.neurontest.internal.cluster.rank.RankFixture.GONE;
import static dev.neurontest.internal.cluster.rank.RankFixture.WAITS;
import static dev.neurontest.internal.cluster.rank.RankFixture.exited;
import static dev.neurontest.internal.cluster.rank.RankFixture.lost;
import static dev.neurontest.internal.cluster.rank.RankFixture.rank;
import static dev.neurontest.internal.cluster.rank.RankFixture.stopped;
import static dev.neurontest.internal.cluster.rank.RankFixture.timedOut;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.workload.ChildEnd.Cause;
import dev.neurontest.workload.ResultFixture;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FirstEndTest {

    private static final long DEADLINE = Duration.ofSeconds(60).toNanos();
    private static final String HANG =
            "NRT:nrt_execute missing collectives status on Neuron Device 0 NC 1, suspected hang in collectives operation 3";

    private static FirstEnd first(RankEnd... ends) {
        return FirstEnd.of(List.of(ends), DEADLINE, null);
    }

    @Test
    void isEmptyWhenAllRanksEndWithZero() {
        assertThat(first(exited(0, 30, 0, WAITS), exited(1, 10, 0, "done")).unmet())
                .isEmpty();
    }

    @Test
    void isEarliestFailure() {
        assertThat(first(exited(0, 30, 3, ""), exited(1, 20, 4, ""), exited(2, 10, 0, ""))
                        .rank())
                .hasValue(1);
    }

    @Test
    void comparesTimesThatOverflow() {
        long start = Long.MAX_VALUE - 5;

        assertThat(FirstEnd.of(List.of(exited(0, start + 10, 3, ""), exited(1, start, 4, "")), start + DEADLINE, null)
                        .rank())
                .hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                GONE,
                HANG,
                "nrt_execute status=1200",
                "RuntimeError: [gloo] Read error [10.0.0.1]:3456: Connection reset by peer"
            })
    void isNoRankThatFollowsAnother(String line) {
        assertThat(first(exited(0, 10, 1, line), exited(1, 20, 3, "bad input")).rank())
                .hasValue(1);
    }

    @Test
    void isRankWithBrokenMemoryThoughItAlsoHangs() {
        assertThat(first(exited(0, 10, 1, HANG + "\nnrt_execute status=1202"), exited(1, 20, 3, ""))
                        .rank())
                .hasValue(0);
    }

    @Test
    void isKilledRankWhateverItPrinted() {
        assertThat(first(exited(0, 10, 137, GONE), exited(1, 20, 3, "")).rank()).hasValue(0);
    }

    @Test
    void isLostHostAndNoRankThatFollows() {
        FirstEnd first = first(exited(0, 10, 1, GONE), stopped(1, 40), lost(2, 30), lost(3, 31));

        assertThat(first.rank()).hasValue(2);
        assertThat(first.unmet()).hasValue("an answer of each host");
    }

    @Test
    void isLostHostAndNoRankThatSchedulerTerminated() {
        FirstEnd first = first(exited(0, 10, 143, ""), lost(2, 30));

        assertThat(first.rank()).hasValue(2);
        assertThat(first.unmet()).hasValue("an answer of each host");
    }

    @Test
    void isTerminatedRankIfNoHostIsLost() {
        assertThat(first(exited(0, 10, 143, ""), exited(1, 20, 3, "")).rank()).hasValue(0);
    }

    @Test
    void isEarliestFollowerWithoutAnyOtherFailure() {
        assertThat(first(exited(0, 10, 0, ""), exited(1, 30, 1, GONE), exited(2, 20, 1, GONE))
                        .rank())
                .hasValue(2);
    }

    @Test
    void isRankForWhichOthersWaitAtDeadline() {
        FirstEnd first = first(timedOut(0, WAITS), timedOut(1, "compiling"), timedOut(2, WAITS));

        assertThat(first.rank()).hasValue(1);
        assertThat(first.unmet()).hasValue("an end before its deadline");
    }

    @Test
    void isLateRankThoughAnotherOneExitsAfterDeadline() {
        FirstEnd first = first(exited(0, DEADLINE + 5, 1, "interrupted"), timedOut(1, "compiling"));

        assertThat(first.rank()).hasValue(1);
        assertThat(first.unmet()).hasValue("an end before its deadline");
    }

    @Test
    void isWaitingRankIfAllWaitAtDeadline() {
        assertThat(first(timedOut(0, WAITS), timedOut(1, WAITS)).rank()).hasValue(0);
    }

    @Test
    void rankThatWaitedEarlierDoesNotWaitAtDeadline() {
        assertThat(first(timedOut(0, WAITS), timedOut(1, WAITS + "\nstep 1\nstep 2\nstep 3"))
                        .rank())
                .hasValue(1);
    }

    @Test
    void isEmptyWhenTestStopsRanks() {
        assertThat(first(stopped(0, 10), stopped(1, 10)).unmet()).isEmpty();
    }

    @Test
    void isRunningRankAtEndOfTest() {
        FirstEnd first =
                FirstEnd.of(List.of(exited(0, 10, 0, ""), stopped(1, 20)), DEADLINE, "an end before that of its test");

        assertThat(first.rank()).hasValue(1);
        assertThat(first.unmet()).hasValue("an end before that of its test");
    }

    @Test
    void isFailureBeforeStop() {
        assertThat(FirstEnd.of(
                                List.of(rank(0, 10, ResultFixture.ended(Cause.EXITED, 139)), stopped(1, 20)),
                                DEADLINE,
                                "an end before that of its test")
                        .unmet())
                .hasValue("exit code 0 of each rank");
    }
}
