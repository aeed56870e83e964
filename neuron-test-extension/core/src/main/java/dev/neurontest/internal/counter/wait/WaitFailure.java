package dev.neurontest.internal.counter.wait;

import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.internal.counter.CounterText;
import dev.neurontest.internal.counter.tree.DeferredCounts;
import dev.neurontest.internal.judgement.Failure;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.DurationText;
import dev.neurontest.internal.text.ListText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.opentest4j.AssertionFailedError;

/**
 * The failure of a wait, with the expected values, the last readings, the changes and advice.
 *
 * @param plan specification of the wait
 * @param limit time limit
 * @param end reason for the end
 * @param error error counter that ended the wait
 * @param last last readings
 * @param waited duration of the wait
 * @param looks number of readings
 * @param all changes of all counters since the beginning
 */
record WaitFailure(
        AwaitPlan plan,
        Duration limit,
        End end,
        Optional<Violation> error,
        List<AwaitedValue> last,
        Duration waited,
        int looks,
        CounterDiff all) {

    private static final int MOST_MOVED = 20;

    /** The reason for the end of a wait. */
    enum End {
        TIME_OVER,
        ERROR,
        INTERRUPTED
    }

    AssertionFailedError toError() {
        return Failure.error(text(), plan.expected(), actual());
    }

    private String actual() {
        return words(last)
                + error.map(each -> "; " + each.subject() + " " + each.actual()).orElse("");
    }

    /** Returns the values as text; several values include their places. */
    static String words(List<AwaitedValue> values) {
        return values.size() == 1
                ? values.get(0).words()
                : values.stream()
                        .map(value -> value.where() + " " + value.words())
                        .collect(Collectors.joining(", "));
    }

    String text() {
        return "%s\n\n%s\n%s\n".formatted(headline(), CounterText.table(all, MOST_MOVED), advice());
    }

    private String headline() {
        String where = ListText.of(last, AwaitedValue::where);
        return "Waited for %s of %s on %s: expected %s within %s, was %s %s"
                .formatted(
                        plan.target().name(),
                        where,
                        plan.scope().tree().name(),
                        plan.expected(),
                        DurationText.exact(limit),
                        words(last),
                        ended());
    }

    private String ended() {
        String after = DurationText.exact(waited);
        return switch (end) {
            case TIME_OVER -> "after %s (%s)".formatted(after, CountText.of(looks, "reading"));
            case ERROR ->
                error.map(each -> "when %s had changed (%s) after %s".formatted(each.subject(), each.actual(), after))
                        .orElseThrow();
            case INTERRUPTED -> "when the thread was interrupted after %s".formatted(after);
        };
    }

    private String advice() {
        List<String> advice = new ArrayList<>();
        error.ifPresent(each -> advice.add(each.advice()));
        last.stream()
                .map(AwaitedValue::failure)
                .filter(failure -> failure != null)
                .findFirst()
                .ifPresent(failure -> advice.add("It cannot be read: " + failure));
        deferredBy().ifPresent(advice::add);
        if (advice.isEmpty()) {
            advice.add(
                    end == End.INTERRUPTED
                            ? "The thread was interrupted, for example by @Timeout: allow the test more time than the wait."
                            : "If it only takes longer, allow more time. Otherwise check whether the workload does what the test requests, and which counters changed.");
        }
        return String.join("\n", advice);
    }

    /** Returns the reason why the counter cannot change. Up to driver 2.29 it does not change while the owner is running. */
    private Optional<String> deferredBy() {
        if (!plan.target().isCounter()) {
            return Optional.empty();
        }
        CounterChange change = all.counter(plan.target().name());
        DeferredCounts deferredCounts = all.scope().deferredCounts();
        return all.deferredBy(change)
                .or(() -> deferredCounts != null && change.kind().isDeferred()
                        ? Optional.of(
                                "This host (%s) counts executions and their outcomes when the owning process closes the device; processes of other users are only visible to root."
                                        .formatted(deferredCounts.reason()))
                        : Optional.empty());
    }
}
