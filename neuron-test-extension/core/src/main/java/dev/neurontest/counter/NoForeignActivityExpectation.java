package dev.neurontest.counter;

import dev.neurontest.internal.counter.ConcurrentUsers;
import dev.neurontest.internal.counter.CounterText;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Violation;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** An expectation that no other process works on the other cores of the leased devices. Without it, such work only causes a notice. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NoForeignActivityExpectation() implements CounterExpectation {

    /** @hidden */
    @API(status = API.Status.INTERNAL, since = "0.1")
    @Override
    public Expectation<CounterDiff> arm(CounterScope scope) {
        return this::judge;
    }

    private Judgement judge(CounterDiff diff) {
        Stream<Violation> moved = diff.onOtherCores().stream()
                .map(change -> new Violation(
                        toString(),
                        change.subject(),
                        "unchanged",
                        CounterText.moved(change),
                        advice(diff.neighbours(change))));
        Stream<Violation> unseen = diff.unwatched().stream()
                .map(cause -> new Violation(
                        toString(),
                        cause.location(),
                        "readable counters",
                        cause.getMessage(),
                        "Without readings, foreign activity cannot be excluded."));
        return new Judgement(Stream.concat(moved, unseen).toList(), List.of(), List.of());
    }

    private static String advice(List<String> neighbours) {
        return "This core was not leased: %s. Lease the whole device to be alone on it."
                .formatted(
                        neighbours.isEmpty()
                                ? "another process or another test uses the same device"
                                : "the same device was used by " + ConcurrentUsers.named(neighbours));
    }

    /**
     * Returns the expectation as a phrase.
     *
     * @return a phrase
     */
    @Override
    public String toString() {
        return "no foreign activity";
    }
}
