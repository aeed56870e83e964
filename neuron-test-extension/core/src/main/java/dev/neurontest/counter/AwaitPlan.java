package dev.neurontest.counter;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Everything that a test says about a wait, except how long. It is only changed before anybody else sees it. */
final class AwaitPlan {

    final Waiting waiting;
    final CounterRules rules;
    final Supplier<List<String>> neighbours;
    final AwaitTarget target;

    /** What differences begin with. */
    CounterSnapshot base;

    /** All of them have to hold; none stands for any change. */
    List<AwaitCondition> conditions = List.of();

    boolean each;
    boolean errorsEnd = true;
    List<String> allowed = List.of();
    Duration interval;

    /** Whether the test itself asks for notifications. */
    boolean byNotification;

    AwaitPlan(
            Waiting waiting,
            CounterRules rules,
            Supplier<List<String>> neighbours,
            AwaitTarget target,
            CounterSnapshot base) {
        this.waiting = waiting;
        this.rules = rules;
        this.neighbours = neighbours;
        this.target = target;
        this.base = base;
        this.interval = waiting.interval();
    }

    private AwaitPlan(AwaitPlan other) {
        this(other.waiting, other.rules, other.neighbours, other.target, other.base);
        this.conditions = other.conditions;
        this.each = other.each;
        this.errorsEnd = other.errorsEnd;
        this.allowed = other.allowed;
        this.interval = other.interval;
        this.byNotification = other.byNotification;
    }

    AwaitPlan with(Consumer<AwaitPlan> change) {
        AwaitPlan copy = new AwaitPlan(this);
        change.accept(copy);
        return copy;
    }

    CounterScope scope() {
        return base.scope();
    }

    List<AwaitCondition> demanded() {
        return conditions.isEmpty() ? List.of(AwaitCondition.MOVED) : conditions;
    }

    boolean isMet(List<AwaitedValue> values) {
        return values.stream().allMatch(value -> demanded().stream().allMatch(condition -> condition.isMet(value)));
    }

    /** What is expected, in words. */
    String expected() {
        return String.join(
                        " and ", demanded().stream().map(AwaitCondition::words).toList())
                + (each ? " on each" : "");
    }
}
