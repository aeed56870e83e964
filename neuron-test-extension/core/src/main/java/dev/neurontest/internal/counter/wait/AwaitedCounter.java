package dev.neurontest.internal.counter.wait;

import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.internal.counter.ConcurrentUsers;
import dev.neurontest.internal.counter.tree.CounterScope;
import java.util.List;

/** A counter as the target of a wait, with the same differences as in reports. */
record AwaitedCounter(CounterScope scope, String name, int[] positions) implements AwaitTarget {

    AwaitedCounter(CounterScope scope, String path) {
        this(scope, path, scope.positions(path));
    }

    @Override
    public boolean isCounter() {
        return true;
    }

    @Override
    public List<AwaitedValue> values(CounterSnapshot base, CounterSnapshot now, boolean each) {
        CounterDiff diff = CounterDiff.between(base, now, ConcurrentUsers.NONE);
        List<CounterChange> changes = each ? diff.each(name) : List.of(diff.counter(name));
        return changes.stream().map(AwaitedValue::of).toList();
    }
}
