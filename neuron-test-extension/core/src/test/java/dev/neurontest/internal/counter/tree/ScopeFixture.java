package dev.neurontest.internal.counter.tree;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterPlace;
import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.internal.counter.ConcurrentUsers;
import dev.neurontest.internal.counter.CounterRecorder;
import dev.neurontest.internal.counter.SettleOptions;
import dev.neurontest.internal.device.Nodes;
import dev.neurontest.internal.host.HostTree;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Scopes over a {@link TreeFixture}. Logical cores are named {@code core 0} and so on if they have two physical cores.
 */
public final class ScopeFixture {

    private ScopeFixture() {}

    /** Leases physical cores of device 0 one by one and watches its other cores. */
    public static CounterScope of(TreeFixture tree, int coresOfDevice, int... leased) {
        return of(tree, null, coresOfDevice, leased);
    }

    public static CounterScope held(
            TreeFixture tree, Map<Integer, List<String>> owners, int coresOfDevice, int... leased) {
        return of(tree, new DeferredCounts("driver 2.24.7.0", () -> owners), coresOfDevice, leased);
    }

    public static CounterScope of(
            TreeFixture tree, @Nullable DeferredCounts deferredCounts, int coresOfDevice, int... leased) {
        List<CounterPlace> places = IntStream.of(leased)
                .mapToObj(core -> CounterPlace.ofCore(0, core))
                .toList();
        return new CounterScope(
                tree,
                place -> found(tree, place),
                places.stream()
                        .map(place -> new LogicalCounters(place.toString(), List.of(place)))
                        .toList(),
                IntStream.range(0, coresOfDevice)
                        .mapToObj(core -> CounterPlace.ofCore(0, core))
                        .filter(place -> !places.contains(place))
                        .toList(),
                deferredCounts,
                null);
    }

    /** Leases physical cores of device 0 one by one, with an uncertain mapping. */
    public static CounterScope doubtful(TreeFixture tree, int... leased) {
        return new CounterScope(
                tree,
                place -> found(tree, place),
                IntStream.of(leased)
                        .mapToObj(core -> CounterPlace.ofCore(0, core))
                        .map(place -> new LogicalCounters(place.toString(), List.of(place)))
                        .toList(),
                List.of(),
                null,
                "the dies may be flipped");
    }

    /** Leases logical cores of two physical cores each: core 0 is 0 and 1, core 1 is 2 and 3. */
    public static CounterScope paired(TreeFixture tree, int... leased) {
        return new CounterScope(
                tree,
                place -> found(tree, place),
                IntStream.of(leased)
                        .mapToObj(core -> new LogicalCounters(
                                "core " + core,
                                List.of(CounterPlace.ofCore(0, 2 * core), CounterPlace.ofCore(0, 2 * core + 1))))
                        .toList(),
                List.of(),
                null,
                null);
    }

    /** Leases physical cores one by one, of any device, and watches no others. */
    public static CounterScope over(TreeFixture tree, CounterPlace... leased) {
        return new CounterScope(
                tree,
                place -> found(tree, place),
                List.of(leased).stream()
                        .map(place -> new LogicalCounters(place.toString(), List.of(place)))
                        .toList(),
                List.of(),
                null,
                null);
    }

    public static FoundCounters found(HostTree tree, CounterPlace place) {
        return CounterDiscovery.at(tree, place, Nodes.below(tree, TreeFixture.DEVICES + place), true, List.of());
    }

    /** Returns a difference with other processes on the devices. */
    public static CounterDiff diff(CounterScope scope, List<String> neighbours, Runnable body) {
        CounterRecorder recorder =
                CounterRecorder.start(scope, SettleOptions.IN_PROCESS, () -> new ConcurrentUsers(neighbours));
        body.run();
        return recorder.stop();
    }

    public static CounterDiff diff(CounterScope scope, Runnable body) {
        CounterSnapshot before = CounterSnapshot.of(scope);
        body.run();
        return before.until(CounterSnapshot.of(scope));
    }
}
