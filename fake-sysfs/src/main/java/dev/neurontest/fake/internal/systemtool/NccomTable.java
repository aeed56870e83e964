package dev.neurontest.fake.internal.systemtool;

import dev.neurontest.fake.internal.tool.ToolFailure;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The results of {@code nccom-test}, as the table that it prints and as JSON. */
final class NccomTable {

    /** The first version with decimals in durations. */
    private static final int DECIMALS = 31;

    /** The first version that names the statistic in the head of the duration. */
    private static final int NAMED_STATISTICS = 24;

    private final int minor;
    private final NccomOptions options;
    private final CollectivesBenchmark results;
    private final List<String> heads;
    private final List<List<String>> lines = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();

    /** The result for one size: the cells of its row by their heads. */
    private record Row(Map<String, Object> cells, double busBandwidth) {}

    /**
     * Creates a table without rows.
     *
     * @param minor the second number of the version of the tool
     */
    NccomTable(int minor, NccomOptions options, CollectivesBenchmark results) throws ToolFailure {
        this.minor = minor;
        this.options = options;
        this.results = results;
        this.heads = heads(options.statistics());
    }

    /** Adds the results for a size. */
    void add(long size) throws ToolFailure {
        Row row = row(options.operation(), options.workers(), size, options.statistics());
        rows.add(row);
        lines.add(heads.stream().map(head -> text(head, row.cells().get(head))).toList());
    }

    /** Adds a size without results. */
    void addFailure(long size, String text) {
        lines.add(List.of(String.valueOf(size), text));
    }

    private Row row(String operation, int workers, long size, List<String> statistics) {
        Map<String, Object> cells = new LinkedHashMap<>();
        cells.put("size(B)", size);
        cells.put("count(elems)", size / options.typeBytes());
        if (options.showsSizes()) {
            cells.put("total_input_size(B)", operation.equals("all_gather") ? size / workers : size);
            cells.put("total_output_size(B)", operation.equals("reduce_scatter") ? size / workers : size);
        }
        cells.put("type", options.type());
        double average = rounded(results.microseconds(size));
        double bandwidth = size / average * 1e6 / (1L << 30);
        double busBandwidth = bandwidth * factor(operation, workers);
        for (String statistic : statistics) {
            cells.put(head(statistic), statistic.equals("avg") ? (Object) average : percentile(average, statistic));
        }
        cells.put("algbw(GB/s)", bandwidth);
        cells.put("busbw(GB/s)", busBandwidth);
        if (options.showsAlgorithm()) {
            cells.put("algorithm", results.algorithm());
        }
        return new Row(cells, busBandwidth);
    }

    /** Returns a duration as the version prints it: with two decimals, or whole microseconds. */
    private double rounded(double microseconds) {
        return minor < DECIMALS
                ? Math.max(1, Math.floor(microseconds))
                : Math.max(0.01, Math.round(microseconds * 100) / 100.0);
    }

    /** Returns a made-up percentile: durations are spread evenly over a tenth around the average. */
    private static long percentile(double average, String statistic) {
        return Math.round(average * (0.95 + 0.001 * Integer.parseInt(statistic.substring(1))));
    }

    private static double factor(String operation, int workers) {
        double others = (workers - 1.0) / workers;
        return switch (operation) {
            case "all_reduce" -> 2 * others;
            case "sendrecv", "permute" -> 1;
            default -> others;
        };
    }

    private String head(String statistic) {
        return minor < NAMED_STATISTICS && statistic.equals("avg") ? "time(us)" : "time:" + statistic + "(us)";
    }

    private List<String> heads(List<String> statistics) {
        List<String> heads = new ArrayList<>(List.of("size(B)", "count(elems)"));
        if (options.showsSizes()) {
            heads.addAll(List.of("total_input_size(B)", "total_output_size(B)"));
        }
        heads.add("type");
        statistics.forEach(statistic -> heads.add(head(statistic)));
        heads.addAll(List.of("algbw(GB/s)", "busbw(GB/s)"));
        if (options.showsAlgorithm()) {
            heads.add("algorithm");
        }
        return heads;
    }

    private static String text(String head, @Nullable Object cell) {
        if (cell instanceof Double number) {
            return head.startsWith("time")
                    ? new BigDecimal(number.toString()).stripTrailingZeros().toPlainString()
                    : decimals(number, 2);
        }
        return String.valueOf(cell);
    }

    private static String decimals(double number, int count) {
        return BigDecimal.valueOf(number).setScale(count, RoundingMode.HALF_UP).toPlainString();
    }

    /** Formats the table with cells aligned to the right. The text of a failure is longer than its column. */
    @Override
    public String toString() {
        List<List<String>> all = new ArrayList<>(List.of(heads));
        all.addAll(lines);
        int[] widths = IntStream.range(0, heads.size())
                .map(column -> all.stream()
                        .filter(line -> line.size() == heads.size())
                        .mapToInt(line -> line.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        StringBuilder text = new StringBuilder();
        for (List<String> line : all) {
            for (int i = 0; i < line.size(); i++) {
                text.append("    ")
                        .append(" ".repeat(Math.max(0, widths[i] - line.get(i).length())))
                        .append(line.get(i));
            }
            text.append('\n');
        }
        if (!rows.isEmpty()) {
            double mean = rows.stream().mapToDouble(Row::busBandwidth).average().orElse(0);
            text.append("Avg bus bandwidth:\t").append(decimals(mean, 4)).append("GB/s\n");
        }
        return text.toString();
    }

    /** Formats the results as JSON. Sizes without results are left out. */
    String toJson() {
        String each = rows.stream()
                .map(row -> row.cells().entrySet().stream()
                        .sorted((one, other) -> Boolean.compare(
                                one.getKey().startsWith("time"), other.getKey().startsWith("time")))
                        .map(cell -> "            \"" + cell.getKey() + "\": " + json(cell.getValue()))
                        .collect(Collectors.joining(",\n", "        {\n", "\n        }")))
                .collect(Collectors.joining(",\n"));
        return "{\n    \"results\": [" + (rows.isEmpty() ? "" : "\n" + each + "\n    ") + "]\n}\n";
    }

    private static String json(Object value) {
        return value instanceof String text
                ? "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\""
                : value instanceof Double number ? new BigDecimal(number.toString()).toPlainString() : value.toString();
    }
}
