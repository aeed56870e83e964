package dev.neurontest.report;

import static dev.neurontest.recording.Markup.escape;
import static dev.neurontest.recording.Markup.paragraph;
import static dev.neurontest.recording.Markup.position;
import static dev.neurontest.report.PageText.isolated;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Sample;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Noise;
import dev.neurontest.text.CountText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** A metric beside its baseline: a dot for each run of both, on one scale, with the margin that is accepted. */
final class PageComparison {

    /** What is left free at both ends of the scale. */
    private static final double ROOM = 0.06;

    private final Comparison comparison;

    private PageComparison(Comparison comparison) {
        this.comparison = comparison;
    }

    static String html(Comparison comparison) {
        return new PageComparison(comparison).html();
    }

    private String html() {
        return "<div class=\"comparison\">\n<h4>%s %s <span class=\"mute\">%s</span></h4>\n"
                        .formatted(
                                PageText.badge(kind(), comparison.improved() ? "better" : words()),
                                isolated(comparison.metric().name()),
                                isolated(comparison.key().testClass() + "#"
                                        + comparison.key().test()))
                + paragraph("", change())
                + picture()
                + (comparison.decides().isEmpty()
                        ? ""
                        : paragraph("warn", "What would decide it: " + comparison.decides()))
                + more()
                + "</div>\n";
    }

    private String words() {
        return comparison.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private String kind() {
        return switch (comparison.outcome()) {
            case WORSE -> "failed";
            case NOT_WORSE -> "passed";
            case UNDECIDED, CONTAMINATED -> "undecided";
            case NO_BASELINE -> "skipped";
        };
    }

    private String change() {
        List<String> parts = new ArrayList<>();
        comparison
                .baseline()
                .filter(PageComparison::hasRuns)
                .ifPresent(baseline -> parts.add(value(median(baseline)) + " before"));
        if (hasRuns(comparison.sample())) {
            parts.add(value(median(comparison.sample())) + " now");
        }
        comparison
                .ratio()
                .ifPresent(ratio -> parts.add(String.format(
                        Locale.ROOT, "ratio %.4f (%.4f to %.4f)", ratio.value(), ratio.low(), ratio.high())));
        if (comparison.baseline().isPresent()) {
            parts.add(comparison.margin() + " accepted");
        }
        if (!comparison.looks().isEmpty() && comparison.metric().noise() == Noise.NOISY) {
            parts.add("looked after "
                    + comparison.looks().stream().map(String::valueOf).collect(Collectors.joining(", ")) + " runs");
        }
        boolean plain = comparison.outcome() == ComparisonOutcome.NOT_WORSE
                || comparison.reason().isEmpty();
        return (plain ? "" : "Reason: " + comparison.reason() + ". ") + String.join(", ", parts);
    }

    private String value(double number) {
        return PageText.quantity(number, comparison.metric());
    }

    private static boolean hasRuns(Sample sample) {
        return !sample.runs().isEmpty();
    }

    private static double median(Sample sample) {
        double[] runs = sample.toArray();
        Arrays.sort(runs);
        int middle = runs.length / 2;
        return runs.length % 2 == 1 ? runs[middle] : (runs[middle - 1] + runs[middle]) / 2;
    }

    /** Nothing for a single number, and for numbers that are all the same. */
    private String picture() {
        double[] limits = comparison
                .baseline()
                .filter(PageComparison::hasRuns)
                .map(this::limits)
                .orElse(new double[0]);
        double[] all = DoubleStream.concat(
                        Arrays.stream(limits),
                        DoubleStream.concat(
                                comparison.baseline().stream().flatMapToDouble(each -> Arrays.stream(each.toArray())),
                                Arrays.stream(comparison.sample().toArray())))
                .toArray();
        double low = Arrays.stream(all).min().orElse(0);
        double high = Arrays.stream(all).max().orElse(0);
        if (comparison.sample().runs().size() < 2 || !(high > low)) {
            return "";
        }
        double room = ROOM * (high - low);
        Scale scale = new Scale(low - room, high + room);
        String marks = Arrays.stream(limits)
                .mapToObj(limit -> line("margin", scale.part(limit)))
                .collect(Collectors.joining());
        return comparison
                        .baseline()
                        .map(each -> strip("Baseline", "before", each, scale, marks))
                        .orElse("")
                + strip(
                        "Now",
                        comparison.outcome() == ComparisonOutcome.WORSE ? "violated" : "dot",
                        comparison.sample(),
                        scale,
                        marks)
                + "<div class=\"row scale\"><span></span><span class=\"ends\"><span>%s</span><span>%s</span></span><span></span></div>\n"
                        .formatted(escape(value(low)), escape(value(high)));
    }

    /** Where worse begins; on both sides where neither way is better. */
    private double[] limits(Sample baseline) {
        double median = median(baseline);
        double margin = median * comparison.margin().value();
        Direction better = comparison.metric().better();
        return switch (better) {
            case LOWER -> new double[] {median + margin};
            case HIGHER -> new double[] {median - margin};
            case DEPENDS, NEITHER -> new double[] {median - margin, median + margin};
        };
    }

    private String strip(String label, String kind, Sample sample, Scale scale, String marks) {
        String dots = sample.runs().stream()
                .map(run -> "<circle class=\"%s\" cx=\"%s\" cy=\"50%%\" r=\"4\"/>"
                        .formatted(kind, position(scale.part(run))))
                .collect(Collectors.joining());
        String median = hasRuns(sample) ? line("tick", scale.part(median(sample))) : "";
        return "<div class=\"row\"><span class=\"label\">%s</span><svg class=\"bar strip\" role=\"img\" aria-label=\"%s\"><rect class=\"track\" width=\"100%%\" height=\"100%%\"/>%s%s%s</svg><span class=\"value\">%s</span></div>\n"
                .formatted(
                        label,
                        escape(label + ": "
                                + sample.runs().stream().map(this::value).collect(Collectors.joining(", "))),
                        marks,
                        dots,
                        median,
                        CountText.of(sample.runs().size(), "run"));
    }

    private static String line(String kind, double part) {
        String x = position(part);
        return "<line class=\"%s\" x1=\"%s\" x2=\"%s\" y1=\"0\" y2=\"100%%\"/>".formatted(kind, x, x);
    }

    private String more() {
        PageTable table = PageTable.cards("", "", "");
        table.row("Stack", comparison.stack().toString());
        comparison.nearest().ifPresent(nearest -> table.row("Nearest baseline", nearest.toString()));
        table.row("Baseline file", comparison.file());
        if (!comparison.update().isEmpty()) {
            table.markup(
                    "",
                    "Accept what was measured",
                    "<code class=\"command\">%s</code>".formatted(escape(comparison.update())));
        }
        comparison.rejected().forEach(each -> table.row("Run that does not count", each));
        comparison.notes().forEach(each -> table.row("Note", each));
        return "<details><summary>Stack, file and command</summary>\n%s</details>\n".formatted(table.html());
    }

    private record Scale(double low, double high) {

        double part(double value) {
            return (value - low) / (high - low);
        }
    }
}
