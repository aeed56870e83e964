package dev.neurontest.internal.counter.wait;

import dev.neurontest.counter.Awaited;
import dev.neurontest.counter.CounterAwait;
import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.counter.CounterNameException;
import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.internal.counter.ConcurrentUsers;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.text.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The specification of a wait without its time limit.
 *
 * @param rules rules for the error counters that end the wait
 * @param neighbours supplier of the other users of the devices
 * @param target the counter or attribute
 * @param base the snapshot at the start of differences
 * @param conditions conditions that must all hold; an empty list means any change
 * @param isOfEach true if they must hold on each core or device instead of for the sum
 */
record AwaitPlan(
        CounterExpectations rules,
        Supplier<ConcurrentUsers> neighbours,
        AwaitTarget target,
        CounterSnapshot base,
        List<AwaitCondition> conditions,
        boolean isOfEach)
        implements CounterAwait {

    CounterScope scope() {
        return base.scope();
    }

    private List<AwaitCondition> allConditions() {
        return conditions.isEmpty() ? List.of(AwaitCondition.MOVED) : conditions;
    }

    boolean isMet(List<AwaitedValue> values) {
        return values.stream()
                .allMatch(value -> allConditions().stream().allMatch(condition -> condition.isMet(value)));
    }

    /** Returns the expected values as text. */
    String expected() {
        return String.join(
                        " and ",
                        allConditions().stream().map(AwaitCondition::words).toList())
                + (isOfEach ? " on each" : "");
    }

    private CounterAwait and(AwaitCondition condition) {
        requireText(condition);
        conditions.stream().filter(condition::excludes).findFirst().ifPresent(earlier -> {
            throw new IllegalArgumentException("%s can never be %s and %s at the same time: wait for one of them."
                    .formatted(target.name(), earlier.words(), condition.words()));
        });
        return new AwaitPlan(
                rules,
                neighbours,
                target,
                base,
                Stream.concat(conditions.stream(), Stream.of(condition)).toList(),
                isOfEach);
    }

    private void requireText(AwaitCondition condition) {
        if (condition.ofCounter() && !target.isCounter()) {
            throw new CounterNameException(
                    "\"%s\" is an attribute and contains text, but \"%s\" is for numbers. Use matching(...)."
                            .formatted(target.name(), condition.words()),
                    target.name(),
                    List.of());
        }
    }

    @Override
    public CounterAwait atLeast(long rise) {
        return and(AwaitCondition.riseAtLeast(rise));
    }

    @Override
    public CounterAwait atMost(long rise) {
        return and(AwaitCondition.riseAtMost(rise));
    }

    @Override
    public CounterAwait totalAtLeast(long total) {
        return and(AwaitCondition.totalAtLeast(total));
    }

    @Override
    public CounterAwait matching(Predicate<String> text, String description) {
        return and(AwaitCondition.matching(text, description));
    }

    @Override
    public CounterAwait each() {
        return new AwaitPlan(rules, neighbours, target, base, conditions, true);
    }

    @Override
    public Awaited within(Duration atMost) {
        if (atMost.isNegative()) {
            throw new IllegalArgumentException(
                    "The time to wait must not be negative, but was %s.".formatted(DurationText.exact(atMost)));
        }
        allConditions().forEach(this::requireText);
        return new CounterWait(this, atMost).run();
    }

    @Override
    public String toString() {
        return target.name() + " " + expected();
    }
}
