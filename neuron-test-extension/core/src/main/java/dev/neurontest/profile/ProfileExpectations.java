package dev.neurontest.profile;

import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.profile.Doubts;
import dev.neurontest.internal.profile.Throttling;
import dev.neurontest.internal.profile.threshold.ThresholdOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * What a test demands of a profile. Immutable; one value serves any number of tests.
 *
 * <p>The profile has to be valid first: from one in doubt nothing is decided, neither for nor against a threshold. A first execution
 * and throttling put only what carries time in doubt; a first execution is left out where there are others.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ProfileExpectations implements Expectation<Profile> {

    /** The rule that holds unless a test says otherwise: the profile is valid. */
    public static final ProfileExpectations DEFAULT = builder().build();

    private static final String VALID = "a valid profile";

    private final List<MetricExpectation> thresholds;

    private ProfileExpectations(Builder builder) {
        this.thresholds = List.copyOf(builder.thresholds);
    }

    /**
     * Starts without thresholds.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The thresholds.
     *
     * @return in the order in which they were added
     */
    public List<MetricExpectation> thresholds() {
        return thresholds;
    }

    /**
     * Holds every threshold against a profile.
     *
     * @param profile what was measured
     * @return one for each threshold, in their order
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<ThresholdOutcome> outcomes(Profile profile) {
        return thresholds.stream()
                .map(threshold -> ThresholdCheck.outcome(threshold, profile))
                .toList();
    }

    @API(status = API.Status.INTERNAL, since = "0.1")
    @Override
    public Judgement judge(Profile profile) {
        return judge(profile, outcomes(profile));
    }

    /**
     * What follows from outcomes that are known already.
     *
     * @param profile what was measured
     * @param outcomes one for each threshold
     * @return what was found
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static Judgement judge(Profile profile, List<ThresholdOutcome> outcomes) {
        List<Violation> violations = outcomes.stream()
                .map(ThresholdOutcome::violation)
                .flatMap(Optional::stream)
                .toList();
        List<Undecided> undecided = outcomes.stream()
                .map(ThresholdOutcome::undecided)
                .flatMap(Optional::stream)
                .toList();
        List<String> notices = Stream.of(
                        profile.notices().stream(),
                        outcomes.stream().flatMap(each -> each.notices().stream()),
                        undecided.isEmpty() ? Doubts.throttling(profile).map(Doubt::reason) : Stream.<String>empty(),
                        undecided.isEmpty() ? Stream.of(Doubts.ofDma(profile)) : Stream.<String>empty())
                .flatMap(each -> each)
                .filter(notice -> !notice.isEmpty())
                .distinct()
                .toList();
        return new Judgement(violations, outcomes.isEmpty() ? validity(profile) : undecided, notices);
    }

    /** Without any threshold no other rule reports the doubts. */
    private static List<Undecided> validity(Profile profile) {
        String doubts = Doubts.reasons(profile);
        return doubts.isEmpty() ? List.of() : List.of(new Undecided(VALID, profile.title(), doubts));
    }

    /**
     * Whether a demand is undecided for no other reason than that the device was slowed down.
     *
     * @param demand what was judged
     * @param profile what was measured
     * @return false when it is decided, too
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static boolean onlyThrottlingLeavesOpen(Expectation<Profile> demand, Profile profile) {
        return !demand.judge(profile).undecided().isEmpty()
                && demand.judge(Doubts.withoutThrottling(profile)).undecided().isEmpty();
    }

    /**
     * Whether times of two classes of throttling may be compared: both are known, and the same but for 10 points.
     *
     * @param some as {@link Profile#throttleClass()} says it
     * @param other of another profile
     * @return false for a class that is not known, even beside itself
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static boolean areThrottledAlike(String some, String other) {
        return Throttling.isNear(some, other);
    }

    /** Collects thresholds. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {

        private final List<MetricExpectation> thresholds = new ArrayList<>();

        private Builder() {}

        /**
         * Adds a threshold.
         *
         * @param threshold such as {@link MetricExpectation#of(String, String, String, String)}
         * @return this
         */
        public Builder expect(MetricExpectation threshold) {
            thresholds.add(threshold);
            return this;
        }

        /**
         * Ends building.
         *
         * @return the rules
         */
        public ProfileExpectations build() {
            return new ProfileExpectations(this);
        }
    }
}
