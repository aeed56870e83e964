package dev.neurontest.counter;

import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Executions and their outcomes must all have been counted. The default rule does not ask for that: where an older driver holds
 * counts back it passes with a notice. With this rule the judgement is undecided then, with the reason.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CompleteCountsExpectation() implements CounterExpectation {

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
     * The demand in the user's words.
     *
     * @return a phrase
     */
    @Override
    public String toString() {
        return "nothing is held back";
    }
}
