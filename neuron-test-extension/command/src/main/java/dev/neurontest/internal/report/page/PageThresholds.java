package dev.neurontest.internal.report.page;

import dev.neurontest.internal.page.Scale;
import dev.neurontest.internal.report.ParsedProfile;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.show.Limits;
import dev.neurontest.internal.report.show.TruncatedList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The margins between the profiles of all tests and their thresholds, the nearest first. */
record PageThresholds(TruncatedList<Held> rows) {

    private static final List<String> ORDER = List.of("violated", "undecided", "kept");

    static PageThresholds of(RunReport report) {
        return new PageThresholds(TruncatedList.of(
                report.tests().stream()
                        .flatMap(test -> test.recordings().stream()
                                .filter(each -> each.kind().equals(ParsedProfile.KIND))
                                .flatMap(each -> ParsedProfile.of(each.recording()).thresholds().stream())
                                .map(threshold -> new Held(test, threshold)))
                        .sorted(Comparator.comparingInt((Held held) ->
                                        Math.abs(ORDER.indexOf(held.threshold().outcome())))
                                .thenComparingDouble(Held::distance))
                        .toList(),
                Limits.PAGE.lines()));
    }

    /** A threshold of a test. */
    record Held(ReportedTest test, ParsedProfile.Threshold threshold) {

        private double value() {
            return threshold.value().orElse(0.0);
        }

        private double bound() {
            return threshold.bound().orElse(0.0);
        }

        private Scale scale() {
            return new Scale(0, 1.1 * Math.max(value(), bound()));
        }

        /** Returns the distance between the value and its bound, relative to the bound. */
        double distance() {
            return bound() == 0 || threshold.value().isEmpty()
                    ? Double.MAX_VALUE
                    : Math.abs(value() - bound()) / Math.abs(bound());
        }

        boolean isViolated() {
            return threshold.outcome().equals("violated");
        }

        String kind() {
            return ORDER.contains(threshold.outcome()) ? threshold.outcome() : "kept";
        }

        Optional<Double> bar() {
            return threshold.value().filter(any -> scale().high() > 0).map(any -> scale().at(value()));
        }

        double limit() {
            return scale().at(bound());
        }
    }
}
