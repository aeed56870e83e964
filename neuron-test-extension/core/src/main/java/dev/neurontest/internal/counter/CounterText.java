package dev.neurontest.internal.counter;

import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterField;
import dev.neurontest.counter.UnreadableCounter;
import dev.neurontest.internal.text.TextTable;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The texts of counters: the cells of tables, and the table that is attached to a test. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CounterText {

    private static final String CANNOT_BE_ATTRIBUTED =
            "Counters marked as shared belong to the whole device: the change cannot be attributed to one process.\n";

    private static final String NOTHING_MOVED = "No counter changed.\n";

    /** Width of attachments; their lines are never cut. */
    static final int WIDE = Integer.MAX_VALUE;

    private CounterText() {}

    public static String of(CounterDiff diff) {
        StringBuilder text = new StringBuilder("Counters of %s on %s\n"
                .formatted(diff.where(), diff.scope().tree().name()));
        List<CounterChange> moved = diff.moved();
        text.append('\n').append(table(moved, change -> remark(change, diff), WIDE));
        List<String> neighbours = diff.neighbours();
        if (!neighbours.isEmpty()) {
            text.append("\nOn the same devices at the same time:\n");
            neighbours.forEach(neighbour -> text.append("  ").append(neighbour).append('\n'));
            text.append(moved.stream().anyMatch(diff::isShared) ? CANNOT_BE_ATTRIBUTED : "");
        }
        List<CounterChange> foreign = diff.foreign();
        if (!foreign.isEmpty()) {
            text.append("\nForeign activity: counters of other cores of the same devices changed%s.\n"
                            .formatted(by(foreign, diff)))
                    .append(table(foreign, change -> remark(change, diff), WIDE));
        }
        List<UnreadableCounter> unreadable = diff.unreadable();
        if (!unreadable.isEmpty()) {
            text.append("\nNot readable:\n");
            unreadable.forEach(counter -> text.append(
                    "  %s: %s\n".formatted(counter.moment(), counter.cause().getMessage())));
        }
        List<String> remarks = new ArrayList<>(ofHost(diff));
        diff.unsettled().ifPresent(remarks::add);
        diff.deferredBy().ifPresent(remarks::add);
        diff.stillOpen().ifPresent(remarks::add);
        remarks.forEach(remark -> text.append('\n').append(remark).append('\n'));
        return text.toString();
    }

    /** Describes changes of the host and its devices other than counts. */
    static List<String> ofHost(CounterDiff diff) {
        List<String> remarks = new ArrayList<>();
        diff.restart().ifPresent(evidence -> remarks.add("The counters restarted during the test: " + evidence + "."));
        diff.entryChanges().forEach(change -> remarks.add(change + " during the test."));
        diff.healthChanges()
                .forEach((device, change) -> remarks.add("%s reported %s as broken before, and %s after."
                        .formatted(device, broken(change.before()), broken(change.after()))));
        return remarks;
    }

    private static String broken(String components) {
        return components.isEmpty() ? "nothing" : components;
    }

    /** Returns the first reading as text, or "unreadable". */
    public static String before(CounterChange change) {
        return change.knownBefore().map(change.unit()::value).orElse("unreadable");
    }

    /** Returns the second reading as text, or "unreadable". */
    public static String after(CounterChange change) {
        return change.knownAfter().map(change.unit()::value).orElse("unreadable");
    }

    /** Returns the difference with its sign, or "unknown". */
    public static String delta(CounterChange change) {
        return delta(change, change.unit()::delta);
    }

    /** Formats the difference for a narrow table, with bytes and times rounded. */
    static String rounded(CounterChange change) {
        return delta(change, change.unit()::rounded);
    }

    private static String delta(CounterChange change, Function<BigInteger, String> number) {
        return switch (change.movement()) {
            case UNREADABLE -> "unknown";
            case DECREASED -> "at least " + number.apply(change.delta());
            default -> number.apply(change.delta());
        };
    }

    /**
     * Returns the note about a difference.
     *
     * @return the note; empty for a plain increase or decrease
     */
    public static String remark(CounterChange change) {
        return switch (change.movement()) {
            case DECREASED ->
                change.field() == CounterField.PEAK ? "peak cleared" : "decreased: written to, or driver reloaded";
            case WRAPPED ->
                switch (change.kind()) {
                    case MEMORY -> "wrapped: it was cleared while memory was in use";
                    case ECC -> "wrapped: the register has 16 bits";
                    default -> "wrapped at 64 bits";
                };
            default -> "";
        };
    }

    /** Adds a note to a remark if the change cannot be attributed to one process. */
    static String remark(CounterChange change, CounterDiff diff) {
        return Stream.of(remark(change), diff.isShared(change) ? "shared" : "")
                .filter(remark -> !remark.isEmpty())
                .collect(Collectors.joining("; "));
    }

    /**
     * Returns the processes that probably worked on cores outside the lease.
     *
     * @param foreign changes of those cores
     * @param diff their difference
     * @return the end of a sentence; empty when no process is known
     */
    public static String by(List<CounterChange> foreign, CounterDiff diff) {
        List<String> neighbours = foreign.stream()
                .flatMap(change -> diff.neighbours(change).stream())
                .distinct()
                .toList();
        return neighbours.isEmpty() ? "" : ", by: " + ConcurrentUsers.named(neighbours);
    }

    /** Returns the difference with its remark, in one line. */
    public static String moved(CounterChange change) {
        String remark = remark(change);
        return delta(change) + (remark.isEmpty() ? "" : " (" + remark + ")");
    }

    /**
     * Describes a counter or peak that decreased although the driver never decreases it.
     *
     * @param counter beginning of the sentence
     * @return two sentences
     */
    public static String decreased(String counter, CounterChange change) {
        return "%s%s. Its count before that is unknown."
                .formatted(
                        went(counter, change),
                        change.field() == CounterField.PEAK
                                ? ": the peak was cleared"
                                : ", although the driver never lowers it: it was written to, or the driver was reloaded");
    }

    /**
     * Describes the readings of a change.
     *
     * @param counter beginning of the sentence
     * @param change change of one counter, or of several counters with a decrease of at least one
     * @return a sentence without its end
     */
    public static String went(String counter, CounterChange change) {
        return change.counters().size() == 1
                ? "%s went from %s to %s".formatted(counter, before(change), after(change))
                : "One of the %s counters behind it decreased"
                        .formatted(change.counters().size());
    }

    /**
     * Lists the changed counters in a table as wide as a message.
     *
     * @param most maximum number of rows
     * @return the table, and the number of omitted rows
     */
    public static String table(CounterDiff diff, int most) {
        List<CounterChange> moved = diff.moved();
        int more = moved.size() - most;
        return table(moved.stream().limit(most).toList(), change -> remark(change, diff), TextTable.MESSAGE)
                + (more > 0 ? "and %s more\n".formatted(more) : "");
    }

    /** Lists changes in a table. An empty list results in a sentence instead. */
    static String table(List<CounterChange> changes, Function<CounterChange, String> remark, int width) {
        TextTable table = new TextTable("counter", ">before", ">after", ">delta", "");
        changes.forEach(change ->
                table.row(change.subject(), before(change), after(change), delta(change), remark.apply(change)));
        return changes.isEmpty() ? NOTHING_MOVED : table.within(width).toString();
    }
}
