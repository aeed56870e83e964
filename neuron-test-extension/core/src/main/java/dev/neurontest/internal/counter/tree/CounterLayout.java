package dev.neurontest.internal.counter.tree;

import dev.neurontest.internal.device.CounterKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The counters of a place.
 *
 * @param files the counter files
 * @param rows the counters made of these files
 */
record CounterLayout(List<CounterFile> files, List<CounterRow> rows) {

    static final List<String> GROUPS = List.of("status", "other_info", "memory_usage", "hardware");

    private static final Comparator<CounterFile> ORDER = Comparator.comparingInt(CounterLayout::group)
            .thenComparing(CounterFile::path)
            .thenComparing(CounterFile::field);

    static CounterLayout of(List<CounterFile> files) {
        List<CounterFile> sorted = files.stream().sorted(ORDER).toList();
        List<CounterRow> rows = new ArrayList<>();
        for (int first = 0, end; first < sorted.size(); first = end) {
            String path = sorted.get(first).path();
            end = first + 1;
            while (end < sorted.size() && sorted.get(end).path().equals(path)) {
                end++;
            }
            rows.add(row(path, sorted, first, end));
        }
        return new CounterLayout(sorted, List.copyOf(rows));
    }

    /** Returns only the files that show activity on a core: executions, their outcomes, and the total of device memory. */
    CounterLayout watch() {
        Predicate<CounterRow> telling = row -> row.path().startsWith("status/")
                || row.path().startsWith("other_info/")
                || row.path().equals("memory_usage/device_mem");
        return of(rows.stream()
                .filter(telling.and(row -> row.main() >= 0))
                .map(row -> files.get(row.main()))
                .toList());
    }

    /** Returns whether this place has a readable error counter. */
    boolean countsErrors() {
        return rows.stream().anyMatch(row -> row.main() >= 0 && CounterKind.isNeeded(row.path()));
    }

    /** Returns the first error counter without a file for its value. */
    Optional<String> errorWithoutTotal() {
        return rows.stream()
                .filter(row -> row.main() < 0 && CounterKind.isNeeded(row.path()))
                .map(CounterRow::path)
                .findFirst();
    }

    private static CounterRow row(String path, List<CounterFile> files, int first, int end) {
        int main = -1;
        int peak = -1;
        for (int position = first; position < end; position++) {
            switch (files.get(position).field()) {
                case TOTAL, VALUE -> main = position;
                case PEAK -> peak = position;
                case PRESENT -> {}
            }
        }
        return new CounterRow(path, CounterKind.of(path), main, peak);
    }

    private static int group(CounterFile file) {
        int group =
                GROUPS.indexOf(file.path().substring(0, Math.max(0, file.path().indexOf('/'))));
        return group < 0 ? GROUPS.size() : group;
    }
}
