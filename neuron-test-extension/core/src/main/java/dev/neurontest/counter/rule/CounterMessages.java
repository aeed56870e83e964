package dev.neurontest.counter.rule;

import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.CounterText;
import dev.neurontest.counter.Neighbours;
import dev.neurontest.counter.UnreadableCounter;
import dev.neurontest.counter.tree.CounterKind;
import dev.neurontest.recording.Undecided;
import dev.neurontest.recording.Violation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the rules say, in one place. */
final class CounterMessages {

    private CounterMessages() {}

    static Violation errorMoved(CounterChange change) {
        return new Violation(
                NoErrorCounterMoves.RULE,
                change.subject(),
                "unchanged",
                CounterText.moved(change),
                change.kind() == CounterKind.ECC
                        ? "The device reports memory errors that it could not correct: take it out of service. To accept them in this test: %s."
                                .formatted(allow(change.path()))
                        : "If this error is intended: %s. Otherwise look at the status that the workload got, and at dmesg."
                                .formatted(allow(change.path())));
    }

    /** Several files that fail alike on one place are one violation; what they say is said once. */
    static List<Violation> unreadable(String rule, List<UnreadableCounter> counters) {
        Map<List<Object>, List<UnreadableCounter>> alike = new LinkedHashMap<>();
        for (UnreadableCounter counter : counters) {
            Object kind = counter.cause().content() == null && counter.cause().getCause() != null
                    ? counter.cause().getCause().getClass()
                    : counter.counter();
            alike.computeIfAbsent(List.of(counter.moment(), counter.counter().place(), kind), key -> new ArrayList<>())
                    .add(counter);
        }
        return alike.values().stream()
                .map(same -> unreadable(rule, same.get(0), same.size()))
                .toList();
    }

    private static Violation unreadable(String rule, UnreadableCounter counter, int count) {
        String more = count == 1
                ? ""
                : " So did %s more files of %s."
                        .formatted(count - 1, counter.counter().place());
        return new Violation(
                rule,
                counter.counter().toString(),
                "a readable counter",
                "%s the test: %s%s".formatted(counter.moment(), counter.cause().getMessage(), more),
                "A counter that cannot be read proves nothing; see %s."
                        .formatted(counter.cause().location()));
    }

    static Violation unreadable(String rule, CounterChange change) {
        return new Violation(
                rule,
                change.subject(),
                "a readable counter",
                change.failures().get(0).getMessage(),
                "A counter that cannot be read proves nothing; see %s."
                        .formatted(change.failures().get(0).location()));
    }

    static Violation perhapsByOthers(Violation violation, List<String> neighbours) {
        return new Violation(
                violation.rule(),
                violation.subject(),
                violation.expected(),
                violation.actual(),
                "%s It is a counter of the whole device, where these were too and may have caused it: %s."
                        .formatted(violation.advice(), Neighbours.named(neighbours)));
    }

    /** The advice stays: an ECC error is worth looking at, whichever process met it. */
    static Undecided notAttributable(Violation violation, List<String> neighbours) {
        return new Undecided(
                violation.rule(),
                violation.subject(),
                "Expected %s, was %s; but it is a counter of the whole device, where these were too: %s. Whose doing it is cannot be told. Lease the whole device to be alone on it. %s"
                        .formatted(
                                violation.expected(),
                                violation.actual(),
                                Neighbours.named(neighbours),
                                violation.advice()));
    }

    static String clearedMeanwhile(CounterChange change) {
        return "%s: %s. What was counted before that is unknown. Keep others from writing to %s during the test."
                .formatted(
                        went(change),
                        CounterText.remark(change),
                        change.locations().get(0));
    }

    static String wrappedMemory(CounterChange change) {
        return "%s: it was cleared while memory was in use, so its differences mean nothing. Keep others from writing to %s during the test."
                .formatted(went(change), change.locations().get(0));
    }

    private static String went(CounterChange change) {
        return change.counters().size() == 1
                ? "It went from %s to %s".formatted(CounterText.before(change), CounterText.after(change))
                : "One of the %s counters behind it became smaller"
                        .formatted(change.counters().size());
    }

    private static String allow(String path) {
        return "@AllowCounter(\"%s\")".formatted(path.substring(path.lastIndexOf('/') + 1));
    }
}
