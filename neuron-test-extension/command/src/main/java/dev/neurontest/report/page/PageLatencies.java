package dev.neurontest.report.page;

import dev.neurontest.page.Scale;
import dev.neurontest.profile.Statistic;
import dev.neurontest.text.CountText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** How the times of a profile's executions are distributed, beside the limits of its thresholds on them. */
final class PageLatencies {

    /** What is left free at both ends of the scale. */
    private static final double ROOM = 0.04;

    /** Limits may shrink what was measured to this part of the scale; one that is farther away is only told. */
    private static final double LEAST_MEASURED = 0.25;

    /** In percent: a single execution among thousands is seen too. */
    private static final double LEAST_HEIGHT = 6;

    private static final int FEWEST_BINS = 5;
    private static final int MOST_BINS = 40;

    private static final List<Statistic> SHOWN =
            Stream.of("median", "p90", "p99").map(Statistic::parse).toList();

    private final double[] sorted;
    private final List<RecordedProfile.Threshold> thresholds;

    private PageLatencies(double[] sorted, List<RecordedProfile.Threshold> thresholds) {
        this.sorted = sorted;
        this.thresholds = thresholds;
    }

    /** Of one execution, and of several that took the same and have no other limit, there is nothing to draw. */
    static Optional<PageLatencies> of(RecordedProfile profile) {
        PageLatencies latencies = new PageLatencies(
                profile.times().stream()
                        .mapToDouble(Double::doubleValue)
                        .sorted()
                        .toArray(),
                profile.thresholds().stream()
                        .filter(each -> each.metric().equals(RecordedProfile.TOTAL_TIME))
                        .filter(each -> each.bound().isPresent())
                        .toList());
        return latencies.sorted.length < 2
                        || latencies.scale().high() <= latencies.scale().low()
                ? Optional.empty()
                : Optional.of(latencies);
    }

    private double least() {
        return sorted[0];
    }

    private double most() {
        return sorted[sorted.length - 1];
    }

    /** From 0 where the times differ so much anyway; else only around them, so that their noise is seen. */
    private Scale scale() {
        double low = least();
        double high = most();
        for (RecordedProfile.Threshold each : thresholds) {
            double lower = Math.min(low, bound(each));
            double upper = Math.max(high, bound(each));
            if (most() == least() || most() - least() >= LEAST_MEASURED * (upper - lower)) {
                low = lower;
                high = upper;
            }
        }
        double room = ROOM * (high - low);
        return new Scale(low < high / 2 ? 0 : low - room, high + room);
    }

    private static double bound(RecordedProfile.Threshold threshold) {
        return threshold.bound().map(BigDecimal::doubleValue).orElseThrow();
    }

    String count() {
        return CountText.of(sorted.length, "execution");
    }

    String low() {
        return PageProfile.seconds(scale().low()).toString();
    }

    String high() {
        return PageProfile.seconds(scale().high()).toString();
    }

    /** Executions in a part of the scale; all in percent. */
    record Bin(double x, double width, double y, double height, String said) {}

    /** By the rule of Rice: twice the cube root of their number. */
    List<Bin> bins() {
        int count = (int) Math.max(FEWEST_BINS, Math.min(MOST_BINS, Math.ceil(2 * Math.cbrt(sorted.length))));
        Scale scale = scale();
        double width = most() > least() ? (most() - least()) / count : (scale.high() - scale.low()) / MOST_BINS;
        double first = most() > least() ? least() : least() - width / 2;
        int[] inBin = new int[count];
        for (double time : sorted) {
            inBin[Math.min(count - 1, (int) ((time - first) / width))]++;
        }
        int highest = IntStream.of(inBin).max().orElse(1);
        return IntStream.range(0, count)
                .filter(i -> inBin[i] > 0)
                .mapToObj(i -> {
                    double from = first + i * width;
                    double height = Math.max(LEAST_HEIGHT, 100.0 * inBin[i] / highest);
                    return new Bin(
                            scale.at(from),
                            scale.at(from + width) - scale.at(from),
                            100 - height,
                            height,
                            "%s from %s to %s"
                                    .formatted(
                                            CountText.of(inBin[i], "execution"),
                                            PageProfile.seconds(from),
                                            PageProfile.seconds(from + width)));
                })
                .toList();
    }

    /** A line across the picture, with its value; a limit that lies outside has none. */
    record Mark(String label, String kind, Optional<Double> at, String value) {}

    /** Percentiles as thresholds take them, where there are enough executions for more than their worst, and limits. */
    List<Mark> marks() {
        List<Mark> marks = new ArrayList<>();
        for (Statistic each : SHOWN) {
            if (sorted.length >= each.needed()) {
                double value = each.of(sorted, true);
                marks.add(new Mark(
                        each.equals(Statistic.MEDIAN) ? "p50" : each.toString(),
                        "tick",
                        Optional.of(scale().at(value)),
                        PageProfile.seconds(value).toString()));
            }
        }
        for (RecordedProfile.Threshold each : thresholds) {
            double bound = bound(each);
            boolean seen = bound >= scale().low() && bound <= scale().high();
            marks.add(new Mark(
                    "Limit",
                    "margin",
                    seen ? Optional.of(scale().at(bound)) : Optional.empty(),
                    each.limit() + (seen ? "" : ", off the scale")));
        }
        return marks;
    }
}
