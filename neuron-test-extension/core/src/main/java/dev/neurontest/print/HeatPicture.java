package dev.neurontest.print;

import dev.neurontest.recording.Markup;
import dev.neurontest.tensor.HeatMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Stream;

/**
 * A heat map as SVG. Blue is above zero and orange below, the stronger the farther; what is not finite has a colour of its own and
 * a cross, so that it shows however small its part of a cell is.
 *
 * @param map what is drawn
 * @param value of a cell by row and column
 * @param end the distance from zero that is strongest
 */
record HeatPicture(HeatMap map, ToDoubleBiFunction<Integer, Integer> value, double end) {

    private static final int LEVELS = 12;
    private static final List<String> NOT_FINITE = List.of("inf", "nan");
    private static final double NARROWEST = 0.14;

    static HeatPicture ofMeans(HeatMap map) {
        return ofMeans(map, end(map));
    }

    static HeatPicture ofMeans(HeatMap map, double end) {
        return new HeatPicture(map, map::mean, end);
    }

    /** Each cell shows its worst value. */
    static HeatPicture ofGreatest(HeatMap map) {
        return new HeatPicture(map, map::most, end(map));
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

    static String style() {
        StringBuilder style = new StringBuilder();
        for (int level = 0; level <= LEVELS; level++) {
            String opacity = String.format(Locale.ROOT, "%.2f", (double) level / LEVELS);
            style.append(
                    ".p%d { fill: var(--fill); fill-opacity: %s; } .m%d { fill: var(--below); fill-opacity: %s; }\n"
                            .formatted(level, opacity, level, opacity));
        }
        return style.toString();
    }

    String svg(String title) {
        Map<String, StringBuilder> shapes = new TreeMap<>();
        StringBuilder crosses = new StringBuilder();
        for (int row = 0; row < map.rows(); row++) {
            int start = 0;
            for (int column = 1; column <= map.columns(); column++) {
                if (column == map.columns() || !kind(row, column).equals(kind(row, start))) {
                    int width = column - start;
                    shapes.computeIfAbsent(kind(row, start), kind -> new StringBuilder())
                            .append("M%d %dh%dv1h-%dz".formatted(start, row, width, width));
                    start = column;
                }
            }
            for (int column = 0; column < map.columns(); column++) {
                if (map.nan(row, column) + map.infinite(row, column) > 0) {
                    crosses.append("M%d %dl1 1m0 -1l-1 1".formatted(column, row));
                }
            }
        }
        StringBuilder svg =
                new StringBuilder("<svg class=\"map\" role=\"img\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\""
                        .formatted(map.columns(), map.rows()));
        svg.append(String.format(Locale.ROOT, " style=\"aspect-ratio:%.3f\">", 1 / shape()))
                .append("<title>")
                .append(Markup.escape(title))
                .append("</title>");
        // What is not finite comes last, since it is drawn larger than it is.
        Stream.of(shapes.keySet().stream().filter(kind -> !NOT_FINITE.contains(kind)), NOT_FINITE.stream())
                .flatMap(kinds -> kinds)
                .filter(shapes::containsKey)
                .forEach(kind -> svg.append("<path class=\"%s\" d=\"%s\"/>".formatted(kind, shapes.get(kind))));
        if (!crosses.isEmpty()) {
            svg.append("<path class=\"cross\" d=\"%s\"/>".formatted(crosses));
        }
        return svg.append("</svg>\n").toString();
    }

    /** Height by width, neither a thread nor a tower. */
    private double shape() {
        return Math.max(NARROWEST, Math.min(1, (double) map.rows() / map.columns()));
    }

    private String kind(int row, int column) {
        if (map.nan(row, column) > 0) {
            return "nan";
        }
        if (map.infinite(row, column) > 0) {
            return "inf";
        }
        if (!map.isFinite(row, column)) {
            return "none";
        }
        double part = end == 0 ? 0 : value.applyAsDouble(row, column) / end;
        int level = (int) Math.min(LEVELS, Math.ceil(Math.abs(part) * LEVELS));
        return (part < 0 ? "m" : "p") + level;
    }
}
