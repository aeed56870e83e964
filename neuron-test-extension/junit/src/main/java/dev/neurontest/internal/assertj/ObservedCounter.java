package dev.neurontest.internal.assertj;

import dev.neurontest.assertj.CounterAssert;
import dev.neurontest.counter.CounterDiff;
import org.apiguardian.api.API;

/**
 * One counter of a difference, the subject of {@link CounterAssert}.
 *
 * @param diff the counter difference
 * @param name a path below {@code stats}, or its last part
 * @param each true to check every core or device separately instead of their sum
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ObservedCounter(CounterDiff diff, String name, boolean each) {

    /** Returns the name for failure messages of AssertJ. */
    @Override
    public String toString() {
        return name;
    }
}
