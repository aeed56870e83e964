package dev.neurontest.internal.counter;

import dev.neurontest.counter.Counter;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.device.DriverUse;
import dev.neurontest.internal.thread.Uninterrupted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** Takes the counters before a body, and after it when they are quiet. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CounterRecorder {

    private final CounterScope scope;
    private final SettleOptions settling;
    private final Supplier<List<String>> neighbours;
    private final Supplier<Map<Integer, List<String>>> stillOpen;
    private final CounterSnapshot before;
    private final Map<Integer, List<String>> ownersBefore;
    private final OptionalLong referencesBefore;
    private @Nullable CounterDiff diff;

    private CounterRecorder(
            CounterScope scope,
            SettleOptions settling,
            Supplier<List<String>> neighbours,
            Supplier<Map<Integer, List<String>>> stillOpen) {
        this.scope = scope;
        this.settling = settling;
        this.neighbours = neighbours;
        this.stillOpen = stillOpen;
        this.before = uninterrupted(() -> CounterSnapshot.of(scope));
        this.ownersBefore = owners();
        this.referencesBefore = references();
    }

    /**
     * Takes the "before" when no other process is on the devices, or none is known.
     *
     * @param scope what to read
     * @param settling how to wait for quiet counters after the body
     * @return the recorder
     */
    public static CounterRecorder start(CounterScope scope, SettleOptions settling) {
        return start(scope, settling, List::of);
    }

    /**
     * Takes the "before".
     *
     * @param scope what to read
     * @param settling how to wait for quiet counters after the body
     * @param neighbours who else was on the devices of these cores at any time until now, as messages name them; asked once, after
     *     the last reading, and must not throw. One whose name has devices in it, such as {@code neuron0/neuron_core1}, counts for
     *     these, one without counts for all
     * @return the recorder
     */
    public static CounterRecorder start(CounterScope scope, SettleOptions settling, Supplier<List<String>> neighbours) {
        return start(scope, settling, neighbours, Map::of);
    }

    /**
     * Takes the "before" of a test, after whose end nothing is seen any more.
     *
     * @param scope what to read
     * @param settling how to wait for quiet counters after the body
     * @param neighbours who else was on the devices of these cores, as above
     * @param stillOpen the processes that have a device open after the body and that this test does not look after, by the number of the
     *     device, as messages name them; asked once, between the first and the last reading, where counters are live and a
     *     process of the machine has a device open. It must not throw
     * @return the recorder
     */
    public static CounterRecorder start(
            CounterScope scope,
            SettleOptions settling,
            Supplier<List<String>> neighbours,
            Supplier<Map<Integer, List<String>>> stillOpen) {
        return new CounterRecorder(scope, settling, neighbours, stillOpen);
    }

    /**
     * The "before".
     *
     * @return what the differences of this recorder begin with
     */
    public CounterSnapshot before() {
        return before;
    }

    /**
     * Waits for two equal readings, bounded, and takes the last one as the "after". Where no process of the machine has a device
     * open, two readings without a wait between them are enough, and one where nothing has moved. An interrupted thread reads
     * without waiting and stays interrupted.
     *
     * @return the difference; a second call gives the same one
     */
    public synchronized CounterDiff stop() {
        if (diff == null) {
            diff = settle();
        }
        return diff;
    }

    /**
     * What moved until now, without waiting; the recorder goes on. May be asked by another thread.
     *
     * @return the difference at this moment
     */
    public CounterDiff soFar() {
        return CounterDiff.between(before, uninterrupted(() -> CounterSnapshot.of(scope)), uninterrupted(neighbours));
    }

    private CounterDiff settle() {
        // The readings below see what a process counts that lets go from here on. Asked later, a count could be missed
        // without a process to name.
        Map<Integer, List<String>> owners = owners();
        Map<Integer, List<String>> holders = CounterDiff.ofScope(scope, owners);
        // A process that is seen accounts for its references: only where none has come, more of them are another's.
        boolean sameOwners = owners.entrySet().stream()
                .allMatch(device ->
                        ownersBefore.getOrDefault(device.getKey(), List.of()).containsAll(device.getValue()));
        long unseen = sameOwners ? moreReferences() : 0;
        long start = System.nanoTime();
        // Asked first: what is read after the last close is final.
        boolean unused = !settling.always() && uninterrupted(() -> DriverUse.isNone(scope.tree()));
        Reading reading = new Reading(uninterrupted(() -> CounterSnapshot.of(scope)));
        if (!unused && scope.deferredCounts() == null) {
            // Asked before the last reading, which then sees all that a process has counted that is gone by now.
            holders = uninterrupted(stillOpen);
        }
        boolean quiet = unused && reading.last.isQuietSince(before)
                || (unused || settling.interval().isZero()) && reading.isQuiet()
                || await(reading);
        Duration waited = Duration.ofNanos(System.nanoTime() - start);
        return CounterDiff.between(
                before,
                reading.last,
                DiffContext.of(
                                quiet ? SettleResult.quiet(waited) : new SettleResult(false, waited, reading.moving()),
                                holders,
                                new ConcurrentUsers(uninterrupted(neighbours)))
                        .with(uninterrupted(scope::changes), unseen));
    }

    private Map<Integer, List<String>> owners() {
        return scope.deferredCounts() == null
                ? Map.of()
                : scope.deferredCounts().owners().get();
    }

    /** Where counts come late, any process with a reference to the module may hold counts back. */
    private OptionalLong references() {
        return scope.deferredCounts() == null
                ? OptionalLong.empty()
                : uninterrupted(() -> DriverUse.references(scope.tree()));
    }

    private long moreReferences() {
        OptionalLong now = references();
        return now.isPresent() && referencesBefore.isPresent() ? now.getAsLong() - referencesBefore.getAsLong() : 0;
    }

    private boolean await(Reading reading) {
        if (Thread.currentThread().isInterrupted()) {
            return reading.isQuiet();
        }
        Duration passed = Duration.ofNanos(System.nanoTime() - reading.first);
        try {
            Awaitility.await()
                    .pollInSameThread()
                    .dontCatchUncaughtExceptions()
                    .pollDelay(settling.pauseAfter(passed))
                    .pollInterval(settling.pause())
                    .atMost(settling.atMost())
                    .until(reading::isQuiet);
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }

    /** Not every host can be read by an interrupted thread, which a test is after its timeout. */
    public static <T> T uninterrupted(Supplier<T> reading) {
        return Uninterrupted.get(reading::get);
    }

    private final class Reading {

        private final long first = System.nanoTime();
        private CounterSnapshot last;
        private CounterSnapshot previous;

        Reading(CounterSnapshot first) {
            this.last = first;
            this.previous = first;
        }

        boolean isQuiet() {
            previous = last;
            last = uninterrupted(() -> CounterSnapshot.of(scope));
            return last.isQuietSince(previous);
        }

        List<Counter> moving() {
            List<Counter> moving = new ArrayList<>();
            for (int position = 0; position < scope.size(); position++) {
                if (scope.settles(position)
                        && (last.bits(position) != previous.bits(position)
                                || last.isRead(position) != previous.isRead(position))) {
                    moving.add(scope.counter(position));
                }
            }
            return moving;
        }
    }
}
