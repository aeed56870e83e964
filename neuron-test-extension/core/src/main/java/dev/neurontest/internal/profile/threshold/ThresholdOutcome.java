package dev.neurontest.internal.profile.threshold;

import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.metric.Quantity;
import dev.neurontest.profile.TracedExecution;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The result of one threshold: kept, violated or undecided, and its distance from the limit.
 *
 * @param rule the threshold in the user's words
 * @param metric the metric that was compared
 * @param value the value of the executions on the worst rank; empty when no value was measured
 * @param limit the end of the threshold that was violated, or else the nearer end, such as {@code at most 17 ms}
 * @param bound the same end as a number
 * @param margin such as {@code 3.5 % left} or {@code 2 points short}; empty without a value
 * @param over name of the statistic over several executions
 * @param trace the execution with the value nearest to the result
 * @param violation the violation of a violated threshold
 * @param undecided the reason for an undecided threshold
 * @param notices remarks for readers
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ThresholdOutcome(
        String rule,
        String metric,
        Optional<Quantity> value,
        String limit,
        Quantity bound,
        String margin,
        String over,
        Optional<TracedExecution> trace,
        Optional<Violation> violation,
        Optional<Undecided> undecided,
        List<String> notices) {

    /** Creates an outcome with its own copy of the notices. */
    public ThresholdOutcome {
        notices = List.copyOf(notices);
    }

    /**
     * Returns the value for people; empty without a value. It is rounded, but with more digits where it would equal a limit that it does
     * not equal.
     */
    public String shown() {
        return value.map(it -> new Limit(true, bound).text(it.value())).orElse("");
    }

    /** Checks whether the threshold holds, that is, is neither violated nor undecided. */
    public boolean isKept() {
        return violation.isEmpty() && undecided.isEmpty();
    }

    /**
     * Returns the word for the result that all views use.
     *
     * @return {@code kept}, {@code violated} or {@code undecided}
     */
    public String word() {
        return isKept() ? "kept" : violation.isPresent() ? "violated" : "undecided";
    }
}
