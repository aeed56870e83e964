package dev.neurontest.report.page;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.Comparison.Accepted;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Sample;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.page.Scale;
import dev.neurontest.text.CountText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A metric beside its baseline: a dot for each run of both, on one scale, with the margin that is accepted. */
record PageComparison(Comparison comparison) {

    /** What is left free at both ends of the scale. */
    private static final double ROOM = 0.06;

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
        return switch (comparison.outcome()) {
            case WORSE -> "failed";
            case NOT_WORSE -> "passed";
            case UNDECIDED, CONTAMINATED -> "undecided";
            case NO_BASELINE -> "skipped";
        };
    }

    String outcome() {
        return comparison.improved()
                ? "better"
                : comparison.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    String change() {
        List<String> parts = new ArrayList<>();
        before().ifPresent(baseline -> parts.add(shown(median(baseline)) + " before"));
        now().ifPresent(sample -> parts.add(shown(median(sample)) + " now"));
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

    private Optional<Sample> before() {
        return comparison.baseline().filter(PageComparison::hasRuns);
    }

    private Optional<Sample> now() {
        return Optional.of(comparison.sample()).filter(PageComparison::hasRuns);
    }

    private static boolean hasRuns(Sample sample) {
        return !sample.runs().isEmpty();
    }

    private String shown(double value) {
        Metric metric = comparison.metric();
        return value >= 0 && !Double.isInfinite(value) && metric.unit() != Unit.TEXT
                ? new Quantity(value, metric.unit()).toString()
                : Double.toString(value);
    }

    private static double median(Sample sample) {
        double[] runs = sample.toArray();
        Arrays.sort(runs);
        int middle = runs.length / 2;
        return runs.length % 2 == 1 ? runs[middle] : (runs[middle - 1] + runs[middle]) / 2;
    }

    /** Where worse begins; on both sides where neither way is better. */
    private List<Double> limits() {
        return before().map(baseline -> {
                    double median = median(baseline);
                    double margin = median * comparison.margin().value();
                    return switch (comparison.metric().better()) {
                        case LOWER -> List.of(median + margin);
                        case HIGHER -> List.of(median - margin);
                        case DEPENDS, NEITHER -> List.of(median - margin, median + margin);
                    };
                })
                .orElse(List.of());
    }

    private List<Double> inOrder() {
        return Stream.of(
                        limits(),
                        before().map(Sample::runs).orElse(List.of()),
                        comparison.sample().runs())
                .flatMap(List::stream)
                .sorted()
                .toList();
    }

    String low() {
        return shown(inOrder().get(0));
    }

    String high() {
        return shown(inOrder().get(inOrder().size() - 1));
    }

    /** None for a single number, and for numbers that are all the same. */
    List<Strip> strips() {
        List<Double> all = inOrder();
        double low = all.stream().findFirst().orElse(0.0);
        double room = ROOM * (all.isEmpty() ? 0 : all.get(all.size() - 1) - low);
        if (comparison.sample().runs().size() < 2 || !(room > 0)) {
            return List.of();
        }
        Scale scale = new Scale(low - room, all.get(all.size() - 1) + room);
        String kind = comparison.outcome() == ComparisonOutcome.WORSE ? "violated" : "dot";
        return Stream.concat(
                        comparison.baseline().map(each -> strip("Baseline", "before", each, scale)).stream(),
                        Stream.of(strip("Now", kind, comparison.sample(), scale)))
                .toList();
    }

    private Strip strip(String label, String kind, Sample sample, Scale scale) {
        return new Strip(
                label,
                kind,
                sample.runs().stream().map(this::shown).collect(Collectors.joining(", ")),
                limits().stream().map(scale::at).toList(),
                sample.runs().stream().map(scale::at).toList(),
                Optional.of(sample).filter(PageComparison::hasRuns).map(each -> scale.at(median(each))),
                CountText.of(sample.runs().size(), "run"));
    }

    /**
     * A median in the course of time.
     *
     * @param x from the left, in percent
     * @param y from the top, in percent
     * @param nextX where the line to the next one ends
     */
    record Point(String said, String kind, double x, double y, double nextX, double nextY) {}

    /** Accepted baselines, the oldest first, and what was measured now; none where there was one baseline only. */
    List<Point> trend() {
        List<Accepted> accepted = new ArrayList<>(comparison.accepted());
        Collections.reverse(accepted);
        if (accepted.size() < 2 || now().isEmpty()) {
            return List.of();
        }
        List<Double> medians =
                new ArrayList<>(accepted.stream().map(Accepted::median).toList());
        medians.add(median(comparison.sample()));
        double low = Collections.min(medians);
        double high = Collections.max(medians);
        double room = high > low ? (high - low) * ROOM * 2 : Math.max(Math.abs(high), 1) * ROOM;
        Scale values = new Scale(low - room, high + room);
        Scale times = new Scale(-ROOM, medians.size() - 1 + ROOM);
        return IntStream.range(0, medians.size())
                .mapToObj(i -> {
                    int next = Math.min(i + 1, medians.size() - 1);
                    boolean measured = i == accepted.size();
                    return new Point(
                            measured ? "now: " + shown(medians.get(i)) : said(accepted.get(i)),
                            measured && comparison.outcome() == ComparisonOutcome.WORSE ? "violated" : "dot",
                            times.at(i),
                            100 - values.at(medians.get(i)),
                            times.at(next),
                            100 - values.at(medians.get(next)));
                })
                .toList();
    }

    private String said(Accepted accepted) {
        return "%s: %s%s"
                .formatted(
                        accepted.recorded(),
                        shown(accepted.median()),
                        accepted.note().isEmpty() ? "" : ", " + accepted.note());
    }

    /** What the trend says to those who do not see it. */
    String course() {
        return trend().stream().map(Point::said).collect(Collectors.joining("; "));
    }

    /** When the oldest baseline of the trend was accepted. */
    String since() {
        return comparison.accepted().isEmpty()
                ? ""
                : comparison
                        .accepted()
                        .get(comparison.accepted().size() - 1)
                        .recorded()
                        .toString();
    }
}
