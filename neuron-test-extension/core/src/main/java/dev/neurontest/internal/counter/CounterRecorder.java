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

/** A recorder that reads the counters before a test body, and again after it when they have settled. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CounterRecorder {

    private final CounterScope scope;
    private final SettleOptions settling;
    private final Supplier<ConcurrentUsers> neighbours;
    private final Supplier<Map<Integer, List<String>>> stillOpen;
    private final CounterSnapshot before;
    private final Map<Integer, List<String>> ownersBefore;
    private final OptionalLong referencesBefore;
    private @Nullable CounterDiff diff;

    private CounterRecorder(
            CounterScope scope,
            SettleOptions settling,
            Supplier<ConcurrentUsers> neighbours,
            Supplier<Map<Integer, List<String>>> stillOpen) {
        this.scope = scope;
        this.settling = settling;
        this.neighbours = neighbours;
        this.stillOpen = stillOpen;
        this.before = read();
        this.ownersBefore = owners();
        this.referencesBefore = references();
    }

    /**
     * Starts a recorder without other users of the devices.
     *
     * @param scope the counters to read
     * @param settling options of the wait for counters to settle after the body
     */
    public static CounterRecorder start(CounterScope scope, SettleOptions settling) {
        return start(scope, settling, () -> ConcurrentUsers.NONE);
    }

    /**
     * Starts a recorder.
     *
     * @param scope the counters to read
     * @param settling options of the wait for counters to settle after the body
     * @param neighbours supplier of the other users of the devices since the start, as shown in messages; called once after the
     *     last reading; must not throw. A name with a place in it, such as {@code neuron0/neuron_core1}, concerns only that
     *     device. A name without a place concerns all devices
     */
    public static CounterRecorder start(
            CounterScope scope, SettleOptions settling, Supplier<ConcurrentUsers> neighbours) {
        return start(scope, settling, neighbours, Map::of);
    }

    /**
     * Starts a recorder for a test with no reading after its end.
     *
     * @param scope the counters to read
     * @param settling options of the wait for counters to settle after the body
     * @param neighbours supplier of the other users of the devices; called once after the last reading; must not throw
     * @param stillOpen supplier of the processes with an open device after the body that this test does not control, by device
     *     number, as shown in messages. It is called once, between the first and the last reading, if counters are live and a
     *     process of the machine has a device open. It must not throw
     */
    public static CounterRecorder start(
            CounterScope scope,
            SettleOptions settling,
            Supplier<ConcurrentUsers> neighbours,
            Supplier<Map<Integer, List<String>>> stillOpen) {
        return new CounterRecorder(scope, settling, neighbours, stillOpen);
    }

    /** Returns the snapshot before the body. */
    public CounterSnapshot before() {
        return before;
    }

    /**
     * Waits for two equal readings, for a limited time, and uses the last one as the snapshot after the body. If no process of
     * the machine has a device open, two readings without a pause are enough. One reading is enough then if nothing has changed.
     * An interrupted thread reads without a pause and stays interrupted.
     *
     * @return the difference; a second call returns the same object
     */
    public synchronized CounterDiff stop() {
        if (diff == null) {
            diff = settle();
        }
        return diff;
    }

    /** Returns the difference up to now, without waiting. The recorder continues. Another thread may call this method. */
    public CounterDiff soFar() {
        return CounterDiff.between(before, read(), uninterrupted(neighbours));
    }

    private CounterDiff settle() {
        // Owners are queried before the readings. The readings then include the counts of an owner that releases the
        // device after the query. In the other order, a count could be missed without a process to report.
        Map<Integer, List<String>> owners = owners();
        Map<Integer, List<String>> holders = CounterDiff.ofScope(scope, owners);
        // A visible new owner explains additional references to the kernel module. Without a new owner, they belong to
        // a hidden process.
        long unseen = hasNewOwners(owners) ? 0 : moreReferences();
        long start = System.nanoTime();
        // Queried before the reading: after the last process has closed the device, a reading is final.
        boolean unused = !settling.always() && uninterrupted(() -> DriverUse.isNone(scope.tree()));
        Reading reading = new Reading(read());
        if (!unused && scope.deferredCounts() == null) {
            // Queried before the last reading, which then includes all counts of processes that have ended by now.
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
                                uninterrupted(neighbours))
                        .with(uninterrupted(scope::changes), unseen));
    }

    private CounterSnapshot read() {
        return uninterrupted(() -> CounterSnapshot.of(scope));
    }

    private boolean hasNewOwners(Map<Integer, List<String>> owners) {
        for (Map.Entry<Integer, List<String>> device : owners.entrySet()) {
            if (!ownersBefore.getOrDefault(device.getKey(), List.of()).containsAll(device.getValue())) {
                return true;
            }
        }
        return false;
    }

    private Map<Integer, List<String>> owners() {
        return scope.deferredCounts() == null
                ? Map.of()
                : scope.deferredCounts().owners().get();
    }

    /** Returns the number of references to the kernel module if counts are deferred. Any process with a reference may defer counts. */
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

    /**
     * Runs a reading without interruption. Some hosts cannot be read by an interrupted thread, and a test thread is interrupted
     * after its timeout.
     */
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
            last = read();
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
