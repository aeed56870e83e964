package dev.neurontest.benchmark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The table of results as Markdown. */
final class Results {

    private final String machine = Machine.describe();
    private final double loadBefore = Machine.load();
    private final List<String> times = new ArrayList<>();
    private final List<String> heaps = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    Results() throws IOException {}

    /**
     * Adds a time.
     *
     * @param millis the median
     * @param compared the other side of the comparison and its result; may be empty
     * @param wanted the limit of the project; may be empty
     */
    void time(String what, double millis, String compared, String wanted) {
        times.add("| %s | %.3f ms | %s | %s |".formatted(what, millis, compared, wanted));
    }

    /**
     * Begins the table of used heaps.
     *
     * @param moments the times of the measurements
     */
    void heapTable(List<String> moments) {
        heaps.add("| heap in use after | %s |".formatted(String.join(" | ", moments)));
        heaps.add("|---|" + "---:|".repeat(moments.size()));
    }

    /**
     * Adds used heaps.
     *
     * @param mebibytes after a collection, one for each moment
     */
    void heap(String what, List<Double> mebibytes) {
        heaps.add(mebibytes.stream()
                .map("%.2f MiB"::formatted)
                .collect(Collectors.joining(" | ", "| " + what + " | ", " |")));
    }

    void note(String note) {
        notes.add(note);
    }

    String toMarkdown() {
        StringBuilder text = new StringBuilder();
        line(text, machine);
        line(text, "");
        if (!times.isEmpty()) {
            line(text, "| | median | compared | wanted |");
            line(text, "|---|---:|---:|---:|");
            times.forEach(row -> line(text, row));
            line(text, "");
        }
        if (!heaps.isEmpty()) {
            heaps.forEach(row -> line(text, row));
            line(text, "");
        }
        notes.forEach(note -> line(text, "- " + note));
        line(text, "- load average before and after: %.1f, %.1f".formatted(loadBefore, Machine.load()));
        return text.toString();
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append('\n');
    }
}
