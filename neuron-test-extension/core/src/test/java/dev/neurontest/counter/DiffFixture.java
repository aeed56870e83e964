package dev.neurontest.counter;

import dev.neurontest.internal.counter.SettleResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Differences that a recorder rarely produces. */
public final class DiffFixture {

    private DiffFixture() {}

    /** Returns a difference that did not settle in time. */
    public static CounterDiff unsettled(
            CounterSnapshot before, CounterSnapshot after, Duration waited, Counter... moving) {
        return CounterDiff.between(before, after, new SettleResult(false, waited, List.of(moving)), Map.of());
    }
}
