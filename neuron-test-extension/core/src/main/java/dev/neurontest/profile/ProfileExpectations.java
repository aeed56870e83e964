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
 * The expectations of a test for a profile. They are immutable, and any number of tests can share them.
 *
 * <p>The profile must be valid first. No threshold is judged on a profile in doubt, neither as met nor as violated. A first execution and
 * throttling make only metrics that depend on time doubtful. A first execution is excluded if there are others.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ProfileExpectations {

    /** The default expectation: the profile is valid. */
    public static final ProfileExpectations DEFAULT = builder().build();

    private static final String VALID = "a valid profile";

    private final List<MetricExpectation> thresholds;

    private ProfileExpectations(Builder builder) {
        this.thresholds = List.copyOf(builder.thresholds);
    }

    /**
     * Creates a builder without thresholds.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the thresholds.
     *
     * @return thresholds in the order of their addition
     */
    public List<MetricExpectation> thresholds() {
        return thresholds;
    }

    /**
     * Compares a profile with every threshold.
     *
     * @param profile the measured profile
     * @return one outcome for each threshold, in their order
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<ThresholdOutcome> outcomes(Profile profile) {
        return thresholds.stream()
                .map(threshold -> ThresholdCheck.outcome(threshold, profile))
                .toList();
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Judgement judge(Profile profile) {
        return judge(profile, outcomes(profile));
    }

    /**
     * Judges a profile by outcomes that are already known.
     *
     * @param profile the measured profile
     * @param outcomes one outcome for each threshold
     * @return the judgement
     * @hidden
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

    /** Reports the doubts if there is no threshold, because no other rule does. */
    private static List<Undecided> validity(Profile profile) {
        String doubts = Doubts.reasons(profile);
        return doubts.isEmpty() ? List.of() : List.of(new Undecided(VALID, profile.title(), doubts));
    }

    /**
     * Returns whether an expectation is undecided only because the device was throttled.
     *
     * @param expectation the expectation
     * @param profile the measured profile
     * @return false also when the expectation is decided
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static boolean onlyThrottlingLeavesOpen(Expectation<Profile> expectation, Profile profile) {
        return !expectation.judge(profile).undecided().isEmpty()
                && expectation
                        .judge(Doubts.withoutThrottling(profile))
                        .undecided()
                        .isEmpty();
    }

    /**
     * Returns whether times of two throttling classes are comparable: both are known and differ by at most 10 points.
     *
     * @param some the class from {@link Profile#throttleClass()}
     * @param other the class of another profile
     * @return false for an unknown class, even in comparison with itself
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static boolean areThrottledAlike(String some, String other) {
        return Throttling.isNear(some, other);
    }

    /** A builder that collects thresholds. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {

        private final List<MetricExpectation> thresholds = new ArrayList<>();

        private Builder() {}

        /**
         * Adds a threshold.
         *
         * @param threshold a threshold such as {@link MetricExpectation#of(String, String, String, String)}
         * @return this
         */
        public Builder expect(MetricExpectation threshold) {
            thresholds.add(threshold);
            return this;
        }

        /**
         * Builds the expectations.
         *
         * @return the expectations
         */
        public ProfileExpectations build() {
            return new ProfileExpectations(this);
        }
    }
}
