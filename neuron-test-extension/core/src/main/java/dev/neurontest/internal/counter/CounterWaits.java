package dev.neurontest.internal.counter;

import dev.neurontest.counter.CounterAwait;
import dev.neurontest.counter.CounterNameException;
import dev.neurontest.counter.CounterSnapshot;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/** A factory of waits for counters. */
@FunctionalInterface
@API(status = API.Status.INTERNAL, since = "0.1")
public interface CounterWaits {

    /**
     * Creates a wait.
     *
     * @param counterOrAttribute name as written in the test
     * @param base the snapshot at the start of differences
     * @param neighbours supplier of the other users of the devices, as shown in messages
     * @return a wait that takes conditions and then blocks
     * @throws CounterNameException when there is no such counter and no such attribute, or the name is ambiguous
     */
    CounterAwait begin(String counterOrAttribute, CounterSnapshot base, Supplier<ConcurrentUsers> neighbours);
}
