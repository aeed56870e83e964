package dev.neurontest.counter;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.counter.CounterText;
import dev.neurontest.internal.counter.tree.CounterNames;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.DeferredCounts;
import dev.neurontest.internal.device.CounterKind;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * An expectation that a counter changes by a given amount: exactly, at least, at most, or in a range. For several cores the sum
 * is compared, unless each core is selected.
 *
 * <p>If the driver defers counts, or the counter was cleared during the test, the measured difference is a lower bound. A lower
 * bound can prove that the counter changed enough or too much. Otherwise the expectation is undecided.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CounterDeltaExpectation implements CounterExpectation {

    private final String name;
    private final OptionalLong delta;
    private final OptionalLong min;
    private final OptionalLong max;
    private final boolean each;
    private final boolean wholeClass;
    private final List<NeuronCore> among;
    private final @Nullable String words;

    private CounterDeltaExpectation(
            String name,
            OptionalLong delta,
            OptionalLong min,
            OptionalLong max,
            boolean each,
            boolean wholeClass,
            List<NeuronCore> among,
            @Nullable String words) {
        this.name = name;
        this.delta = delta;
        this.min = min;
        this.max = max;
        this.each = each;
        this.wholeClass = wholeClass;
        this.among = List.copyOf(among);
        this.words = words;
    }

    /**
     * Creates an expectation from the values of the annotation.
     *
     * @param name a path below {@code stats} such as {@code other_info/inference_count}, or its last part
     * @param delta exact difference; excludes the other two
     * @param min minimum difference
     * @param max maximum difference
     * @param each true if each core or device must change by this amount, instead of their sum
     * @return the expectation
     * @throws IllegalArgumentException when no amount is given, or the amounts contradict each other
     */
    public static CounterDeltaExpectation of(
            String name, OptionalLong delta, OptionalLong min, OptionalLong max, boolean each) {
        CounterDeltaExpectation moves =
                new CounterDeltaExpectation(name, delta, min, max, each, false, List.of(), null);
        if (delta.isEmpty() && min.isEmpty() && max.isEmpty()) {
            throw new IllegalArgumentException(moves + " expects nothing: set delta, min or max.");
        }
        if (delta.isPresent() && (min.isPresent() || max.isPresent())) {
            throw new IllegalArgumentException(
                    moves + " sets delta together with min or max: set either delta, or min and max.");
        }
        if (min.isPresent() && max.isPresent() && min.getAsLong() > max.getAsLong()) {
            throw new IllegalArgumentException(moves + " cannot be met: min is greater than max.");
        }
        return moves;
    }

    /**
     * Creates an expectation of an exact difference. Zero means that the counter must not change.
     *
     * @param name a path below {@code stats}, or its last part
     * @param delta exact difference; may be negative for memory
     * @return the expectation
     */
    public static CounterDeltaExpectation by(String name, long delta) {
        return of(name, OptionalLong.of(delta), OptionalLong.empty(), OptionalLong.empty(), false);
    }

    /**
     * Creates an expectation of a minimum difference.
     *
     * @param name a path below {@code stats}, or its last part
     * @param min minimum difference
     * @return the expectation
     */
    public static CounterDeltaExpectation byAtLeast(String name, long min) {
        return of(name, OptionalLong.empty(), OptionalLong.of(min), OptionalLong.empty(), false);
    }

    /**
     * Creates an expectation of a maximum difference.
     *
     * @param name a path below {@code stats}, or its last part
     * @param max maximum difference
     * @return the expectation
     */
    public static CounterDeltaExpectation byAtMost(String name, long max) {
        return of(name, OptionalLong.empty(), OptionalLong.empty(), OptionalLong.of(max), false);
    }

    /**
     * Creates an expectation of a difference in a range.
     *
     * @param name a path below {@code stats}, or its last part
     * @param min minimum difference
     * @param max maximum difference
     * @return the expectation
     * @throws IllegalArgumentException when the range is empty
     */
    public static CounterDeltaExpectation byBetween(String name, long min, long max) {
        return of(name, OptionalLong.empty(), OptionalLong.of(min), OptionalLong.of(max), false);
    }

    /**
     * Returns the same expectation for each core or device instead of their sum.
     *
     * @return the expectation
     */
    public CounterDeltaExpectation onEach() {
        return new CounterDeltaExpectation(name, delta, min, max, true, wholeClass, among, words);
    }

    /**
     * Returns the same expectation for a whole class instead of each test. It is judged once, when the class ends, on the cores that the
     * class holds for all its tests.
     *
     * @return the expectation
     */
    public CounterDeltaExpectation overWholeClass() {
        return new CounterDeltaExpectation(name, delta, min, max, each, true, among, words);
    }

    /** Returns whether the expectation is judged over a whole class instead of over each test. */
    boolean isOverWholeClass() {
        return wholeClass;
    }

    /**
     * Returns the same expectation with another text for messages.
     *
     * @param text text of the expectation as the user wrote it
     * @return the expectation
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterDeltaExpectation inWords(String text) {
        return new CounterDeltaExpectation(name, delta, min, max, each, wholeClass, among, text);
    }

    /** Returns the same expectation, with each of the given cores as the meaning of "each core". */
    CounterDeltaExpectation onEachOf(List<NeuronCore> cores) {
        return new CounterDeltaExpectation(name, delta, min, max, each, wholeClass, cores, words);
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL, since = "0.1")
    @Override
    public Expectation<CounterDiff> arm(CounterScope scope) {
        String path = scope.path(name);
        return new Expectation<>() {
            @Override
            public Judgement judge(CounterDiff diff) {
                return Judgement.of((each ? each(diff, path) : List.of(diff.counter(path)))
                        .stream()
                                .map(change -> CounterDeltaExpectation.this.judge(diff, change))
                                .toList());
            }

            @Override
            public Expectation<CounterDiff> ofAbortedBody() {
                return requiresChange() ? upperBound(scope) : this;
            }
        };
    }

    /** Returns the changes on each core. A device counter has only one change for all cores of the device. */
    private Collection<CounterChange> each(CounterDiff diff, String path) {
        if (among.isEmpty()) {
            return diff.each(path);
        }
        Map<String, CounterChange> bySubject = new LinkedHashMap<>();
        among.forEach(core ->
                diff.onCore(core).each(path).forEach(change -> bySubject.putIfAbsent(change.subject(), change)));
        return bySubject.values();
    }

    /** Returns the rule for an aborted test body. A counter that changed too much is a violation. All other cases pass. */
    private Expectation<CounterDiff> upperBound(CounterScope scope) {
        if (most().filter(bound -> bound.signum() > 0).isEmpty()) {
            return diff -> Judgement.NOTHING;
        }
        OptionalLong most = delta.isPresent() ? delta : max;
        Expectation<CounterDiff> atMost = new CounterDeltaExpectation(
                        name, OptionalLong.empty(), OptionalLong.empty(), most, each, wholeClass, among, toString())
                .arm(scope);
        return diff -> new Judgement(atMost.judge(diff).violations(), List.of(), List.of());
    }

    /** Returns whether a test body without any activity would violate the expectation. */
    private boolean requiresChange() {
        return least().filter(bound -> bound.signum() > 0).isPresent()
                || most().filter(bound -> bound.signum() < 0).isPresent();
    }

    Judgement judge(CounterDiff diff, CounterChange change) {
        List<Violation> violations = new ArrayList<>();
        List<Undecided> undecided = new ArrayList<>();
        if (change.movement() == Movement.UNREADABLE) {
            violations.add(CounterMessages.unreadable(toString(), change));
        } else {
            Optional<String> doubt = doubt(diff, change);
            boolean tooMuch = most().isPresent() && change.delta().compareTo(most().get()) > 0;
            boolean enough = least().isEmpty() || change.delta().compareTo(least().get()) >= 0;
            boolean canBeMore = doubt.isPresent();
            boolean meaningless = change.kind() == CounterKind.MEMORY && change.movement() == Movement.WRAPPED;
            if (!meaningless && (tooMuch || !enough && !canBeMore || cancelsOut(diff, change))) {
                violations.add(violation(diff, change, tooMuch || !enough));
            } else if (canBeMore && (meaningless || !enough || most().isPresent())) {
                undecided.add(new Undecided(
                        toString(), change.subject(), "Measured so far: %s. %s".formatted(seen(change), doubt.get())));
            }
        }
        return new Judgement(violations, undecided, List.of());
    }

    /** Returns whether a decrease on one physical core hides an increase on another, or the reverse. */
    private boolean cancelsOut(CounterDiff diff, CounterChange change) {
        return change.kind() == CounterKind.MEMORY
                && diff.parts(change).stream()
                        .anyMatch(part -> delta.isPresent()
                                ? delta.getAsLong() == 0 && part.delta().signum() != 0
                                : most().isPresent() && part.delta().compareTo(most().get()) > 0);
    }

    private static String movedOnEach(CounterDiff diff, CounterChange change) {
        return diff.parts(change).stream()
                .filter(part -> part.delta().signum() != 0)
                .map(part -> CounterText.moved(part) + " on " + part.where())
                .collect(Collectors.joining(", "));
    }

    /** Returns the reason why the difference may be incomplete. */
    private static Optional<String> doubt(CounterDiff diff, CounterChange change) {
        return switch (change.movement()) {
            case DECREASED -> Optional.of(CounterMessages.clearedDuringTest(change));
            case WRAPPED ->
                change.kind() == CounterKind.MEMORY
                        ? Optional.of(CounterMessages.wrappedMemory(change))
                        : diff.deferredBy(change);
            default -> diff.deferredBy(change);
        };
    }

    private Violation violation(CounterDiff diff, CounterChange change, boolean bySum) {
        DeferredCounts deferredCounts =
                change.kind().isDeferred() ? diff.scope().deferredCounts() : null;
        return new Violation(
                toString(),
                change.subject(),
                expectedText(change.unit()),
                bySum ? CounterText.moved(change) : movedOnEach(diff, change),
                deferredCounts == null
                        ? "If that is intended, change the expectation. Otherwise check whether the workload did what the test requested, and what else uses the core."
                        : "This host (%s) counts executions when the owning process closes the device; processes of other users are only visible to root. If the count is right, change the expectation."
                                .formatted(deferredCounts.reason()));
    }

    private String seen(CounterChange change) {
        return CounterText.delta(change);
    }

    private Optional<BigInteger> least() {
        return bound(delta.isPresent() ? delta : min);
    }

    private Optional<BigInteger> most() {
        return bound(delta.isPresent() ? delta : max);
    }

    private static Optional<BigInteger> bound(OptionalLong value) {
        return value.isPresent() ? Optional.of(BigInteger.valueOf(value.getAsLong())) : Optional.empty();
    }

    /**
     * Returns whether no test can meet both this expectation and another one on the same cores.
     *
     * @param other another expectation of the same test
     * @return true if one requires a greater difference of the counter than the other allows
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public boolean excludes(CounterDeltaExpectation other) {
        return CounterNames.isSame(name, other.name) && (isBelow(other) || other.isBelow(this));
    }

    /** Returns whether the upper limit is below the other's lower limit, for any number of cores. */
    private boolean isBelow(CounterDeltaExpectation other) {
        if (most().isEmpty()
                || other.least().isEmpty()
                || most().get().compareTo(other.least().get()) >= 0) {
            return false;
        }
        return each == other.each || (each ? most().get() : other.least().get().negate()).signum() <= 0;
    }

    private String expectedText(CounterUnit unit) {
        if (delta.isPresent()) {
            return unit.delta(BigInteger.valueOf(delta.getAsLong()));
        }
        return Stream.of(
                        min.isPresent() ? "at least " + unit.delta(BigInteger.valueOf(min.getAsLong())) : "",
                        max.isPresent() ? "at most " + unit.delta(BigInteger.valueOf(max.getAsLong())) : "")
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(" and "));
    }

    /**
     * Returns the expectation in the form of the annotation, or as the user wrote it.
     *
     * @return such as {@code @ExpectCounter("inference_count", delta = 100)}
     */
    @Override
    public String toString() {
        if (words != null) {
            return words;
        }
        StringBuilder text = new StringBuilder("@ExpectCounter(\"").append(name).append('"');
        delta.ifPresent(value -> text.append(", delta = ").append(value));
        min.ifPresent(value -> text.append(", min = ").append(value));
        max.ifPresent(value -> text.append(", max = ").append(value));
        return text.append(each ? ", each = true" : "")
                .append(wholeClass ? ", wholeClass = true)" : ")")
                .toString();
    }
}
