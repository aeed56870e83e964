package dev.neurontest.internal.counter.wait;

import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.internal.counter.CounterWaits;
import java.util.List;
import org.apiguardian.api.API;

/** The factory of the waits of tests. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Waiting {

    private Waiting() {}

    /**
     * Creates a factory of waits that end with the first error.
     *
     * @param rules rules that define the errors
     */
    public static CounterWaits until(CounterExpectations rules) {
        return (name, base, neighbours) ->
                new AwaitPlan(rules, neighbours, AwaitTarget.of(base.scope(), name), base, List.of(), false);
    }
}
