package dev.neurontest.report;

import static dev.neurontest.recording.Markup.bar;
import static dev.neurontest.recording.Markup.escape;
import static dev.neurontest.recording.Markup.line;
import static dev.neurontest.recording.Markup.paragraph;
import static dev.neurontest.report.PageText.isolated;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** How far the profiles of all tests are from their thresholds, the nearest first. */
final class PageThresholds {

    private static final int MOST = 100;
    private static final List<String> ORDER = List.of("violated", "undecided", "kept");

    private PageThresholds() {}

    private record Held(ReportedTest test, RecordedProfile.Threshold threshold) {

        /** How far the value is from its bound, by the bound. */
        double distance() {
            double bound = threshold.bound().map(BigDecimal::doubleValue).orElse(0.0);
            return bound == 0 || threshold.value().isEmpty()
                    ? Double.MAX_VALUE
                    : Math.abs(threshold.value().get().doubleValue() - bound) / Math.abs(bound);
        }
    }

    static String html(RunReport report) {
        List<Held> all = new ArrayList<>();
        for (ReportedTest test : report.tests()) {
            test.recordings().stream()
                    .filter(each -> each.kind().equals(RecordedProfile.KIND))
                    .flatMap(each -> RecordedProfile.of(each.recording()).thresholds().stream())
                    .forEach(threshold -> all.add(new Held(test, threshold)));
        }
        all.sort(Comparator.comparingInt(
                        (Held held) -> Math.abs(ORDER.indexOf(held.threshold().outcome())))
                .thenComparingDouble(Held::distance));
        PageTable table = PageTable.cards("", "Metric", "Test", "Value and limit", "Measured", "Limit", "Margin");
        all.stream().limit(MOST).forEach(held -> row(table, held));
        return table.html()
                + (all.size() <= MOST
                        ? ""
                        : paragraph("mute", "and %d more, which are farther away".formatted(all.size() - MOST)));
    }

    private static void row(PageTable table, Held held) {
        RecordedProfile.Threshold threshold = held.threshold();
        table.markup(
                threshold.outcome().equals("violated") ? "bad" : "",
                escape(threshold.metric()),
                isolated(held.test().id().name()),
                picture(threshold),
                escape(threshold.shown().isEmpty() ? "not measured" : threshold.shown()),
                escape(threshold.limit()),
                escape(threshold.margin()));
    }

    private static String picture(RecordedProfile.Threshold threshold) {
        double value = threshold.value().map(BigDecimal::doubleValue).orElse(0.0);
        double bound = threshold.bound().map(BigDecimal::doubleValue).orElse(0.0);
        double end = 1.1 * Math.max(value, bound);
        if (threshold.value().isEmpty() || !(end > 0)) {
            return "";
        }
        String kind = ORDER.contains(threshold.outcome()) ? threshold.outcome() : "kept";
        return bar(value / end, kind).replace("</svg>", line(bound / end) + "</svg>");
    }
}
