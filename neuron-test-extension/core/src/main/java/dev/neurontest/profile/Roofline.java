package dev.neurontest.profile;

import static dev.neurontest.recording.Markup.escape;
import static dev.neurontest.recording.Markup.number;

import dev.neurontest.metric.Fraction;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Where a graph stands under the roof of its machine: how much of the peak the memory lets it reach, and how much it does.
 *
 * @param intensity operations for each byte of HBM
 * @param balance from this intensity on computing is the limit, and memory below
 * @param achieved share of the peak
 * @param source the metric that says so
 */
record Roofline(double intensity, double balance, double achieved, String source) {

    /** That which counts the same operations as the intensity comes first. */
    private static final List<String> UTILISATION =
            List.of("mfu_inst_estimated_percent", "mfu_estimated_percent", "hfu_estimated_percent");

    private static final double LEFT = 46;
    private static final double RIGHT = 350;
    private static final double TOP = 14;
    private static final double BOTTOM = 180;

    /** Empty for a graph without matrix multiplications, or where the tool did not write it. */
    static Optional<Roofline> of(Profile profile) {
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

    String text() {
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

    /** Both axes are logarithmic. */
    String svg() {
        int first = decade(Math.min(intensity, balance)) - 1;
        int last = decade(Math.max(intensity, balance)) + 2;
        double leastAtRoof = Math.pow(10, first) / balance;
        int low = decade(Math.min(achieved, leastAtRoof) / 1.5);
        Axes axes = new Axes(first, last, Math.min(low, -1), achieved > 1 ? decade(achieved) + 1 : 0);
        StringBuilder svg =
                new StringBuilder("<svg class=\"chart\" viewBox=\"0 0 360 222\" role=\"img\" aria-label=\"%s\">\n"
                        .formatted(escape(text())));
        axes.draw(svg);
        svg.append("<polyline class=\"roof\" points=\"%s %s %s\"/>\n"
                .formatted(
                        axes.point(Math.pow(10, first), leastAtRoof),
                        axes.point(balance, 1),
                        axes.point(Math.pow(10, last), 1)));
        svg.append("<line class=\"gap\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>\n"
                .formatted(
                        number(axes.x(intensity)),
                        number(axes.x(intensity)),
                        number(axes.y(attainable())),
                        number(axes.y(achieved))));
        svg.append("<circle class=\"here\" cx=\"%s\" cy=\"%s\" r=\"5\"/>\n"
                .formatted(number(axes.x(intensity)), number(axes.y(achieved))));
        boolean atTheRight = axes.x(intensity) > (LEFT + RIGHT) / 2;
        svg.append("<text class=\"here-text\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n"
                .formatted(
                        number(axes.x(intensity) + (atTheRight ? -10 : 10)),
                        number(Math.min(axes.y(achieved) + 4, BOTTOM - 6)),
                        atTheRight ? "end" : "start",
                        escape(new Fraction(achieved).toString())));
        return svg.append("</svg>\n").toString();
    }

    private static int decade(double value) {
        return (int) Math.floor(Math.log10(value));
    }

    /** Powers of ten at the ends of both axes. */
    private record Axes(int left, int right, int low, int high) {

        double x(double value) {
            return LEFT + (RIGHT - LEFT) * (Math.log10(value) - left) / (right - left);
        }

        double y(double value) {
            return BOTTOM - (BOTTOM - TOP) * (Math.log10(value) - low) / (high - low);
        }

        String point(double x, double y) {
            return number(x(x)) + "," + number(y(y));
        }

        void draw(StringBuilder svg) {
            int steps = Math.max(1, (high - low + 3) / 4);
            for (int power = high; power >= low; power -= steps) {
                String y = number(y(Math.pow(10, power)));
                svg.append("<line class=\"grid\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>"
                        .formatted(number(LEFT), number(RIGHT), y, y));
                svg.append("<text class=\"axis\" x=\"%s\" y=\"%s\" dy=\"4\" text-anchor=\"end\">%s</text>\n"
                        .formatted(number(LEFT - 5), y, power(power + 2) + " %"));
            }
            for (int power = left; power <= right; power++) {
                String x = number(x(Math.pow(10, power)));
                svg.append("<line class=\"grid\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>"
                        .formatted(x, x, number(TOP), number(BOTTOM)));
                svg.append("<text class=\"axis\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n"
                        .formatted(x, number(BOTTOM + 18), power == right ? "end" : "middle", power(power)));
            }
            svg.append(
                    "<text class=\"axis\" x=\"%s\" y=\"%s\" text-anchor=\"middle\">flops for each byte of HBM</text>\n"
                            .formatted(number((LEFT + RIGHT) / 2), number(BOTTOM + 37)));
        }

        private static String power(int exponent) {
            return BigDecimal.ONE.scaleByPowerOfTen(exponent).toPlainString();
        }
    }
}
