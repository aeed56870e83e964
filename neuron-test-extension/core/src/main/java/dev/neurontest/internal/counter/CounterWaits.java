package dev.neurontest.internal.counter;

import dev.neurontest.counter.CounterAwait;
import dev.neurontest.counter.CounterNameException;
import dev.neurontest.counter.CounterSnapshot;
import java.util.List;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/** Begins waits for counters. */
@FunctionalInterface
@API(status = API.Status.INTERNAL, since = "0.1")
public interface CounterWaits {

    /**
     * Begins one.
     *
     * @param counterOrAttribute its name, as the test has it
     * @param base what differences begin with
     * @param neighbours who else was on the devices, as messages name them
     * @return says what is waited for, and waits
     * @throws CounterNameException when there is no such counter and no such attribute, or the name is ambiguous
     */
    CounterAwait begin(String counterOrAttribute, CounterSnapshot base, Supplier<List<String>> neighbours);
}
