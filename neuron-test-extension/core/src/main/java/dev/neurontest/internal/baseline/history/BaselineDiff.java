package dev.neurontest.internal.baseline.history;

import dev.neurontest.internal.baseline.BaselineEntry;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Quantity;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;

/** The readable form of a baseline change, for the person who approves it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BaselineDiff {

    private final BaselineChange change;
    private final BaselineEntry proposed;

    /** Creates the text of a change. */
    public BaselineDiff(BaselineChange change) {
        this.change = change;
        this.proposed = change.proposed();
    }

    /**
     * Returns the medians on one line, such as {@code com.acme.BertTest#inference() total_time gets worse: 16.9 ms -> 17.6 ms (+4.1 %)}.
     */
    public String headline() {
        Metric metric = proposed.metric();
        Quantity now = new Quantity(BaselineChange.median(proposed), metric.unit());
        return change.former()
                .map(old -> "%s %s: %s%s"
                        .formatted(
                                proposed.key(),
                                verb(),
                                arrow(new Quantity(BaselineChange.median(old), metric.unit()), now),
                                percent(old)))
                .orElseGet(() -> "%s is new: %s".formatted(proposed.key(), now));
    }

    /** Returns both numbers. They have all digits if the rounded numbers would look equal. */
    private static String arrow(Quantity old, Quantity now) {
        boolean isSameText = !old.equals(now) && old.toString().equals(now.toString());
        return isSameText ? old.exactly() + " -> " + now.exactly() : old + " -> " + now;
    }

    /**
     * Returns the medians, the runs, the stack, the dates and the reasons.
     *
     * @return lines of text; the last one ends with a line break too
     */
    public String text() {
        StringBuilder text = new StringBuilder(headline()).append('\n');
        change.former().ifPresent(old -> line(text, "runs", runs(old) + " ->"));
        line(text, change.former().isEmpty() ? "runs" : "", runs(proposed));
        line(text, "stack", proposed.stack().toString());
        change.former()
                .filter(old -> !old.neff().equals(proposed.neff()))
                .ifPresent(old -> line(text, "NEFF", neff(old.neff()) + " -> " + neff(proposed.neff())));
        change.former().ifPresent(old -> line(text, "was", origin(old)));
        line(text, "is", origin(proposed));
        return text.toString();
    }

    private String verb() {
        return switch (change.kind()) {
            case NEW -> "is new";
            case BETTER -> "gets better";
            case WORSE -> "gets worse";
            case CHANGED -> "changes";
            case SAME -> "stays";
        };
    }

    private String percent(BaselineEntry old) {
        double before = BaselineChange.median(old);
        double part = BaselineChange.median(proposed) / before - 1;
        return before == 0 || part == 0
                ? ""
                : String.format(Locale.ROOT, Math.abs(part) < 0.01 ? " (%+.2f %%)" : " (%+.1f %%)", part * 100);
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append("  %-5s  %s\n".formatted(name, value));
    }

    static String runs(BaselineEntry entry) {
        List<Double> runs = entry.sample().runs();
        String least = shown(entry.metric(), Collections.min(runs));
        String most = shown(entry.metric(), Collections.max(runs));
        return "%s of %s, %s"
                .formatted(
                        CountText.of(runs.size(), "run"),
                        CountText.of(entry.sample().iterationsPerRun(), "execution"),
                        least.equals(most) ? "all " + least : least + " to " + most);
    }

    static String origin(BaselineEntry entry) {
        return entry.recorded()
                + (entry.commit().isEmpty() ? "" : ", commit " + entry.commit())
                + (entry.note().isEmpty() ? "" : ": " + entry.note());
    }

    private static String neff(Optional<String> hash) {
        return hash.orElse("unknown");
    }

    static String shown(Metric metric, double value) {
        return value < 0 ? value + " " + metric.unit().symbol() : new Quantity(value, metric.unit()).toString();
    }
}
