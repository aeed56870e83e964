package dev.neurontest.counter.wait;

import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.counter.tree.CounterScope;
import dev.neurontest.device.CounterKind;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A counter that is waited for, with the differences that reports have of it. */
record AwaitedCounter(CounterScope scope, String name, int[] positions) implements AwaitTarget {

    AwaitedCounter(CounterScope scope, String path) {
        this(scope, path, scope.positions(path));
    }

    @Override
    public List<String> files() {
        return IntStream.of(positions).mapToObj(scope::file).toList();
    }

    @Override
    public boolean isCounter() {
        return true;
    }

    @Override
    public Optional<String> silent() {
        if (CounterKind.notifies(name, scope.countedAtClose() == null)) {
            return Optional.empty();
        }
        return Optional.of(
                CounterKind.of(name).ownedByDatastore()
                        ? "from driver 2.30 on it is computed when it is read"
                        : "it is read from the device, or unknown here");
    }

    @Override
    public Look look(CounterSnapshot base, CounterSnapshot now, boolean each) {
        CounterDiff diff = CounterDiff.between(base, now, List.of());
        List<CounterChange> changes = each ? diff.each(name) : List.of(diff.counter(name));
        return new Look(
                changes.stream().map(AwaitedValue::of).toList(),
                IntStream.of(positions).mapToObj(now::text).toList());
    }
}
