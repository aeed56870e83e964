package dev.neurontest.counter;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The counters that a place has.
 *
 * @param files the counter files below {@code stats}
 * @param rows the counters that these files make
 */
record CounterLayout(List<String> files, List<CounterRow> rows) {

    private static final List<String> GROUPS = List.of("status/", "other_info/", "memory_usage/", "hardware/");
    private static final Comparator<String> ORDER = Comparator.comparingInt(CounterLayout::group)
            .thenComparing(CounterLayout::path)
            .thenComparing(CounterField::ofFile);

    static CounterLayout of(List<String> files) {
        List<String> sorted = files.stream().sorted(ORDER).toList();
        List<CounterRow> rows = new ArrayList<>();
        for (int first = 0, end; first < sorted.size(); first = end) {
            String path = path(sorted.get(first));
            end = first + 1;
            while (end < sorted.size() && path(sorted.get(end)).equals(path)) {
                end++;
            }
            rows.add(row(path, sorted, first, end));
        }
        return new CounterLayout(sorted, List.copyOf(rows));
    }

    /** The few files that tell whether somebody works on a core: what it did and how much device memory it holds. */
    CounterLayout watch() {
        Predicate<CounterRow> telling = row -> row.path().startsWith("status/")
                || row.path().startsWith("other_info/")
                || row.path().equals("memory_usage/device_mem");
        return of(rows.stream()
                .filter(telling.and(row -> row.main() >= 0))
                .map(row -> files.get(row.main()))
                .toList());
    }

    private static CounterRow row(String path, List<String> files, int first, int end) {
        int main = -1;
        int present = -1;
        int peak = -1;
        CounterField mainField = CounterField.TOTAL;
        for (int position = first; position < end; position++) {
            switch (CounterField.ofFile(files.get(position))) {
                case TOTAL -> main = position;
                case PRESENT -> present = position;
                case PEAK -> peak = position;
                case VALUE -> {
                    main = position;
                    mainField = CounterField.VALUE;
                }
            }
        }
        return new CounterRow(path, CounterKind.of(path), mainField, main, present, peak);
    }

    private static String path(String file) {
        return file.substring(
                0, file.length() - CounterField.ofFile(file).suffix().length());
    }

    private static int group(String file) {
        for (int group = 0; group < GROUPS.size(); group++) {
            if (file.startsWith(GROUPS.get(group))) {
                return group;
            }
        }
        return GROUPS.size();
    }
}
