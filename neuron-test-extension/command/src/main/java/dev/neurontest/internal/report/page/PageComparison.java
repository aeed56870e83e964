package dev.neurontest.internal.report.page;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.Comparison.Accepted;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Sample;
import dev.neurontest.internal.page.Scale;
import dev.neurontest.internal.report.show.ComparisonView;
import dev.neurontest.internal.text.CountText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A metric compared with its baseline: a dot for each run of both on one scale, with the accepted margin. */
final class PageComparison extends ComparisonView {

    /** Free space at both ends of the scale, as a share of the range. */
    private static final double ROOM = 0.06;

    PageComparison(Comparison comparison) {
        super(comparison);
    }

    /** A sample on the scale. */
    record Strip(
            String label,
            String kind,
            String values,
            List<Double> margins,
            List<Double> dots,
            Optional<Double> median,
            String count) {}

    String badge() {
        return switch (comparison().outcome()) {
            case WORSE -> "failed";
            case NOT_WORSE -> "passed";
            case UNDECIDED, CONTAMINATED -> "undecided";
            case NO_BASELINE -> "skipped";
        };
    }

    /** Returns the limits of the accepted values; two limits if neither direction is better. */
    private List<Double> limits() {
        return before().stream()
                .flatMap(median -> {
                    double margin = median * comparison().margin().value();
                    return switch (comparison().metric().better()) {
                        case LOWER -> Stream.of(median + margin);
                        case HIGHER -> Stream.of(median - margin);
                        case DEPENDS, NEITHER -> Stream.of(median - margin, median + margin);
                    };
                })
                .toList();
    }

    private Optional<Double> before() {
        return comparison().baseline().flatMap(ComparisonView::median);
    }

    private DoubleSummaryStatistics range() {
        return Stream.of(
                        limits(),
                        comparison().baseline().map(Sample::runs).orElse(List.of()),
                        comparison().sample().runs())
                .flatMap(List::stream)
                .mapToDouble(Double::doubleValue)
                .summaryStatistics();
    }

    String low() {
        return shown(range().getMin());
    }

    String high() {
        return shown(range().getMax());
    }

    /** Returns the samples on the scale; empty for a single value, and for equal values. */
    List<Strip> strips() {
        DoubleSummaryStatistics range = range();
        double room = ROOM * (range.getMax() - range.getMin());
        if (comparison().sample().runs().size() < 2 || !(room > 0)) {
            return List.of();
        }
        Scale scale = new Scale(range.getMin() - room, range.getMax() + room);
        return Stream.concat(
                        comparison().baseline().map(each -> strip("Baseline", "before", each, scale)).stream(),
                        Stream.of(strip("Now", kind(), comparison().sample(), scale)))
                .toList();
    }

    private String kind() {
        return comparison().outcome() == ComparisonOutcome.WORSE ? "violated" : "dot";
    }

    private Strip strip(String label, String kind, Sample sample, Scale scale) {
        return new Strip(
                label,
                kind,
                sample.runs().stream().map(this::shown).collect(Collectors.joining(", ")),
                limits().stream().map(scale::at).toList(),
                sample.runs().stream().map(scale::at).toList(),
                median(sample).map(scale::at),
                CountText.of(sample.runs().size(), "run"));
    }

    /** Returns the medians of the accepted baselines, the oldest first, and the current one; empty for fewer than two baselines. */
    Optional<Trend> trend() {
        List<Accepted> accepted = new ArrayList<>(comparison().accepted());
        Optional<Double> now = median(comparison().sample());
        if (accepted.size() < 2 || now.isEmpty()) {
            return Optional.empty();
        }
        Collections.reverse(accepted);
        return Optional.of(Trend.of(
                "Trend",
                "Medians of accepted baselines",
                Stream.concat(
                                accepted.stream().map(each -> new Trend.Value(each.median(), describe(each), "dot")),
                                Stream.of(new Trend.Value(now.get(), "now: " + shown(now.get()), kind())))
                        .toList(),
                "since " + accepted.get(0).recorded()));
    }

    private String describe(Accepted accepted) {
        return "%s: %s%s"
                .formatted(
                        accepted.recorded(),
                        shown(accepted.median()),
                        accepted.note().isEmpty() ? "" : ", " + accepted.note());
    }
}
