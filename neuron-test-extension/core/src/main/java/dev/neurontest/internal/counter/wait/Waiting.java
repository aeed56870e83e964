package dev.neurontest.internal.counter.wait;

import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.internal.counter.CounterWaits;
import java.util.List;
import org.apiguardian.api.API;

/** The way in which tests wait for counters. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Waiting {

    private Waiting() {}

    /**
     * Begins waits that end with the first error.
     *
     * @param rules what is an error: the counters that these let not move
     * @return begins such waits
     */
    public static CounterWaits until(CounterExpectations rules) {
        return (name, base, neighbours) ->
                new AwaitPlan(rules, neighbours, AwaitTarget.of(base.scope(), name), base, List.of(), false);
    }
}
