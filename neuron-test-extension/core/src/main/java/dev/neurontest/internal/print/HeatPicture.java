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
 * A heat map as SVG. Blue is above zero and orange below, the stronger the farther; what is not finite has a colour of its own and
 * a cross, so that it shows however small its part of a cell is.
 *
 * @param map what is drawn
 * @param value of a cell by row and column
 * @param end the distance from zero that is strongest
 * @param part of the strength in which all is shown, so that it can be told from others; 1 for all of it. The style of the page takes it
 *     away where each map has a scale of its own
 */
record HeatPicture(HeatMap map, ToDoubleBiFunction<Integer, Integer> value, double end, double part) {

    private static final int LEVELS = 12;
    private static final double NARROWEST = 0.14;
    private static final double FAINTEST = 0.05;

    /** The farthest mean is strongest, since those of large blocks are near to each other. */
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

    /** The same among others, of which the farthest is strongest. What is not zero stays visible. */
    HeatPicture beside(double farthest) {
        double share = farthest == 0 ? 1 : Math.min(1, end / farthest);
        return new HeatPicture(map, value, end, Math.max(FAINTEST, share));
    }

    /** Each cell shows its worst value. */
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

    /** Cells of one colour, or the crosses on those that are not finite, as the path of an SVG. */
    record Shape(String kind, String opacity, String path) {}

    /** What is weakened beside others; empty for nothing. */
    String opacity() {
        return part == 1 ? "" : String.format(Locale.ROOT, "%.2f", part);
    }

    /** Finite cells. */
    List<Shape> values() {
        return shapes(kind -> kind.order() <= 1);
    }

    /** What is not finite comes last, since it is drawn larger than it is. */
    List<Shape> marks() {
        return shapes(kind -> kind.order() > 1);
    }

    private List<Shape> shapes(Predicate<Kind> wanted) {
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
                .filter(each -> wanted.test(each.getKey()))
                .map(each -> new Shape(
                        each.getKey().name(),
                        each.getKey().opacity(),
                        each.getValue().toString()))
                .toList();
    }

    /** How a cell is drawn: by an order, a class of the style, and how strong from 0 to {@link #LEVELS}. */
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

    /** Height by width in thousandths, neither a thread nor a tower. */
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
