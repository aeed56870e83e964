package dev.neurontest.counter;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What a test demands of the counters. Immutable; one value serves any number of tests.
 *
 * <p>Unless switched off, no error counter of the leased cores and devices may move: no status but {@code success}, no
 * uncorrected ECC error. What is asked for beyond that is added one by one.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CounterExpectations {

    /** The rule that holds unless a test says otherwise: no error counter moves. */
    public static final CounterExpectations DEFAULT = builder().build();

    private final boolean errorsMustNotMove;
    private final List<String> allowed;
    private final List<CounterExpectation> demands;
    private final @Nullable Attribution attribution;

    private CounterExpectations(Builder builder) {
        this.errorsMustNotMove = builder.errorsMustNotMove;
        this.allowed = List.copyOf(builder.allowed);
        this.demands = List.copyOf(builder.demands);
        this.attribution = builder.attribution;
    }

    /**
     * Starts from the default rule.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Whether anything is demanded beyond the default rule.
     *
     * @return true when there is a demand that needs cores to look at
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public boolean demandsSomething() {
        return !demands.isEmpty();
    }

    /**
     * What holds for a class as a whole, whose tests judge themselves.
     *
     * @return these rules with their allowances and their attribution, and without their demands
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterExpectations withoutDemands() {
        return copy(attribution).build();
    }

    /**
     * These rules where they say nothing about attribution.
     *
     * @param byDefault what holds then
     * @return the rules
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterExpectations orAttribution(Attribution byDefault) {
        if (attribution != null) {
            return this;
        }
        Builder copy = copy(byDefault);
        demands.forEach(copy::expect);
        return copy.build();
    }

    /**
     * Returns these rules for a test with more cores than its programs use.
     *
     * @param cores which a demand on each core means
     * @return the rules
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterExpectations onEachOf(List<NeuronCore> cores) {
        Builder copy = copy(attribution);
        demands.stream()
                .map(demand -> demand instanceof CounterDeltaExpectation moves ? moves.onEachOf(cores) : demand)
                .forEach(copy::expect);
        return copy.build();
    }

    private Builder copy(@Nullable Attribution wanted) {
        Builder copy = new Builder().errorsMustNotMove(errorsMustNotMove);
        copy.attribution = wanted;
        allowed.forEach(copy::allow);
        return copy;
    }

    /**
     * Looks every name up among the counters that there are, and clears what is to be cleared. Comes before the first snapshot.
     *
     * @param scope the counters of the test
     * @return what judges the difference afterwards
     * @throws CounterNameException when a demand names no counter of this host, or more than one
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Expectation<CounterDiff> arm(CounterScope scope) {
        List<Expectation<CounterDiff>> armed = new ArrayList<>();
        if (errorsMustNotMove) {
            armed.add(
                    unlessRestarted(NoErrorCounterExpectation.RULE, NoErrorCounterExpectation.except(allowed, scope)));
        }
        for (CounterExpectation demand : demands) {
            armed.add(unlessRestarted(demand.toString(), demand.arm(scope)));
        }
        armed.add(new CounterNotices(
                demands.stream().noneMatch(NoForeignActivityExpectation.class::isInstance),
                demands.stream().noneMatch(CompleteCountsExpectation.class::isInstance)));
        Expectation<CounterDiff> all = together(armed, scope);
        Expectation<CounterDiff> ofAbortedBody =
                together(armed.stream().map(Expectation::ofAbortedBody).toList(), scope);
        return new Expectation<>() {
            @Override
            public Judgement judge(CounterDiff diff) {
                return all.judge(diff);
            }

            @Override
            public Expectation<CounterDiff> ofAbortedBody() {
                return ofAbortedBody;
            }
        };
    }

    private Expectation<CounterDiff> together(List<Expectation<CounterDiff>> armed, CounterScope scope) {
        Expectation<CounterDiff> all = diff ->
                Judgement.of(armed.stream().map(rule -> rule.judge(diff)).toList());
        return errorsMustNotMove || demandsSomething() ? attributed(all, scope) : all;
    }

    /**
     * The default rule alone, with its attribution.
     *
     * @param scope whose counters
     * @return judges differences of that scope
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Expectation<CounterDiff> errors(CounterScope scope) {
        if (!errorsMustNotMove) {
            return diff -> Judgement.NOTHING;
        }
        Expectation<CounterDiff> rule = NoErrorCounterExpectation.except(allowed, scope);
        return attributed(unlessRestarted(NoErrorCounterExpectation.RULE, rule), scope);
    }

    /** Leaves a rule undecided where the counters began anew: no difference of theirs means anything then. */
    private static Expectation<CounterDiff> unlessRestarted(String rule, Expectation<CounterDiff> expectation) {
        Expectation<CounterDiff> ofAbortedBody = expectation.ofAbortedBody();
        return new Expectation<>() {
            @Override
            public Judgement judge(CounterDiff diff) {
                return diff.restart()
                        .map(evidence -> new Judgement(
                                List.of(),
                                List.of(new Undecided(rule, diff.where(), CounterMessages.restarted(evidence))),
                                List.of()))
                        .orElseGet(() -> expectation.judge(diff));
            }

            @Override
            public Expectation<CounterDiff> ofAbortedBody() {
                return ofAbortedBody == expectation
                        ? this
                        : diff -> diff.restart().isPresent() ? Judgement.NOTHING : ofAbortedBody.judge(diff);
            }
        };
    }

    private Expectation<CounterDiff> attributed(Expectation<CounterDiff> rule, CounterScope scope) {
        Attribution attributing = attribution == null ? Attribution.STRICT : attribution;
        String doubt = scope.coreDoubt();
        return diff -> {
            Judgement found = attributing.attribute(rule.judge(diff), diff);
            return doubt == null ? found : new CoreDoubt(doubt).judge(found, diff);
        };
    }

    /**
     * Judges a difference that exists already.
     *
     * @param diff what was seen
     * @return what was found
     * @throws CounterNameException when a demand names no counter of this host, or more than one
     * @throws IllegalArgumentException when a peak was to be cleared first, which is too late
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Judgement judge(CounterDiff diff) {
        for (CounterExpectation demand : demands) {
            if (demand instanceof PeakMemoryExpectation peak && peak.clearFirst()) {
                throw new IllegalArgumentException(
                        "%s: the peak cannot be cleared first when the test has already run".formatted(peak));
            }
        }
        return arm(diff.scope()).judge(diff);
    }

    /** Collects demands. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {

        private boolean errorsMustNotMove = true;
        private final List<String> allowed = new ArrayList<>();
        private final List<CounterExpectation> demands = new ArrayList<>();
        private @Nullable Attribution attribution;

        private Builder() {}

        /**
         * Switches the default rule on or off.
         *
         * @param wanted false to let error counters move
         * @return this
         */
        public Builder errorsMustNotMove(boolean wanted) {
            errorsMustNotMove = wanted;
            return this;
        }

        /**
         * Lets one error counter move. A name that this host does not know is only noticed: what is not there cannot move, and a
         * suite runs on several drivers.
         *
         * @param counter a path below {@code stats} such as {@code status/oob_error}, or its last part
         * @return this
         */
        public Builder allow(String counter) {
            allowed.add(counter);
            return this;
        }

        /**
         * Adds a demand.
         *
         * @param demand such as {@link CounterDeltaExpectation} or {@link MemoryReturnedExpectation}
         * @return this
         */
        public Builder expect(CounterExpectation demand) {
            demands.add(demand);
            return this;
        }

        /**
         * Says what becomes of a demand that was broken by a counter of a whole device while another process was on it.
         *
         * @param wanted what {@code neuron.test.attribution} says unless this is called, strict when that is not set
         * @return this
         */
        public Builder attribution(Attribution wanted) {
            attribution = wanted;
            return this;
        }

        /**
         * Ends building.
         *
         * @return the rules
         */
        public CounterExpectations build() {
            return new CounterExpectations(this);
        }
    }
}
