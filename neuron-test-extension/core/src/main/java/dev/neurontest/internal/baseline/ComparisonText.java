package dev.neurontest.internal.baseline;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.Comparison.Ratio;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Sample;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.baseline.statistics.SampleMedian;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.opentest4j.AssertionFailedError;

/**
 * The readable text of a comparison: outcome and reason, both samples, the ratio with its interval, the looks, the condition for a
 * decision, the stack, the file, and the command that accepts the result.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ComparisonText(Comparison comparison) {

    private static final int RUNS_PER_LINE = 10;

    private static final String CHECK = "whether the test still does the same; only then the better value is a gain";

    /** Returns outcome and subject, such as {@code Worse (slower): com.acme.BertTest#inference(int)[1] total_time}. */
    public String headline() {
        if (comparison.improved()) {
            return "Better by more than the margin: " + comparison.key();
        }
        if (comparison.hasFailedRun()) {
            return "A run failed: " + comparison.key();
        }
        String outcome = words(comparison.outcome());
        String reason = comparison.reason().replace('-', ' ');
        return "%s%s%s: %s"
                .formatted(
                        Character.toUpperCase(outcome.charAt(0)),
                        outcome.substring(1),
                        reason.equals(outcome) ? "" : " (" + reason + ")",
                        comparison.key());
    }

    /**
     * Returns what decided against a measurement.
     *
     * @return such as {@code total_time 16.8 ms is 5.0 % slower than its baseline; 3 % accepted}; empty unless it is worse
     */
    private Optional<String> sentence() {
        return comparison
                .ratio()
                .filter(any -> comparison.outcome() == ComparisonOutcome.WORSE)
                .map(ratio -> "%s %s is %s than its baseline; %s accepted"
                        .formatted(
                                comparison.key().metric(),
                                actual(),
                                changeText(ratio.value()),
                                comparison.margin().value() == 0 ? "no change" : comparison.margin()));
    }

    /** Returns the words for an outcome, such as {@code not worse}. */
    public static String words(ComparisonOutcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /**
     * Returns the whole text.
     *
     * @return lines of text; the last one ends with a line break too
     */
    public String text() {
        StringBuilder text = new StringBuilder();
        sentence().ifPresent(sentence -> text.append(sentence).append('\n'));
        text.append(headline()).append('\n');
        comparison.baseline().ifPresent(sample -> sample(text, "baseline", sample));
        sample(text, "now", comparison.sample());
        change().ifPresent(change -> line(text, "change", change));
        line(text, "asked", request());
        line(text, "needed", comparison.decides());
        line(text, "stack", comparison.stack().toString());
        nearest().ifPresent(nearest -> line(text, "nearest", nearest));
        line(text, "file", comparison.file());
        Map<String, Long> rejected = comparison.rejected().stream()
                .collect(Collectors.groupingBy(reason -> reason, LinkedHashMap::new, Collectors.counting()));
        rejected.forEach((reason, runs) ->
                line(text, "not counted", "%s: %s".formatted(runs == 1 ? "a run" : runs + " runs", reason)));
        comparison.notes().forEach(note -> line(text, "note", note));
        line(text, "to check", comparison.improved() ? CHECK : "");
        if (canBeAccepted()) {
            line(text, "to accept", comparison.update());
        }
        return text.toString();
    }

    /**
     * Returns the differences to the most similar stack with a baseline, if this stack has none.
     *
     * @return a text such as {@code a baseline of driver 2.29 instead of 2.30; it was not compared}; empty when there is no such stack
     */
    public Optional<String> nearest() {
        return comparison.nearest().map(this::differences);
    }

    /**
     * Creates the error of a failed test. Its expected and actual values are the medians.
     *
     * @param why lines to append: the slower parts, or the reason why they are unknown
     */
    public AssertionFailedError toError(List<String> why) {
        String message = why.isEmpty() ? text() : text() + "\n" + String.join("\n", why) + "\n";
        return new AssertionFailedError(VisibleText.of(message), VisibleText.of(expected()), VisibleText.of(actual()));
    }

    /** Returns the median of the baseline, or a text when there is no baseline. */
    public String expected() {
        return comparison.baseline().map(this::median).orElse("a baseline of this stack");
    }

    /** Returns the median of the measured runs, or a text when no run counts. */
    public String actual() {
        return comparison.sample().runs().isEmpty() ? "no run that counts" : median(comparison.sample());
    }

    private boolean canBeAccepted() {
        return switch (comparison.outcome()) {
            case WORSE, NO_BASELINE -> !comparison.sample().runs().isEmpty();
            case NOT_WORSE -> comparison.improved();
            case UNDECIDED, CONTAMINATED -> false;
        };
    }

    /**
     * Returns the reason why an improvement is not accepted yet, with the command that accepts it.
     *
     * @return a text such as {@code 15.2 ms instead of 16 ms, 5.0 % faster. Check whether …}
     */
    public String improvement() {
        return "%s instead of %s%s. Check %s. To accept it: %s"
                .formatted(
                        actual(),
                        expected(),
                        comparison
                                .ratio()
                                .map(ratio -> ", " + changeText(ratio.value()))
                                .orElse(""),
                        CHECK,
                        comparison.update());
    }

    private static void line(StringBuilder text, String label, String content) {
        if (!content.isEmpty()) {
            text.append("  %-11s  %s\n".formatted(label, content));
        }
    }

    private void sample(StringBuilder text, String label, Sample sample) {
        List<Double> runs = sample.runs();
        if (runs.isEmpty()) {
            line(text, label, "no run that counts");
            return;
        }
        String count = "%s of %s"
                .formatted(CountText.of(runs.size(), "run"), CountText.of(sample.iterationsPerRun(), "execution"));
        if (DoubleStream.of(sample.toArray()).distinct().count() == 1) {
            line(text, label, "%s, %s".formatted(median(sample), count));
            return;
        }
        line(
                text,
                label,
                "%s, %s, run-to-run %s"
                        .formatted(
                                median(sample), count, NextStep.percent(SampleMedian.spreadAround(sample.toArray()))));
        for (int first = 0; first < runs.size(); first += RUNS_PER_LINE) {
            line(
                    text,
                    "",
                    runs.subList(first, Math.min(runs.size(), first + RUNS_PER_LINE)).stream()
                            .map(this::shown)
                            .collect(Collectors.joining(", ")));
        }
    }

    private String shown(double value) {
        return quantity(value).toString();
    }

    private Quantity quantity(double value) {
        return new Quantity(value, comparison.metric().unit());
    }

    /** Returns the median. It has all digits if the other median is different but looks equal when rounded. */
    private String median(Sample sample) {
        Quantity median = quantity(SampleMedian.of(sample.toArray()));
        boolean isSameText = comparison.baseline().stream()
                .flatMap(baseline -> Stream.of(baseline, comparison.sample()))
                .filter(compared -> !compared.runs().isEmpty())
                .map(compared -> quantity(SampleMedian.of(compared.toArray())))
                .anyMatch(compared -> compared.value() != median.value()
                        && compared.toString().equals(median.toString()));
        return isSameText ? median.exactly() : median.toString();
    }

    /**
     * Returns the change in words: its size, its interval, and the accepted degradation.
     *
     * @return empty when no ratio was computed
     */
    public Optional<String> change() {
        return comparison.ratio().map(this::change);
    }

    private String change(Ratio ratio) {
        String accepted = comparison.margin().value() == 0 ? "none" : "up to " + comparison.margin();
        boolean oneWay = comparison.metric().better() == Direction.LOWER
                || comparison.metric().better() == Direction.HIGHER;
        String interval = ratio.low() == ratio.high()
                ? ""
                : " (95 %% interval: %s to %s)".formatted(signed(ratio.low()), signed(ratio.high()));
        return "%s%s; %s is accepted%s"
                .formatted(changeText(ratio.value()), interval, accepted, oneWay ? "" : ", either way");
    }

    private String changeText(double ratio) {
        if (ratio == 1) {
            return "no change";
        }
        String up = comparison.metric().isTime() ? "slower" : "higher";
        String down = comparison.metric().isTime() ? "faster" : "lower";
        return "%s %s".formatted(NextStep.percent(Math.abs(ratio - 1)), ratio > 1 ? up : down);
    }

    private static String signed(double ratio) {
        return (ratio < 1 ? "-" : "+") + NextStep.percent(Math.abs(ratio - 1));
    }

    private String request() {
        List<Integer> looks = comparison.looks();
        return looks.isEmpty() ? "" : "after " + ListText.of(looks) + (looks.equals(List.of(1)) ? " run" : " runs");
    }

    /** Returns only the differing parts, because a stack is long. */
    private String differences(Stack nearest) {
        Map<String, String> current = comparison.stack().parts();
        Map<String, String> similar = nearest.parts();
        TreeSet<String> names = new TreeSet<>(current.keySet());
        names.addAll(similar.keySet());
        List<String> differences = new ArrayList<>();
        for (String name : names) {
            if (!Objects.equals(current.get(name), similar.get(name))) {
                // A missing throttling class means that the time was not throttled. Other missing parts are unknown.
                String without = name.equals("throttle") ? "none" : "unknown";
                differences.add("%s %s instead of %s"
                        .formatted(name, similar.getOrDefault(name, without), current.getOrDefault(name, without)));
            }
        }
        return "a baseline of %s; it was not compared".formatted(String.join(", ", differences));
    }
}
