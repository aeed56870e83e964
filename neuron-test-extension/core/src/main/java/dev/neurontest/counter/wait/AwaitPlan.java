package dev.neurontest.counter.wait;

import dev.neurontest.counter.Awaited;
import dev.neurontest.counter.CounterAwait;
import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.counter.rule.CounterRules;
import dev.neurontest.counter.tree.CounterNameException;
import dev.neurontest.counter.tree.CounterScope;
import dev.neurontest.text.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Everything that a test says about a wait, except how long. It is only changed before other code sees it. */
final class AwaitPlan implements CounterAwait {

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

    private CounterAwait and(AwaitCondition condition) {
        if (condition.ofCounter() && !target.isCounter()) {
            throw holdsText(condition);
        }
        conditions.stream().filter(condition::excludes).findFirst().ifPresent(other -> {
            throw new IllegalArgumentException("%s can never be %s and %s at the same time: wait for one of them."
                    .formatted(target.name(), other.words(), condition.words()));
        });
        return with(copy -> copy.conditions =
                Stream.concat(copy.conditions.stream(), Stream.of(condition)).toList());
    }

    private CounterNameException holdsText(AwaitCondition condition) {
        return new CounterNameException(
                "\"%s\" is an attribute and holds text, of which \"%s\" says nothing. Use toBe(\"...\") or matching(...)."
                        .formatted(target.name(), condition.words()),
                target.name(),
                List.of());
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
    public CounterAwait totalAtMost(long total) {
        return and(AwaitCondition.totalAtMost(total));
    }

    @Override
    public CounterAwait toBe(long total) {
        return and(AwaitCondition.reads(total));
    }

    @Override
    public CounterAwait toBe(String text) {
        return and(AwaitCondition.reads(text));
    }

    @Override
    public CounterAwait matching(Predicate<String> text, String description) {
        return and(AwaitCondition.matching(text, description));
    }

    @Override
    public CounterAwait each() {
        return with(copy -> copy.each = true);
    }

    @Override
    public CounterAwait since(CounterSnapshot earlier) {
        base.requireSameCores(earlier);
        return with(copy -> copy.base = earlier);
    }

    @Override
    public CounterAwait allowing(String... errorCounters) {
        List<String> more = List.of(errorCounters);
        return with(copy -> copy.allowed =
                Stream.concat(copy.allowed.stream(), more.stream()).toList());
    }

    @Override
    public CounterAwait evenIfErrors() {
        return with(copy -> copy.errorsEnd = false);
    }

    @Override
    public CounterAwait every(Duration interval) {
        Waiting.requirePositive(interval);
        return with(copy -> copy.interval = interval);
    }

    @Override
    public CounterAwait byNotification() {
        target.silent().ifPresent(why -> {
            throw new CounterNameException(
                    "The driver does not notify of \"%s\": %s. Leave byNotification() out."
                            .formatted(target.name(), why),
                    target.name(),
                    List.of());
        });
        return with(copy -> copy.byNotification = true);
    }

    @Override
    public Awaited within(Duration atMost) {
        if (atMost.isNegative()) {
            throw new IllegalArgumentException("One cannot wait for %s.".formatted(DurationText.exact(atMost)));
        }
        demanded().stream()
                .filter(condition -> condition.ofCounter() && !target.isCounter())
                .findFirst()
                .ifPresent(condition -> {
                    throw holdsText(condition);
                });
        return new CounterWait(this, atMost).run();
    }

    @Override
    public String toString() {
        return target.name() + " " + expected();
    }
}
