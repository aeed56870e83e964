package dev.neurontest.internal.profile.threshold;

import dev.neurontest.internal.text.CountText;
import dev.neurontest.metric.Fraction;
import dev.neurontest.profile.Profile;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.apiguardian.api.API;

/**
 * The position of a graph in the roofline model of its machine: the share of the peak that the memory allows, and the share that the graph
 * reaches.
 *
 * @param intensity operations per byte of HBM
 * @param balance the intensity from which computing is the limit; below it, memory is the limit
 * @param achieved share of the peak
 * @param source the metric that gives the share
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Roofline(double intensity, double balance, double achieved, String source) {

    /** Metrics of utilisation, in order of preference. The first counts the same operations as the intensity. */
    private static final List<String> UTILISATION =
            List.of("mfu_inst_estimated_percent", "mfu_estimated_percent", "hfu_estimated_percent");

    private static final double LEFT = 46;
    private static final double RIGHT = 350;
    private static final double TOP = 14;
    private static final double BOTTOM = 180;

    /** Returns the roofline of a profile; empty for a graph without matrix multiplications, or where the tool did not write the metrics. */
    public static Optional<Roofline> of(Profile profile) {
        OptionalDouble intensity = profile.number("mm_arithmetic_intensity");
        OptionalDouble balance = profile.number("peak_flops_bandwidth_ratio");
        if (intensity.orElse(0) <= 0 || balance.orElse(0) <= 0) {
            return Optional.empty();
        }
        return UTILISATION.stream()
                .filter(metric -> profile.number(metric).orElse(0) > 0)
                .findFirst()
                .map(metric -> new Roofline(
                        intensity.getAsDouble(),
                        balance.getAsDouble(),
                        profile.number(metric).orElseThrow(),
                        metric));
    }

    double attainable() {
        return Math.min(1, intensity / balance);
    }

    /** Returns one sentence about the limit of the graph, memory or computing, and its share of the peak. */
    public String text() {
        String bound = intensity < balance
                ? "Memory bound: %s flops for each byte of HBM, and below %s the memory is the limit."
                : "Compute bound: %s flops for each byte of HBM, and from %s on computing is the limit.";
        return (bound + " It reaches %s of the peak, which is %s of the %s that it could (%s).")
                .formatted(
                        short3(intensity),
                        short3(balance),
                        new Fraction(achieved),
                        new Fraction(achieved / attainable()),
                        new Fraction(attainable()),
                        source);
    }

    private static String short3(double value) {
        return new BigDecimal(value)
                .round(new MathContext(3))
                .stripTrailingZeros()
                .toPlainString();
    }

    Chart chart() {
        int first = decade(Math.min(intensity, balance)) - 1;
        int last = decade(Math.max(intensity, balance)) + 2;
        double leastAtRoof = Math.pow(10, first) / balance;
        int low = decade(Math.min(achieved, leastAtRoof) / 1.5);
        return new Chart(this, first, last, Math.min(low, -1), achieved > 1 ? decade(achieved) + 1 : 0);
    }

    private static int decade(double value) {
        return (int) Math.floor(Math.log10(value));
    }

    /** A labelled line of the grid. */
    record Mark(double at, String label) {}

    /** The chart, in pixels. Both axes are logarithmic, with powers of ten at their ends. */
    record Chart(Roofline roofline, int left, int right, int low, int high) {

        private double x(double value) {
            return LEFT + (RIGHT - LEFT) * (Math.log10(value) - left) / (right - left);
        }

        private double y(double value) {
            return BOTTOM - (BOTTOM - TOP) * (Math.log10(value) - low) / (high - low);
        }

        List<Mark> levels() {
            int steps = Math.max(1, (high - low + 3) / 4);
            return IntStream.rangeClosed(0, (high - low) / steps)
                    .map(step -> high - step * steps)
                    .mapToObj(power -> new Mark(y(Math.pow(10, power)), power(power + 2)))
                    .toList();
        }

        List<Mark> intensities() {
            return IntStream.rangeClosed(left, right)
                    .mapToObj(power -> new Mark(x(Math.pow(10, power)), power(power)))
                    .toList();
        }

        private static String power(int exponent) {
            return CountText.of(BigDecimal.ONE.scaleByPowerOfTen(exponent));
        }

        double roof() {
            return y(1);
        }

        double roofBegins() {
            return y(Math.pow(10, left) / roofline.balance());
        }

        double roofBends() {
            return x(roofline.balance());
        }

        double attainable() {
            return y(roofline.attainable());
        }

        double x() {
            return x(roofline.intensity());
        }

        double y() {
            return y(roofline.achieved());
        }

        String reached() {
            return new Fraction(roofline.achieved()).toString();
        }

        boolean isAtTheRight() {
            return x() > (LEFT + RIGHT) / 2;
        }

        double textX() {
            return x() + (isAtTheRight() ? -10 : 10);
        }

        double textY() {
            return Math.min(y() + 4, BOTTOM - 6);
        }
    }
}
