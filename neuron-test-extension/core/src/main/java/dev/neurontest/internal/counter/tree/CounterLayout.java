package dev.neurontest.internal.counter.tree;

import dev.neurontest.internal.device.CounterKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The counters of a place.
 *
 * @param files the counter files
 * @param rows the counters made of these files
 */
record CounterLayout(List<CounterFile> files, List<CounterRow> rows) {

    static final List<String> GROUPS = List.of("status", "other_info", "memory_usage", "hardware");

    static CounterLayout of(List<CounterFile> files) {
        List<CounterFile> sorted = new ArrayList<>(files);
        Collections.sort(sorted);
        List<CounterRow> rows = new ArrayList<>();
        for (int first = 0, end; first < sorted.size(); first = end) {
            String path = sorted.get(first).path();
            end = first + 1;
            while (end < sorted.size() && sorted.get(end).path().equals(path)) {
                end++;
            }
            rows.add(row(path, sorted, first, end));
        }
        return new CounterLayout(List.copyOf(sorted), List.copyOf(rows));
    }

    /** Returns only the files that show activity on a core: executions, their outcomes, and the total of device memory. */
    CounterLayout watch() {
        List<CounterFile> watched = new ArrayList<>();
        for (CounterRow row : rows) {
            boolean telling = row.path().startsWith("status/")
                    || row.path().startsWith("other_info/")
                    || row.path().equals("memory_usage/device_mem");
            if (telling && row.main() >= 0) {
                watched.add(files.get(row.main()));
            }
        }
        return of(watched);
    }

    /** Returns only the files with the values of error counters. */
    CounterLayout errors() {
        List<CounterFile> errors = new ArrayList<>();
        for (CounterRow row : rows) {
            if (row.main() >= 0 && CounterKind.isError(row.path())) {
                errors.add(files.get(row.main()));
            }
        }
        return of(errors);
    }

    /** Returns whether this place has a readable error counter. */
    boolean countsErrors() {
        for (CounterRow row : rows) {
            if (row.main() >= 0 && CounterKind.isNeeded(row.path())) {
                return true;
            }
        }
        return false;
    }

    /** Returns the first error counter without a file for its value. */
    Optional<String> errorWithoutTotal() {
        for (CounterRow row : rows) {
            if (row.main() < 0 && CounterKind.isNeeded(row.path())) {
                return Optional.of(row.path());
            }
        }
        return Optional.empty();
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
}
