package dev.neurontest.counter.wait;

import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterText;
import dev.neurontest.counter.SeenValue;
import dev.neurontest.counter.tree.CountedAtClose;
import dev.neurontest.recording.Failure;
import dev.neurontest.recording.Violation;
import dev.neurontest.text.CountText;
import dev.neurontest.text.DurationText;
import dev.neurontest.text.ListText;
import dev.neurontest.text.TextTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.opentest4j.AssertionFailedError;

/**
 * Why a wait ended without what was waited for: what was seen of it and when, what else moved, and what to do.
 *
 * @param plan what was waited for
 * @param limit how long at most
 * @param end why it ended
 * @param error the error counter that ended it
 * @param last what was read last
 * @param timeline what was seen
 * @param waited how long it took
 * @param looks how often it was read
 * @param all what everything did since the beginning
 */
record WaitFailure(
        AwaitPlan plan,
        Duration limit,
        End end,
        Optional<Violation> error,
        AwaitTarget.Look last,
        Timeline timeline,
        Duration waited,
        int looks,
        CounterDiff all) {

    private static final int MOST_MOVED = 20;

    /** Why. */
    enum End {
        TIME_OVER,
        ERROR,
        INTERRUPTED
    }

    AssertionFailedError toError() {
        return Failure.error(text(), plan.expected(), actual());
    }

    private String actual() {
        return words(last.values())
                + error.map(each -> "; " + each.subject() + " " + each.actual()).orElse("");
    }

    /** One value alone, several with where they are. */
    static String words(List<AwaitedValue> values) {
        return values.size() == 1
                ? values.get(0).words()
                : values.stream()
                        .map(value -> value.where() + " " + value.words())
                        .collect(Collectors.joining(", "));
    }

    String text() {
        return "%s\n\nSeen of %s:\n%s\n%s\n%s\n".formatted(headline(), plan.target.name(), seen(), moved(), advice());
    }

    private String headline() {
        String where = ListText.of(last.values(), AwaitedValue::where);
        return "Waited for %s of %s on %s: expected %s within %s, was %s %s"
                .formatted(
                        plan.target.name(),
                        where,
                        plan.scope().tree().name(),
                        plan.expected(),
                        DurationText.exact(limit),
                        words(last.values()),
                        ended());
    }

    private String ended() {
        String after = DurationText.exact(waited);
        return switch (end) {
            case TIME_OVER -> "after %s (%s)".formatted(after, times());
            case ERROR ->
                error.map(each -> "when %s had moved (%s) after %s".formatted(each.subject(), each.actual(), after))
                        .orElseThrow();
            case INTERRUPTED -> "when the thread was interrupted after %s".formatted(after);
        };
    }

    private String times() {
        return CountText.of(looks, "look");
    }

    private String seen() {
        TextTable table = new TextTable(">after", "value", "path");
        timeline.first().forEach(each -> row(table, each));
        if (timeline.leftOut() > 0) {
            table.row("...", "%s more".formatted(timeline.leftOut()), "");
        }
        timeline.last().forEach(each -> row(table, each));
        return table.within(TextTable.MESSAGE).toString();
    }

    private static void row(TextTable table, SeenValue seen) {
        table.row(DurationText.exact(seen.after()), seen.value(), seen.location());
    }

    private String moved() {
        List<CounterChange> others = all.moved().stream()
                .filter(change -> !change.path().equals(plan.target.name()))
                .toList();
        if (others.isEmpty()) {
            return "Nothing else moved.\n";
        }
        TextTable table = new TextTable("counter", ">before", ">after", ">delta", "");
        others.stream()
                .limit(MOST_MOVED)
                .forEach(change -> table.row(
                        change.subject(),
                        CounterText.before(change),
                        CounterText.after(change),
                        CounterText.delta(change),
                        CounterText.remark(change)));
        int more = others.size() - MOST_MOVED;
        return "What else moved:\n" + table.within(TextTable.MESSAGE)
                + (more > 0 ? "and %s more\n".formatted(more) : "");
    }

    private String advice() {
        List<String> advice = new ArrayList<>();
        error.ifPresent(each -> advice.add(each.advice()));
        error.ifPresent(each -> advice.add("To wait in spite of it: .allowing(\"%s\")."
                .formatted(each.subject().substring(each.subject().lastIndexOf('/') + 1))));
        last.values().stream()
                .map(AwaitedValue::failure)
                .filter(failure -> failure != null)
                .findFirst()
                .ifPresent(failure -> advice.add("It cannot be read: " + failure));
        heldBack().ifPresent(advice::add);
        if (advice.isEmpty()) {
            advice.add(
                    end == End.INTERRUPTED
                            ? "The thread was interrupted, as @Timeout does it: give the test more time than the wait takes."
                            : "If it only takes longer, allow more time. Otherwise see whether the workload does what the test asks for, and what else moved.");
        }
        return String.join("\n", advice);
    }

    /** Up to driver 2.29 nothing can come while the owner lives. */
    private Optional<String> heldBack() {
        if (!plan.target.isCounter()) {
            return Optional.empty();
        }
        CounterChange change = all.counter(plan.target.name());
        CountedAtClose countedAtClose = all.scope().countedAtClose();
        return all.heldBack(change)
                .or(() -> countedAtClose != null && change.kind().ownedByDatastore()
                        ? Optional.of(
                                "This host (%s) counts executions and their outcomes when the owning process lets go of the device; processes of other users cannot be seen without root."
                                        .formatted(countedAtClose.reason()))
                        : Optional.empty());
    }
}
