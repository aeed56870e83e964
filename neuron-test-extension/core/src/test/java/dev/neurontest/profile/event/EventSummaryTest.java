package dev.neurontest.profile.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventSummaryTest {

    enum Kind {
        WIDE(EventTally::wide),
        NARROW(EventTally::narrow);

        private final Supplier<EventTally> tally;

        Kind(Supplier<EventTally> tally) {
            this.tally = tally;
        }
    }

    private static EventSummary of(EventTally tally, long... durations) {
        for (long duration : durations) {
            tally.add(duration);
        }
        return tally.summary("instructions");
    }

    @ParameterizedTest
    @EnumSource
    void percentilesAreNeverTooShortAndLessThanOnePercentTooLong(Kind kind) {
        // given
        Random random = new Random(11);
        long[] durations = random.doubles(20_000, 0, 30)
                .mapToLong(power -> (long) Math.exp(power))
                .toArray();

        // when
        EventSummary summary = of(kind.tally.get(), durations);

        // then
        Arrays.sort(durations);
        for (double percent : new double[] {0.1, 1, 25, 50, 75, 90, 99, 99.9, 99.99}) {
            long exact = durations[(int) Math.ceil(percent / 100 * durations.length) - 1];
            assertThat(summary.percentile(percent).toNanos()).as("p%s", percent).isBetween(exact, (long)
                    (exact * 1.01));
        }
    }

    @ParameterizedTest
    @EnumSource
    void theEndsAreExact(Kind kind) {
        // when
        EventSummary summary = of(kind.tally.get(), 1_000_003, 77_777_777, 1_234_567_891_011L);

        // then
        assertThat(summary.percentile(0)).isEqualTo(Duration.ofNanos(1_000_003));
        assertThat(summary.min()).isEqualTo(Duration.ofNanos(1_000_003));
        assertThat(summary.percentile(100)).isEqualTo(Duration.ofNanos(1_234_567_891_011L));
        assertThat(summary.max()).isEqualTo(Duration.ofNanos(1_234_567_891_011L));
    }

    @ParameterizedTest
    @EnumSource
    void noTimeAtAllIsADurationToo(Kind kind) {
        // when
        EventSummary summary = of(kind.tally.get(), 0, 0);

        // then
        assertThat(summary.count()).isEqualTo(2);
        assertThat(summary.percentile(50)).isEqualTo(Duration.ZERO);
    }

    @ParameterizedTest
    @EnumSource
    void theSumIsExactBeyondWhatNanosecondsHold(Kind kind) {
        // given
        EventTally tally = kind.tally.get();
        long times = 200_000;

        // when
        for (long time = 0; time < times; time++) {
            tally.add(EventTally.LONGEST);
        }

        // then
        assertThat(tally.summary("x").total()).isEqualTo(Duration.ofDays(times));
    }

    @Test
    void ofNothingHasNoDurations() {
        // given
        EventSummary summary = of(EventTally.wide());

        // then
        assertThat(summary.count()).isZero();
        assertThat(summary.total()).isZero();
        assertThat(summary).hasToString("instructions: none");
        assertThatThrownBy(() -> summary.percentile(50))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageStartingWith("instructions: none with a duration, so there is nothing to measure.");
        assertThatThrownBy(summary::max).isInstanceOf(NoSuchElementException.class);
        assertThatThrownBy(summary::min).isInstanceOf(NoSuchElementException.class);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 100.1, Double.NaN})
    void percentilesAreAskedForInPercent(double percent) {
        // given
        EventSummary summary = of(EventTally.wide(), 1);

        // then
        assertThatThrownBy(() -> summary.percentile(percent))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no percentage");
    }

    @Test
    void itsTextHasUnits() {
        // then
        assertThat(of(EventTally.wide(), 999, 12_000, 2_000_000, 3_000_000_000L))
                .hasToString("instructions: 4, total 3 s, p50 12 µs, p99 3 s, max 3 s");
    }
}
