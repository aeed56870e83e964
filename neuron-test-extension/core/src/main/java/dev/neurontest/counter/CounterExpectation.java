package dev.neurontest.counter;

import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.judgement.Expectation;
import org.apiguardian.api.API;

/** One demand on counters, as a test states it, before it is known what the host has. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface CounterExpectation
        permits CounterDeltaExpectation,
                MemoryReturnedExpectation,
                NoForeignActivityExpectation,
                CompleteCountsExpectation,
                PeakMemoryExpectation {

    /**
     * Looks up what the demand names, and clears what it asks to be cleared. Comes before the first snapshot.
     *
     * @param scope the counters of the test
     * @return what judges the difference afterwards
     * @throws CounterNameException when the host has no such counter
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    Expectation<CounterDiff> arm(CounterScope scope);
}
