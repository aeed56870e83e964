package dev.neurontest.internal.profile.threshold;

import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.metric.Quantity;
import dev.neurontest.profile.TracedExecution;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What became of one threshold: kept, violated or undecided, and by how much.
 *
 * @param rule the threshold in the user's words
 * @param metric which metric was held against it
 * @param value what the executions come to, on the rank that is worst for the limit; empty when nothing could be measured
 * @param limit the end of the threshold that was broken, or else the nearer one, such as {@code at most 17 ms}
 * @param bound the same as a number
 * @param margin such as {@code 3.5 % left} or {@code 2 points short}; empty without a value
 * @param over what of several executions was taken
 * @param trace an execution to look at: that whose value is nearest
 * @param violation when it is broken
 * @param undecided when nothing can be said
 * @param notices what a reader should know
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

    /**
     * Keeps its own copy.
     *
     * @param rule the threshold
     * @param metric which metric
     * @param value what it came to
     * @param limit which end counts
     * @param bound the same as a number
     * @param margin how far away
     * @param over what was taken
     * @param trace an execution to look at
     * @param violation when it is broken
     * @param undecided when nothing can be said
     * @param notices what a reader should know
     */
    public ThresholdOutcome {
        notices = List.copyOf(notices);
    }

    /**
     * The value for people.
     *
     * @return rounded, but never so that it looks like a limit that it is not; empty without a value
     */
    public String shown() {
        return value.map(it -> new Limit(true, bound).text(it.value())).orElse("");
    }

    /**
     * Whether the threshold holds.
     *
     * @return true when it is neither violated nor undecided
     */
    public boolean isKept() {
        return violation.isEmpty() && undecided.isEmpty();
    }

    /**
     * Returns what became of it, as every view has it.
     *
     * @return {@code kept}, {@code violated} or {@code undecided}
     */
    public String word() {
        return isKept() ? "kept" : violation.isPresent() ? "violated" : "undecided";
    }
}
