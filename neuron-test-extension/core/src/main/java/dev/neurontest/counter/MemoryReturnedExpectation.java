package dev.neurontest.counter;

import dev.neurontest.internal.counter.CounterText;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.metric.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * An expectation that the device memory of each leased core returns to its start value when the test ends. It may be higher by
 * the tolerance. The driver counts every allocation at once, rounded up to pages of 4096 bytes.
 *
 * @param tolerance amount of memory that may stay allocated
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MemoryReturnedExpectation(ByteSize tolerance) implements CounterExpectation {

    private static final String DEVICE_MEMORY = "memory_usage/device_mem";

    /** @hidden */
    @API(status = API.Status.INTERNAL, since = "0.1")
    @Override
    public Expectation<CounterDiff> arm(CounterScope scope) {
        scope.path(DEVICE_MEMORY);
        return this::judge;
    }

    Judgement judge(CounterDiff diff) {
        List<Violation> violations = new ArrayList<>();
        List<Undecided> undecided = new ArrayList<>();
        List<String> notices = new ArrayList<>();
        for (CounterChange change : diff.each(DEVICE_MEMORY)) {
            if (change.movement() == Movement.UNREADABLE) {
                violations.add(CounterMessages.unreadable(toString(), change));
            } else if (change.movement() == Movement.WRAPPED) {
                undecided.add(new Undecided(toString(), change.subject(), CounterMessages.wrappedMemory(change)));
            } else if (keepsTooMuch(change)) {
                violations.add(violation(diff, change));
            } else if (diff.parts(change).stream().anyMatch(this::keepsTooMuch)) {
                diff.parts(change).stream()
                        .filter(this::keepsTooMuch)
                        .map(part -> violation(diff, part))
                        .forEach(violations::add);
            } else if (change.movement() == Movement.FELL) {
                notices.add("%s is lower than at the start of the test by %s: memory from before the test was released."
                        .formatted(
                                change.subject(), ByteSize.human(change.delta().negate())));
            }
        }
        return new Judgement(violations, undecided, notices);
    }

    /**
     * Checks whether a change exceeds the tolerance. Each physical core is checked too: memory released on one core does not
     * compensate memory kept on another.
     */
    private boolean keepsTooMuch(CounterChange change) {
        return change.delta().compareTo(tolerance.exact()) > 0;
    }

    private Violation violation(CounterDiff diff, CounterChange change) {
        return new Violation(
                toString(),
                change.subject(),
                tolerance.bytes() == 0
                        ? "unchanged"
                        : "at most " + change.unit().delta(tolerance.exact()),
                CounterText.moved(change),
                "Still allocated: %s. Free it before the test ends, or allow a tolerance if it is meant to stay."
                        .formatted(categories(diff, change)));
    }

    private static String categories(CounterDiff diff, CounterChange total) {
        String named = diff.moved().stream()
                .filter(change -> change.path().startsWith(DEVICE_MEMORY + "/"))
                .filter(change -> change.field() == CounterField.TOTAL && change.movement() == Movement.ROSE)
                .filter(change -> total.counters().stream()
                        .anyMatch(counter ->
                                counter.place().equals(change.counters().get(0).place())))
                .map(change -> change.path().substring(DEVICE_MEMORY.length() + 1) + " "
                        + change.unit().delta(change.delta()))
                .collect(Collectors.joining(", "));
        return named.isEmpty() ? "in no category that the driver reports" : named;
    }

    /**
     * Returns the expectation as a phrase.
     *
     * @return the phrase with the tolerance
     */
    @Override
    public String toString() {
        return "device memory returns" + (tolerance.bytes() == 0 ? "" : " within " + tolerance);
    }
}
