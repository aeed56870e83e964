package dev.neurontest.internal.print;

import dev.neurontest.internal.tensor.HeatMap;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleBiFunction;

/**
 * A heat map as SVG. Values above zero are blue and values below are orange, with an intensity proportional to the distance from zero.
 * Cells with NaN or infinity have a separate color and a cross, to be visible at any number of such values.
 *
 * @param map the heat map
 * @param value value of a cell by row and column
 * @param end distance from zero with the highest intensity
 * @param part factor of the opacity of the picture, for a common scale with other pictures; 1 without a factor. The style of the page
 *     ignores it if each map has its own scale
 */
record HeatPicture(HeatMap map, ToDoubleBiFunction<Integer, Integer> value, double end, double part) {

    private static final int LEVELS = 12;
    private static final double NARROWEST = 0.14;
    private static final double FAINTEST = 0.05;

    /**
     * Creates a picture of the means of the cells. The scale ends at the largest absolute mean, because the means of large blocks are
     * close to each other.
     */
    static HeatPicture ofMeans(HeatMap map) {
        double end = 0;
        for (int row = 0; row < map.rows(); row++) {
            for (int column = 0; column < map.columns(); column++) {
                end = Math.max(end, Math.abs(map.mean(row, column)));
            }
        }
        return ofMeans(map, end);
    }

    static HeatPicture ofMeans(HeatMap map, double end) {
        return new HeatPicture(map, map::mean, end, 1);
    }

    /** Returns a copy of this picture on a common scale with other pictures. Values different from zero stay visible. */
    HeatPicture scaledTo(double farthest) {
        double share = farthest == 0 ? 1 : Math.min(1, end / farthest);
        return new HeatPicture(map, value, end, Math.max(FAINTEST, share));
    }

    /** Creates a picture with the largest value of each cell. */
    static HeatPicture ofGreatest(HeatMap map) {
        return new HeatPicture(map, map::most, end(map), 1);
    }

    static double end(HeatMap map) {
        double end = 0;
        for (int row = 0; row < map.rows(); row++) {
            for (int column = 0; column < map.columns(); column++) {
                end = Math.max(end, Math.max(Math.abs(map.least(row, column)), Math.abs(map.most(row, column))));
            }
        }
        return end;
    }

    int columns() {
        return map.columns();
    }

    int rows() {
        return map.rows();
    }

    /** The path of an SVG for the cells of one color, or for the crosses on cells with NaN or infinity. */
    record Shape(String kind, String opacity, String path) {}

    /** Returns the opacity on a common scale; empty for full opacity. */
    String opacity() {
        return part == 1 ? "" : String.format(Locale.ROOT, "%.2f", part);
    }

    /** Returns the shapes of the finite cells. */
    List<Shape> values() {
        return shapes(kind -> kind.order() <= 1);
    }

    /** Returns the shapes of the cells with NaN or infinity. They are drawn last because they are enlarged. */
    List<Shape> marks() {
        return shapes(kind -> kind.order() > 1);
    }

    private List<Shape> shapes(Predicate<Kind> filter) {
        Map<Kind, StringBuilder> paths = new TreeMap<>();
        for (int row = 0; row < map.rows(); row++) {
            int start = 0;
            for (int column = 1; column <= map.columns(); column++) {
                if (column == map.columns() || !kind(row, column).equals(kind(row, start))) {
                    int width = column - start;
                    paths.computeIfAbsent(kind(row, start), kind -> new StringBuilder())
                            .append("M%s %sh%sv1h-%sz".formatted(start, row, width, width));
                    start = column;
                }
            }
            for (int column = 0; column < map.columns(); column++) {
                if (map.nan(row, column) + map.infinite(row, column) > 0) {
                    paths.computeIfAbsent(Kind.CROSS, kind -> new StringBuilder())
                            .append("M%s %sl1 1m0 -1l-1 1".formatted(column, row));
                }
            }
        }
        return paths.entrySet().stream()
                .filter(each -> filter.test(each.getKey()))
                .map(each -> new Shape(
                        each.getKey().name(),
                        each.getKey().opacity(),
                        each.getValue().toString()))
                .toList();
    }

    /** The style of a cell: drawing order, class of the style, and intensity from 0 to {@link #LEVELS}. */
    private record Kind(int order, String name, int level) implements Comparable<Kind> {

        private static final Kind NONE = new Kind(0, "none", 0);
        private static final Kind INFINITE = new Kind(2, "inf", 0);
        private static final Kind NAN = new Kind(3, "nan", 0);
        private static final Kind CROSS = new Kind(4, "cross", 0);

        String opacity() {
            return order == 1 ? String.format(Locale.ROOT, "%.2f", (double) level / LEVELS) : "";
        }

        @Override
        public int compareTo(Kind other) {
            return Comparator.comparingInt(Kind::order)
                    .thenComparing(Kind::name)
                    .thenComparingInt(Kind::level)
                    .compare(this, other);
        }
    }

    /** Returns the ratio of height to width in thousandths, within limits that avoid extremely flat or tall pictures. */
    long height() {
        return Math.round(1000 * Math.max(NARROWEST, Math.min(1, (double) map.rows() / map.columns())));
    }

    private Kind kind(int row, int column) {
        if (map.nan(row, column) > 0) {
            return Kind.NAN;
        }
        if (map.infinite(row, column) > 0) {
            return Kind.INFINITE;
        }
        if (!map.isFinite(row, column)) {
            return Kind.NONE;
        }
        double strength = end == 0 ? 0 : value.applyAsDouble(row, column) / end;
        int level = (int) Math.min(LEVELS, Math.ceil(Math.abs(strength) * LEVELS));
        return new Kind(1, strength < 0 ? "below" : "above", level);
    }
}
