package dev.neurontest.internal.report.merge;

import java.util.Map;
import java.util.TreeMap;

/** The ranges of a counter's values that tests measured, without overlap. */
final class SeenRanges {

    private final TreeMap<Long, Long> ranges = new TreeMap<>();

    void add(long from, long to) {
        if (to <= from) {
            return;
        }
        long start = from;
        long end = to;
        for (Map.Entry<Long, Long> near = ranges.floorEntry(end);
                near != null && near.getValue() >= start;
                near = ranges.floorEntry(end)) {
            start = Math.min(start, near.getKey());
            end = Math.max(end, near.getValue());
            ranges.remove(near.getKey());
        }
        ranges.put(start, end);
    }

    long within(long from, long to) {
        return ranges.entrySet().stream()
                .mapToLong(range -> Math.max(0, Math.min(to, range.getValue()) - Math.max(from, range.getKey())))
                .sum();
    }
}
