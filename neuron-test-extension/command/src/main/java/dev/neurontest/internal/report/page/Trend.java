package dev.neurontest.internal.report.page;

import dev.neurontest.internal.page.Scale;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Values in the order of their time, connected by a line.
 *
 * @param label text before the drawing
 * @param title beginning of the text for readers who do not see the drawing
 * @param points the points, the oldest first
 * @param value text after the drawing
 */
record Trend(String label, String title, List<Point> points, String value) {

    /** Free space at both ends of a scale, as a share of its range. */
    private static final double ROOM = 0.06;

    /**
     * A value.
     *
     * @param kind {@code dot}, or {@code violated} for a bad one
     */
    record Value(double value, String description, String kind) {}

    /**
     * A value at its place.
     *
     * @param x position from the left, in percent
     * @param y position from the top, in percent
     * @param nextX horizontal end of the line to the next point
     */
    record Point(String description, String kind, double x, double y, double nextX, double nextY) {}

    /** Creates a trend of at least one value. */
    static Trend of(String label, String title, List<Value> all, String value) {
        List<Double> numbers = all.stream().map(Value::value).toList();
        double low = Collections.min(numbers);
        double high = Collections.max(numbers);
        double room = high > low ? (high - low) * ROOM * 2 : Math.max(Math.abs(high), 1) * ROOM;
        Scale values = new Scale(low - room, high + room);
        int last = all.size() - 1;
        Scale times = new Scale(-ROOM, last + ROOM);
        List<Point> points = IntStream.rangeClosed(0, last)
                .mapToObj(i -> {
                    int next = Math.min(i + 1, last);
                    return new Point(
                            all.get(i).description(),
                            all.get(i).kind(),
                            times.at(i),
                            100 - values.at(numbers.get(i)),
                            times.at(next),
                            100 - values.at(numbers.get(next)));
                })
                .toList();
        return new Trend(label, title, points, value);
    }

    /** Returns the trend in words, for readers who do not see the drawing. */
    String course() {
        return points.stream().map(Point::description).collect(Collectors.joining("; "));
    }
}
