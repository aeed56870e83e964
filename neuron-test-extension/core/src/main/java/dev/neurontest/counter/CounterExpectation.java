package dev.neurontest.counter;

import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.judgement.Expectation;
import org.apiguardian.api.API;

/** An expectation on counters, as stated by a test, before its names are resolved on the host. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface CounterExpectation
        permits CounterDeltaExpectation,
                MemoryReturnedExpectation,
                NoForeignActivityExpectation,
                CompleteCountsExpectation,
                PeakMemoryExpectation {

    /**
     * Resolves the counter names of the expectation, and clears peaks if the expectation requires it. Call this before the first
     * snapshot.
     *
     * @param scope the counters of the test
     * @return the rule that judges the difference afterwards
     * @throws CounterNameException when the host has no such counter
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    Expectation<CounterDiff> arm(CounterScope scope);
}
