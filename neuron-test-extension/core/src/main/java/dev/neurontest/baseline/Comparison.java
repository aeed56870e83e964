package dev.neurontest.baseline;

import dev.neurontest.internal.baseline.statistics.RatioInterval;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A metric of a test beside its baseline, with all that a person needs to believe it or to change it.
 *
 * @param key what was compared
 * @param metric its name, unit, direction and noise
 * @param stack where it was measured
 * @param outcome what it came to
 * @param reason in one word for programs, such as {@code slower}, {@code too-noisy}, {@code throttled} or {@code other-stack}
 * @param margin by how much worse is accepted, such as 0.03
 * @param baseline what it was compared with; empty without one
 * @param sample what was measured, without rejected runs
 * @param ratio of the medians, new by old, with its interval; empty without a baseline
 * @param improved whether it is better by more than the margin, beyond doubt
 * @param looks after how many runs the rule was asked, in order, such as 5 and 10
 * @param rejected why runs do not count, one sentence each
 * @param decides what would decide it, in a sentence; empty when it is decided
 * @param file the baseline file, as a person would open it
 * @param nearest the stack of the same metric that is most alike; empty when there is none, or when the stack itself is there
 * @param update the command that accepts what was measured
 * @param notes what is worth knowing beside, such as the age of the baseline or another NEFF
 * @param accepted the baseline and those that were accepted before it, the newest first, of bounded length; empty without a baseline
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

    /** The reason of a run that took no time although the baseline did. */
    @API(status = API.Status.INTERNAL)
    public static final String NO_TIME = "no-time";

    /**
     * The demand that a comparison judges.
     *
     * @return such as {@code not worse than the baseline by more than 3 %}
     */
    public String rule() {
        return RULE + margin;
    }

    /**
     * Whether a demand is that of a comparison, whose noise is no fault.
     *
     * @param rule in words
     * @return true for what {@link #rule()} says
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static boolean isRule(String rule) {
        return rule.startsWith(RULE);
    }

    /**
     * How many times the old median the new one is.
     *
     * @param low end of the interval
     * @param value the ratio of the medians
     * @param high end of the interval
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Ratio(double low, double value, double high) {

        @API(status = API.Status.INTERNAL)
        public static Ratio of(RatioInterval interval) {
            return new Ratio(interval.low(), interval.value(), interval.high());
        }
    }

    /**
     * A baseline that was accepted.
     *
     * @param median of its runs
     * @param recorded when
     * @param note why it changed then; empty when none was given
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Accepted(double median, LocalDate recorded, String note) {}

    /**
     * Keeps its own copies.
     *
     * @param key what was compared
     * @param metric its name, unit, direction and noise
     * @param stack where it was measured
     * @param outcome what it came to
     * @param reason in one word
     * @param margin by how much worse is accepted
     * @param baseline what it was compared with
     * @param sample what was measured
     * @param ratio of the medians
     * @param improved whether it is better beyond doubt
     * @param looks after how many runs the rule was asked
     * @param rejected why runs do not count
     * @param decides what would decide it
     * @param file the baseline file
     * @param nearest the stack that is most alike
     * @param update the command that accepts it
     * @param notes what is worth knowing beside
     * @param accepted the baseline and those before it
     */
    public Comparison {
        looks = List.copyOf(looks);
        rejected = List.copyOf(rejected);
        notes = List.copyOf(notes);
        accepted = List.copyOf(accepted);
    }

    /**
     * Returns whether a run took no time although the baseline did. That is no noise, which a test may pass with.
     *
     * @return false for all other comparisons
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public boolean tookNoTime() {
        return reason.equals(NO_TIME);
    }

    /**
     * The same where none of its runs is to be believed, which was known only after them.
     *
     * @param why what disturbed them, one sentence each
     * @return a contaminated comparison
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Comparison disturbed(List<String> why) {
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
                "runs that nothing disturbs: " + String.join("; ", why),
                file,
                nearest,
                update,
                notes,
                accepted);
    }
}
