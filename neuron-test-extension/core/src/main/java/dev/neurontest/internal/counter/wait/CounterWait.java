package dev.neurontest.internal.counter.wait;

import dev.neurontest.counter.Awaited;
import dev.neurontest.counter.Counter;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterField;
import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.counter.Movement;
import dev.neurontest.internal.counter.ConcurrentUsers;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.device.CounterKind;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Violation;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A wait that reads repeatedly until the conditions hold, an error counter changes, or the time is over. */
final class CounterWait {

    private static final Duration INTERVAL = Duration.ofMillis(10);

    /**
     * Interval for error counters that the driver reads from the device. They are read less often than counters that the driver
     * keeps itself.
     */
    private static final Duration DEVICE_ERRORS = Duration.ofMillis(250);

    private final AwaitPlan plan;
    private final Duration limit;
    private final Expectation<CounterDiff> errors;
    private final CounterScope.Part often;
    private final CounterScope.Part seldom;
    private final long start = System.nanoTime();
    private CounterSnapshot now;
    private List<AwaitedValue> values = List.of();
    private Duration nextSeldom = Duration.ZERO;
    private Duration waited = Duration.ZERO;
    private int polls;

    CounterWait(AwaitPlan plan, Duration limit) {
        this.plan = plan;
        this.limit = limit;
        CounterScope scope = plan.scope();
        this.errors = plan.rules().errors(scope);
        Set<Integer> own = IntStream.of(positions()).boxed().collect(Collectors.toCollection(HashSet::new));
        this.often = scope.part(position -> own.contains(position) || isError(position, CounterKind.STATUS));
        this.seldom = scope.part(position -> !own.contains(position) && isError(position, CounterKind.ECC));
        this.now = plan.base();
    }

    private int[] positions() {
        return plan.target() instanceof AwaitedCounter counter ? counter.positions() : new int[0];
    }

    private boolean isError(int position, CounterKind kind) {
        Counter counter = plan.scope().counter(position);
        return !plan.scope().isWatched(position)
                && CounterKind.of(counter.path()) == kind
                && CounterKind.isError(counter.path())
                && counter.field() != CounterField.PRESENT
                && counter.field() != CounterField.PEAK;
    }

    /**
     * Waits until the conditions hold.
     *
     * @throws org.opentest4j.AssertionFailedError when they do not hold in time; an interrupted thread reads once more and stays
     *     interrupted
     */
    Awaited run() {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                poll();
                if (plan.isMet(values)) {
                    return new Awaited(plan.target().name(), WaitFailure.words(values), waited, polls);
                }
                Optional<Violation> error = error();
                if (error.isPresent()) {
                    throw failure(WaitFailure.End.ERROR, error.get());
                }
                if (interrupted) {
                    throw failure(WaitFailure.End.INTERRUPTED, null);
                }
                Duration remaining = limit.minus(waited);
                if (remaining.isNegative() || remaining.isZero()) {
                    throw failure(WaitFailure.End.TIME_OVER, null);
                }
                try {
                    TimeUnit.NANOSECONDS.sleep((remaining.compareTo(INTERVAL) < 0 ? remaining : INTERVAL).toNanos());
                } catch (InterruptedException stop) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void poll() {
        polls++;
        now = now.with(often);
        waited = Duration.ofNanos(System.nanoTime() - start);
        if (waited.compareTo(nextSeldom) >= 0) {
            now = now.with(seldom);
            nextSeldom = waited.plus(DEVICE_ERRORS);
        }
        values = plan.target().values(plan.base(), now, plan.isOfEach());
    }

    /** Returns the error that would fail the test if it ended now. Unreadable counters are judged at the end of the test. */
    private Optional<Violation> error() {
        CounterDiff alone = CounterDiff.between(plan.base(), now, ConcurrentUsers.NONE);
        if (error(alone).isEmpty()) {
            return Optional.empty();
        }
        return error(CounterDiff.between(plan.base(), now, plan.neighbours().get()));
    }

    private Optional<Violation> error(CounterDiff diff) {
        return errors.judge(diff).violations().stream()
                .filter(violation -> diff.find(violation.subject())
                        .filter(change -> change.movement() != Movement.UNREADABLE)
                        .isPresent())
                .findFirst();
    }

    private Error failure(WaitFailure.End end, @Nullable Violation error) {
        CounterDiff all = plan.base().until(CounterSnapshot.of(plan.scope()));
        return new WaitFailure(plan, limit, end, Optional.ofNullable(error), values, waited, polls, all).toError();
    }
}
