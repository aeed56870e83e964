package dev.neurontest.counter;

import dev.neurontest.internal.counter.ConcurrentUsers;
import dev.neurontest.internal.counter.CounterText;
import dev.neurontest.internal.counter.HealthChange;
import dev.neurontest.internal.device.CounterKind;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The messages of all counter rules. */
final class CounterMessages {

    private static final int NAMED = 4;

    private CounterMessages() {}

    static Violation errorMoved(CounterChange change) {
        return new Violation(
                NoErrorCounterExpectation.RULE,
                change.subject(),
                "unchanged",
                CounterText.moved(change),
                change.kind() == CounterKind.ECC
                        ? "The device reports memory errors that it could not correct: take it out of service. To accept them in this test: %s."
                                .formatted(allow(change.path()))
                        : "Check the status that the workload received, and dmesg. If this error is intended: %s."
                                .formatted(allow(change.path())));
    }

    /** Merges the files of one place that fail in the same way before and after the test into one violation. */
    static List<Violation> unreadable(String rule, List<UnreadableCounter> counters) {
        Map<List<Object>, List<UnreadableCounter>> alike = new LinkedHashMap<>();
        for (UnreadableCounter counter : counters) {
            Object kind = counter.cause().content() == null && counter.cause().getCause() != null
                    ? counter.cause().getCause().getClass()
                    : counter.counter();
            alike.computeIfAbsent(List.of(counter.counter().place(), kind), key -> new ArrayList<>())
                    .add(counter);
        }
        return alike.values().stream().map(same -> unreadableAlike(rule, same)).toList();
    }

    private static Violation unreadableAlike(String rule, List<UnreadableCounter> same) {
        UnreadableCounter counter = same.get(0);
        long files = same.stream().map(UnreadableCounter::counter).distinct().count();
        String more = files == 1
                ? ""
                : " %s of %s failed in the same way."
                        .formatted(
                                CountText.of(files - 1, "more file"),
                                counter.counter().place());
        String moments = same.stream().map(UnreadableCounter::moment).distinct().collect(Collectors.joining(" and "));
        return new Violation(
                rule,
                counter.counter().toString(),
                "a readable counter",
                "%s the test: %s%s".formatted(moments, counter.cause().getMessage(), more),
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

    static Violation unhealthy(String rule, String subject, HealthChange change) {
        return new Violation(
                rule,
                subject,
                change.before().isEmpty() ? "no broken component" : change.before(),
                change.after(),
                "The driver reports a broken part of the device: see neuron-test doctor and dmesg, and take the device out of service. To accept it in this test: @AllowCounter(\"unhealthy_components\").");
    }

    static String otherEntries(List<String> changes) {
        return "%s during the test: errors may be missing from the counters. Look at dmesg, and run the test again."
                .formatted(ListText.some(changes, NAMED));
    }

    static String restarted(String evidence) {
        return "The driver was reloaded during the test, or its counters were cleared: %s. The earlier counts are lost, so the differences are meaningless. Run the test again, and keep others from reloading the driver."
                .formatted(evidence);
    }

    static Violation perhapsByOthers(Violation violation, List<String> neighbours) {
        return new Violation(
                violation.rule(),
                violation.subject(),
                violation.expected(),
                violation.actual(),
                "%s It is a counter of the whole device, and these may have caused the change: %s."
                        .formatted(violation.advice(), ConcurrentUsers.named(neighbours)));
    }

    /**
     * Returns an undecided result for a violation that another process may have caused. It keeps the advice, because an ECC error
     * needs attention in any case.
     */
    static Undecided notAttributable(Violation violation, List<String> neighbours) {
        return new Undecided(
                violation.rule(),
                violation.subject(),
                "Expected %s, was %s; but it is a counter of the whole device, which these also used: %s. The change cannot be attributed to one process. Lease the whole device to be alone on it. %s"
                        .formatted(
                                violation.expected(),
                                violation.actual(),
                                ConcurrentUsers.named(neighbours),
                                violation.advice()));
    }

    static String clearedDuringTest(CounterChange change) {
        return "%s Keep others from writing to %s during the test."
                .formatted(
                        CounterText.decreased("It", change), change.locations().get(0));
    }

    static String wrappedMemory(CounterChange change) {
        return "%s: it was cleared while memory was in use, so its differences are meaningless. Keep others from writing to %s during the test."
                .formatted(CounterText.went("It", change), change.locations().get(0));
    }

    private static String allow(String path) {
        return "@AllowCounter(\"%s\")".formatted(path.substring(path.lastIndexOf('/') + 1));
    }
}
