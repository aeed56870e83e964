package dev.neurontest.baseline;

import dev.neurontest.internal.baseline.statistics.RatioInterval;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The comparison of a test's metric with its baseline, including all data to verify or change the result.
 *
 * @param key the key of the compared value
 * @param metric its name, unit, direction and noise
 * @param stack the stack of the measurement
 * @param outcome the outcome
 * @param reason the reason as one word for programs, such as {@code slower}, {@code too-noisy}, {@code throttled} or {@code other-stack}
 * @param margin the accepted degradation, such as 0.03
 * @param baseline the runs of the baseline; empty without a baseline
 * @param sample the measured runs, without rejected ones
 * @param ratio the ratio of the new median to the old one, with its interval; empty without a baseline
 * @param improved true if the value is certainly better by more than the margin
 * @param looks numbers of runs after which the rule was evaluated, in order, such as 5 and 10
 * @param rejected the reasons why runs do not count, one sentence each
 * @param decides a sentence about the condition for a decision; empty when it is decided
 * @param file the path of the baseline file
 * @param nearest the most similar stack with the same metric; empty when there is none, or when the baseline contains this stack
 * @param update the command that accepts the measured values
 * @param notes additional information, such as the age of the baseline or another NEFF
 * @param accepted the current baseline and earlier ones, newest first, in limited number; empty without a baseline
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Comparison(
        BaselineKey key,
        Metric metric,
        Stack stack,
        ComparisonOutcome outcome,
        String reason,
        Fraction margin,
        Optional<Sample> baseline,
        Sample sample,
        Optional<Ratio> ratio,
        boolean improved,
        List<Integer> looks,
        List<String> rejected,
        String decides,
        String file,
        Optional<Stack> nearest,
        String update,
        List<String> notes,
        List<Accepted> accepted) {

    private static final String RULE = "not worse than the baseline by more than ";

    /**
     * The reason for a run that took no time although the baseline did.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public static final String NO_TIME = "no-time";

    /**
     * The reason for a run with a result that reports a failure.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public static final String FAILED_RUN = "failed-run";

    /**
     * The reason for a run without a complete result.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public static final String INCOMPLETE_RUN = "incomplete-run";

    /**
     * Returns the expectation that the comparison judges.
     *
     * @return a text such as {@code not worse than the baseline by more than 3 %}
     */
    public String rule() {
        return RULE + margin;
    }

    /**
     * Returns whether an expectation belongs to a comparison. Noise of a comparison is not a failure.
     *
     * @param rule the text of the expectation
     * @return true for texts from {@link #rule()}
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static boolean isRule(String rule) {
        return rule.startsWith(RULE);
    }

    /**
     * The ratio of the new median to the old median.
     *
     * @param low the lower end of the interval
     * @param value the ratio of the medians
     * @param high the upper end of the interval
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Ratio(double low, double value, double high) {

        /** @hidden */
        @API(status = API.Status.INTERNAL)
        public static Ratio of(RatioInterval interval) {
            return new Ratio(interval.low(), interval.value(), interval.high());
        }
    }

    /**
     * A baseline that was accepted.
     *
     * @param median the median of its runs
     * @param recorded the date of the recording
     * @param note the reason for the change; empty when none was given
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Accepted(double median, LocalDate recorded, String note) {}

    /**
     * Creates a comparison with its own copies of the lists.
     *
     * @param key the key of the compared value
     * @param metric its name, unit, direction and noise
     * @param stack the stack of the measurement
     * @param outcome the outcome
     * @param reason the reason as one word
     * @param margin the accepted degradation
     * @param baseline the runs of the baseline
     * @param sample the measured runs
     * @param ratio the ratio of the medians
     * @param improved true if the value is certainly better
     * @param looks numbers of runs after which the rule was evaluated
     * @param rejected the reasons why runs do not count
     * @param decides the condition for a decision
     * @param file the path of the baseline file
     * @param nearest the most similar stack
     * @param update the command that accepts the values
     * @param notes additional information
     * @param accepted the current baseline and earlier ones
     */
    public Comparison {
        looks = List.copyOf(looks);
        rejected = List.copyOf(rejected);
        notes = List.copyOf(notes);
        accepted = List.copyOf(accepted);
    }

    /**
     * Returns whether a run took no time although the baseline did. This is not noise, therefore the test must not pass.
     *
     * @return false for all other comparisons
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public boolean tookNoTime() {
        return reason.equals(NO_TIME);
    }

    /**
     * Returns whether the comparison ended because a run reported a failure. The test must not pass.
     *
     * @return false for all other comparisons
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public boolean hasFailedRun() {
        return reason.equals(FAILED_RUN);
    }

    /**
     * Returns whether the comparison ended because a run had no complete result. This is not noise.
     *
     * @return false for all other comparisons
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public boolean hasIncompleteRun() {
        return reason.equals(INCOMPLETE_RUN);
    }

    /**
     * Returns the same comparison as contaminated, after a disturbance of its runs was found later.
     *
     * @param why the disturbances, one sentence each
     * @return a contaminated comparison; the same if a run reported a failure, which remains one
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Comparison disturbed(List<String> why) {
        if (hasFailedRun()) {
            return this;
        }
        return new Comparison(
                key,
                metric,
                stack,
                ComparisonOutcome.CONTAMINATED,
                "disturbed",
                margin,
                baseline,
                sample,
                ratio,
                false,
                looks,
                rejected,
                "undisturbed runs: " + String.join("; ", why),
                file,
                nearest,
                update,
                notes,
                accepted);
    }
}
