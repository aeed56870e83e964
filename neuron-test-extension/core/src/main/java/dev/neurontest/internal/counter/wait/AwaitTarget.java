package dev.neurontest.internal.counter.wait;

import dev.neurontest.counter.CounterNameException;
import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.internal.counter.tree.CounterScope;
import java.util.List;

/** The target of a wait: a counter, or an attribute that holds text. */
interface AwaitTarget {

    /** Returns the counter's path below {@code stats}, or the attribute's name as written in the test. */
    String name();

    /** Returns whether this is a counter and not an attribute. */
    boolean isCounter();

    /**
     * Reads the current values.
     *
     * @param base the snapshot at the start of differences
     * @param now a snapshot with new readings of the target's files
     * @param each true for a value of each core or device instead of their sum
     */
    List<AwaitedValue> values(CounterSnapshot base, CounterSnapshot now, boolean each);

    /**
     * Finds a target by name, first among the counters, then among the attributes of the devices and cores.
     *
     * @throws CounterNameException when there is no such counter or attribute
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
