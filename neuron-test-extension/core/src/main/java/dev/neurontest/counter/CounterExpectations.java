package dev.neurontest.counter;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The counter expectations of a test. Immutable; one value can be used by any number of tests.
 *
 * <p>Unless the default rule is disabled, no error counter of the leased cores and devices may change: no status except
 * {@code success}, and no uncorrected ECC error. Further expectations are added one by one.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CounterExpectations {

    /** The default rule: no error counter may change. */
    public static final CounterExpectations DEFAULT = builder().build();

    private final boolean errorsMustNotMove;
    private final List<String> allowed;
    private final List<CounterExpectation> expectations;
    private final @Nullable Attribution attribution;

    private CounterExpectations(Builder builder) {
        this.errorsMustNotMove = builder.errorsMustNotMove;
        this.allowed = List.copyOf(builder.allowed);
        this.expectations = List.copyOf(builder.expectations);
        this.attribution = builder.attribution;
    }

    /**
     * Creates a builder with the default rule.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns whether there are expectations of each test in addition to the default rule.
     *
     * @return true if there is an expectation that needs cores
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public boolean expectsSomething() {
        for (CounterExpectation expectation : expectations) {
            if (!isOverWholeClass(expectation)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether there are expectations that are judged once over a whole class.
     *
     * @return true if there is an expectation that needs cores of a class
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public boolean expectsOverWholeClass() {
        for (CounterExpectation expectation : expectations) {
            if (isOverWholeClass(expectation)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the expectations for a test class. The tests of the class judge their own expectations. Memory must also be back when the
     * class ends.
     *
     * @param nested true for a class inside the class whose counts these expectations concern
     * @return the default rule with its allowed counters and attribution, and the expectations that apply to the class
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterExpectations ofClass(boolean nested) {
        Builder copy = copy(attribution);
        for (CounterExpectation expectation : expectations) {
            if (expectation instanceof MemoryReturnedExpectation || !nested && isOverWholeClass(expectation)) {
                copy.expect(expectation);
            }
        }
        return copy.build();
    }

    private static boolean isOverWholeClass(CounterExpectation expectation) {
        return expectation instanceof CounterDeltaExpectation moves && moves.isOverWholeClass();
    }

    /**
     * Returns the expectations with a default for a missing attribution.
     *
     * @param byDefault the attribution to use if none was set
     * @return the expectations
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterExpectations orAttribution(Attribution byDefault) {
        if (attribution != null) {
            return this;
        }
        Builder copy = copy(byDefault);
        copy.expectations.addAll(expectations);
        return copy.build();
    }

    /**
     * Returns the expectations for a test that leases more cores than its programs use.
     *
     * @param cores the cores meant by "each core" in an expectation
     * @return the expectations
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterExpectations onEachOf(List<NeuronCore> cores) {
        Builder copy = copy(attribution);
        for (CounterExpectation expectation : expectations) {
            copy.expect(expectation instanceof CounterDeltaExpectation moves ? moves.onEachOf(cores) : expectation);
        }
        return copy.build();
    }

    private Builder copy(@Nullable Attribution attribution) {
        Builder copy = new Builder().errorsMustNotMove(errorsMustNotMove);
        copy.attribution = attribution;
        copy.allowed.addAll(allowed);
        return copy;
    }

    /**
     * Resolves all counter names of a test, and clears peaks if an expectation requires it. Call this before the first snapshot.
     *
     * @param scope the counters of the test
     * @return the rule that judges the difference afterwards
     * @throws CounterNameException when an expectation names no counter of this host, or more than one
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Expectation<CounterDiff> arm(CounterScope scope) {
        List<Expectation<CounterDiff>> armed = new ArrayList<>();
        if (errorsMustNotMove) {
            armed.add(
                    unlessRestarted(NoErrorCounterExpectation.RULE, NoErrorCounterExpectation.except(allowed, scope)));
        }
        boolean reportsForeignActivity = true;
        boolean reportsHeldBack = true;
        for (CounterExpectation expectation : expectations) {
            reportsForeignActivity &= !(expectation instanceof NoForeignActivityExpectation);
            reportsHeldBack &= !(expectation instanceof CompleteCountsExpectation);
        }
        armed.addAll(armed(false, scope));
        armed.add(new CounterNotices(reportsForeignActivity, reportsHeldBack));
        return new Rules(armed, scope);
    }

    /**
     * Resolves the counter names of the expectations that are judged once over a whole class.
     *
     * @param scope the counters of the class
     * @return the rule that judges the difference over the whole class
     * @throws CounterNameException when an expectation names no counter of this host, or more than one
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Expectation<CounterDiff> armOverWholeClass(CounterScope scope) {
        return new Rules(armed(true, scope), scope);
    }

    /** Resolves the expectations that are judged over the whole class, or all others. */
    private List<Expectation<CounterDiff>> armed(boolean overWholeClass, CounterScope scope) {
        List<Expectation<CounterDiff>> armed = new ArrayList<>();
        for (CounterExpectation expectation : expectations) {
            if (isOverWholeClass(expectation) == overWholeClass) {
                armed.add(unlessRestarted(expectation.toString(), expectation.arm(scope)));
            }
        }
        return armed;
    }

    /** The resolved rules of a test or a class. */
    private final class Rules implements Expectation<CounterDiff> {

        private final List<Expectation<CounterDiff>> rules;
        private final CounterScope scope;

        Rules(List<Expectation<CounterDiff>> rules, CounterScope scope) {
            this.rules = rules;
            this.scope = scope;
        }

        @Override
        public Judgement judge(CounterDiff diff) {
            List<Judgement> judgements = new ArrayList<>();
            for (Expectation<CounterDiff> rule : rules) {
                judgements.add(rule.judge(diff));
            }
            Judgement judgement = Judgement.of(judgements);
            return errorsMustNotMove || !expectations.isEmpty() ? attributed(judgement, diff, scope) : judgement;
        }

        @Override
        public Expectation<CounterDiff> ofAbortedBody() {
            List<Expectation<CounterDiff>> ofAbortedBody = new ArrayList<>();
            for (Expectation<CounterDiff> rule : rules) {
                ofAbortedBody.add(rule.ofAbortedBody());
            }
            return new Rules(ofAbortedBody, scope);
        }
    }

    /**
     * Returns only the default rule, with its attribution.
     *
     * @param scope the counters to judge
     * @return the rule for differences of that scope
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Expectation<CounterDiff> errors(CounterScope scope) {
        if (!errorsMustNotMove) {
            return diff -> Judgement.NOTHING;
        }
        Expectation<CounterDiff> rule =
                unlessRestarted(NoErrorCounterExpectation.RULE, NoErrorCounterExpectation.except(allowed, scope));
        return diff -> attributed(rule.judge(diff), diff, scope);
    }

    /** Wraps a rule to be undecided after a restart of the driver. Differences across a restart are meaningless. */
    private static Expectation<CounterDiff> unlessRestarted(String rule, Expectation<CounterDiff> expectation) {
        Expectation<CounterDiff> ofAbortedBody = expectation.ofAbortedBody();
        return new Expectation<>() {
            @Override
            public Judgement judge(CounterDiff diff) {
                return diff.restart().isPresent()
                        ? Judgement.of(new Undecided(
                                rule,
                                diff.where(),
                                CounterMessages.restarted(diff.restart().get())))
                        : expectation.judge(diff);
            }

            @Override
            public Expectation<CounterDiff> ofAbortedBody() {
                return ofAbortedBody == expectation
                        ? this
                        : diff -> diff.restart().isPresent() ? Judgement.NOTHING : ofAbortedBody.judge(diff);
            }
        };
    }

    private Judgement attributed(Judgement judgement, CounterDiff diff, CounterScope scope) {
        Attribution attributing = attribution == null ? Attribution.STRICT : attribution;
        Judgement attributed = attributing.attribute(judgement, diff);
        String doubt = scope.coreDoubt();
        return doubt == null ? attributed : new CoreDoubt(doubt).judge(attributed, diff);
    }

    /**
     * Returns the texts of the expectations in addition to the default rule.
     *
     * @return the expectations as the user wrote them, in order
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<String> words() {
        List<String> words = new ArrayList<>();
        for (CounterExpectation expectation : expectations) {
            words.add(expectation.toString());
        }
        return List.copyOf(words);
    }

    /**
     * Returns a judgement that leaves the default rule and all expectations undecided.
     *
     * @param subject the counters that could not be read
     * @param reason why
     * @return the judgement
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Judgement undecided(String subject, String reason) {
        Stream<String> rules = errorsMustNotMove
                ? Stream.concat(Stream.of(NoErrorCounterExpectation.RULE), words().stream())
                : words().stream();
        return Judgement.of(rules.map(rule -> Judgement.of(new Undecided(rule, subject, reason)))
                .toList());
    }

    /**
     * Judges a difference after the test has run.
     *
     * @param diff the difference
     * @return the judgement
     * @throws CounterNameException when an expectation names no counter of this host, or more than one
     * @throws IllegalArgumentException when an expectation requires a peak to be cleared first, because that is too late
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Judgement judge(CounterDiff diff) {
        for (CounterExpectation expectation : expectations) {
            if (expectation instanceof PeakMemoryExpectation peak && peak.clearFirst()) {
                throw new IllegalArgumentException(
                        "%s: the peak cannot be cleared first when the test has already run".formatted(peak));
            }
        }
        return arm(diff.scope()).judge(diff);
    }

    /** A builder of counter expectations. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {

        private boolean errorsMustNotMove = true;
        private final List<String> allowed = new ArrayList<>();
        private final List<CounterExpectation> expectations = new ArrayList<>();
        private @Nullable Attribution attribution;

        private Builder() {}

        /**
         * Enables or disables the default rule.
         *
         * @param required false to allow changes of error counters
         * @return this
         */
        public Builder errorsMustNotMove(boolean required) {
            errorsMustNotMove = required;
            return this;
        }

        /**
         * Allows one error counter to change. An unknown name only causes a notice: a missing counter cannot change, and a suite
         * runs on several drivers.
         *
         * @param counter a path below {@code stats} such as {@code status/oob_error}, or its last part
         * @return this
         */
        public Builder allow(String counter) {
            allowed.add(counter);
            return this;
        }

        /**
         * Adds an expectation.
         *
         * @param expectation an expectation such as {@link CounterDeltaExpectation} or {@link MemoryReturnedExpectation}
         * @return this
         */
        public Builder expect(CounterExpectation expectation) {
            expectations.add(expectation);
            return this;
        }

        /**
         * Sets the treatment of a violation by a device counter while another process was on the device.
         *
         * @param attribution the attribution; by default the value of {@code neuron.test.attribution}, or strict if that is not set
         * @return this
         */
        public Builder attribution(Attribution attribution) {
            this.attribution = attribution;
            return this;
        }

        /**
         * Creates the expectations.
         *
         * @return the expectations
         */
        public CounterExpectations build() {
            return new CounterExpectations(this);
        }
    }
}
