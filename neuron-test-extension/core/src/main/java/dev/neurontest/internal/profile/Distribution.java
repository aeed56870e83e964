package dev.neurontest.internal.profile;

import dev.neurontest.internal.text.CountText;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.Statistic;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The distribution of one metric over executions, for the drawing in {@code latencies.mustache}: a histogram, percentiles and limits. All
 * positions are in percent.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Distribution {

    /** The margin at both ends of the scale. */
    private static final double ROOM = 0.04;

    /** Minimum share of the scale for the measured values. A limit that would make the share smaller is only listed. */
    private static final double LEAST_MEASURED = 0.25;

    /** Minimum height of a bar. It keeps a single execution among thousands visible. */
    private static final double LEAST_HEIGHT = 6;

    /** The least difference of two numbers of bytes that is visible in KiB, MiB and so on. */
    private static final double LEAST_SHOWN = 0.01;

    private static final int FEWEST_BINS = 5;
    private static final int MOST_BINS = 40;
    private static final int MOST_LANES = 64;

    private static final List<Statistic> SHOWN =
            Stream.of("median", "p90", "p99").map(Statistic::parse).toList();

    private final Unit unit;
    private final List<Part> parts;
    private final List<Limit> limits;
    private final double least;
    private final double most;
    private double low;
    private double high;

    /**
     * The executions with their own row.
     *
     * @param label label of the row
     * @param values one value for each execution; not empty
     * @param words text next to the row
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Part(String label, List<Double> values, String words) {}

    /**
     * A limit.
     *
     * @param words text such as {@code at most 17 ms}
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Limit(double bound, String words) {}

    private Distribution(Unit unit, List<Part> parts, List<Limit> limits) {
        this.unit = unit;
        this.parts = parts;
        this.limits = limits;
        this.least = values().min().orElse(0);
        this.most = values().max().orElse(0);
        scale();
    }

    /**
     * Creates a distribution.
     *
     * @param parts executions that have a value
     * @return empty for one execution without a limit, and when all values and limits are equal
     */
    public static Optional<Distribution> of(Unit unit, List<Part> parts, List<Limit> limits) {
        Distribution distribution = new Distribution(unit, List.copyOf(parts), List.copyOf(limits));
        return distribution.values().count() < (limits.isEmpty() ? 2 : 1) || distribution.high <= distribution.low
                ? Optional.empty()
                : Optional.of(distribution);
    }

    private DoubleStream values() {
        return parts.stream().flatMapToDouble(part -> part.values().stream().mapToDouble(Double::doubleValue));
    }

    /**
     * Computes the scale. It starts at 0 if the values differ strongly. Otherwise, it covers only the range of the values to make their
     * noise visible.
     */
    private void scale() {
        low = least;
        high = most;
        for (Limit limit : limits) {
            double lower = Math.min(low, limit.bound());
            double upper = Math.max(high, limit.bound());
            if (most == least || most - least >= LEAST_MEASURED * (upper - lower)) {
                low = lower;
                high = upper;
            }
        }
        if (high > low) {
            double greatest = unit == Unit.FRACTION && high <= 1 ? 1 : Double.MAX_VALUE;
            double padding = ROOM * (high - low);
            low = low < high / 2 ? 0 : low - padding;
            high += padding;
            roundEnds();
            high = Math.min(high, greatest);
        }
    }

    /** Moves the ends of the scale outwards to round numbers, in steps of at most a tenth of the scale. */
    private void roundEnds() {
        BigDecimal step = step((high - low) / 10);
        low = rounded(low, step, RoundingMode.FLOOR);
        high = rounded(high, step, RoundingMode.CEILING);
    }

    /**
     * Returns the largest round step up to the given one: 1, 2 or 5 times a power of ten of the unit that is shown, or a power of two for
     * bytes that look equal in that unit.
     */
    private BigDecimal step(double most) {
        if (unit != Unit.BYTES) {
            return decimalStep(most);
        }
        double shownUnit = Math.scalb(1.0, Math.getExponent(high) / 10 * 10);
        return most < LEAST_SHOWN * shownUnit
                ? new BigDecimal(Math.scalb(1.0, Math.getExponent(most)))
                : decimalStep(most / shownUnit).multiply(new BigDecimal(shownUnit));
    }

    private static BigDecimal decimalStep(double most) {
        BigDecimal power = BigDecimal.ONE.movePointRight((int) Math.floor(Math.log10(most)));
        return Stream.of(5, 2, 1)
                .map(factor -> power.multiply(BigDecimal.valueOf(factor)))
                .filter(step -> step.doubleValue() <= most)
                .findFirst()
                .orElse(power);
    }

    private static double rounded(double value, BigDecimal step, RoundingMode mode) {
        return BigDecimal.valueOf(value).divide(step, 0, mode).multiply(step).doubleValue();
    }

    private double at(double value) {
        return 100 * Math.max(0, Math.min(1, (value - low) / (high - low)));
    }

    /** Returns a value of the scale, without the exact number of bytes. */
    private String shown(double value) {
        return new Quantity(Math.max(0, value), unit).toString().replaceFirst(" \\([0-9.]+ B\\)$", "");
    }

    /** Returns an end of the scale. It has all digits if the rounded ends would be equal. */
    private String end(double value) {
        return shown(low).equals(shown(high)) ? new Quantity(Math.max(0, value), unit).exactly() : shown(value);
    }

    /** Returns the left end of the scale with its unit. */
    public String low() {
        return end(low);
    }

    /** Returns the right end of the scale with its unit. */
    public String high() {
        return end(high);
    }

    /** The executions of a part within one interval of the scale. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Bin(double x, double width, double y, double height, String description) {}

    /** A row. {@code count} is the text for screen readers. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Lane(String label, String count, List<Bin> bins, String value) {}

    /** Returns one row for each part, at most 64. */
    public List<Lane> lanes() {
        return parts.stream()
                .limit(MOST_LANES)
                .map(part -> new Lane(
                        part.label(),
                        CountText.of(part.values().size(), "execution"),
                        bins(part.values()),
                        part.words()))
                .toList();
    }

    /** Returns the number of parts without a row. */
    public int moreLanes() {
        return Math.max(0, parts.size() - MOST_LANES);
    }

    /** Returns the bars of the histogram. Their number follows the Rice rule: twice the cube root of the number of values. */
    private List<Bin> bins(List<Double> values) {
        int count = (int) Math.max(FEWEST_BINS, Math.min(MOST_BINS, Math.ceil(2 * Math.cbrt(values().count()))));
        double width = most > least ? (most - least) / count : (high - low) / MOST_BINS;
        double first = most > least ? least : least - width / 2;
        int[] inBin = new int[count];
        values.forEach(value -> inBin[Math.min(count - 1, (int) ((value - first) / width))]++);
        int highest = IntStream.of(inBin).max().orElse(1);
        return IntStream.range(0, count)
                .filter(i -> inBin[i] > 0)
                .mapToObj(i -> {
                    double from = first + i * width;
                    double height = Math.max(LEAST_HEIGHT, 100.0 * inBin[i] / highest);
                    return new Bin(
                            at(from),
                            at(from + width) - at(from),
                            100 - height,
                            height,
                            "%s from %s to %s"
                                    .formatted(CountText.of(inBin[i], "execution"), shown(from), shown(from + width)));
                })
                .toList();
    }

    /** A line across the drawing with its value. A limit outside the scale has no position. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Mark(String label, String kind, Optional<Double> at, String value) {

        /** Returns whether the text of a position is at the left side of its line, because the right end of the scale is near. */
        public boolean isTextAtLeft() {
            return at.filter(position -> position > 50).isPresent();
        }
    }

    /**
     * Returns percentiles of times and the limits. The percentiles follow the definition of thresholds. They are omitted if there are too
     * few executions.
     *
     * @return percentiles first; no percentiles for several parts
     */
    public List<Mark> marks() {
        List<Mark> marks = new ArrayList<>();
        double[] sorted = values().sorted().toArray();
        SHOWN.stream()
                .filter(each -> parts.size() == 1 && unit == Unit.SECONDS && sorted.length > 1)
                .filter(each -> sorted.length >= each.needed())
                .forEach(each -> marks.add(new Mark(
                        each.equals(Statistic.MEDIAN) ? "p50" : each.toString(),
                        "tick",
                        Optional.of(at(each.of(sorted, true))),
                        shown(each.of(sorted, true)))));
        for (Limit limit : limits) {
            boolean onScale = limit.bound() >= low && limit.bound() <= high;
            marks.add(new Mark(
                    "Limit",
                    "margin",
                    onScale ? Optional.of(at(limit.bound())) : Optional.empty(),
                    limit.words() + (onScale ? "" : ", off the scale")));
        }
        return marks;
    }
}
