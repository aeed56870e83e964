package dev.neurontest.internal.counter.wait;

import dev.neurontest.counter.CounterNameException;
import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.internal.counter.tree.CounterScope;
import java.util.List;

/** What is waited for: a counter, or an attribute that holds text. */
interface AwaitTarget {

    /** The path below stats, or the attribute as it was asked for. */
    String name();

    /** Whether it has numbers that rise. */
    boolean isCounter();

    /**
     * What it says now.
     *
     * @param base what differences begin with
     * @param now a snapshot in which its own files are fresh
     * @param each whether each core or device is asked, and not their sum
     */
    List<AwaitedValue> look(CounterSnapshot base, CounterSnapshot now, boolean each);

    /**
     * Looks a name up among the counters, then among the attributes of the devices and cores.
     *
     * @throws CounterNameException when there is neither
     */
    static AwaitTarget of(CounterScope scope, String name) {
        try {
            return new AwaitedCounter(scope, scope.path(name));
        } catch (CounterNameException unknown) {
            return AwaitedAttribute.find(scope, name)
                    .orElseThrow(() -> new CounterNameException(
                            unknown.getMessage()
                                    + " Attributes are paths below a device or core, such as core_count or info/notify_delay.",
                            name,
                            unknown.candidates()));
        }
    }
}
