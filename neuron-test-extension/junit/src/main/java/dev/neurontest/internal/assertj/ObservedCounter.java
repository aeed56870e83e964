package dev.neurontest.internal.assertj;

import dev.neurontest.assertj.CounterAssert;
import dev.neurontest.counter.CounterDiff;
import org.apiguardian.api.API;

/**
 * One counter of a difference, as {@link CounterAssert} looks at it.
 *
 * @param diff what was seen
 * @param name a path below {@code stats}, or its last part
 * @param each whether every core or device is looked at by itself, and not their sum
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ObservedCounter(CounterDiff diff, String name, boolean each) {

    /**
     * The counter as failure messages of AssertJ name it.
     *
     * @return its name
     */
    @Override
    public String toString() {
        return name;
    }
}
