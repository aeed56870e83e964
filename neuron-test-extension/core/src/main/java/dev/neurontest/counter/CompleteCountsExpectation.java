package dev.neurontest.counter;

import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import java.util.List;
import org.apiguardian.api.API;

/**
 * An expectation that all executions and their outcomes have been counted. The default rule does not require this: it passes with
 * a notice when an older driver defers counts. With this expectation, the judgement is then undecided, and the reason is
 * included.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CompleteCountsExpectation() implements CounterExpectation {

    /** @hidden */
    @API(status = API.Status.INTERNAL, since = "0.1")
    @Override
    public Expectation<CounterDiff> arm(CounterScope scope) {
        return diff -> diff.deferredBy()
                .map(reason -> new Judgement(
                        List.of(),
                        List.of(new Undecided(toString(), "executions and their outcomes", reason)),
                        List.of()))
                .orElse(Judgement.NOTHING);
    }

    /**
     * Returns the expectation as a phrase.
     *
     * @return a phrase
     */
    @Override
    public String toString() {
        return "nothing is held back";
    }
}
