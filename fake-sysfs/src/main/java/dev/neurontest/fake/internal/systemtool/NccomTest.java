package dev.neurontest.fake.internal.systemtool;

import dev.neurontest.fake.internal.help.Reason;
import dev.neurontest.fake.internal.systemtool.ArgumentParser.Option;
import dev.neurontest.fake.internal.systemtool.ArgumentParser.Values;
import dev.neurontest.fake.internal.tool.HostConnection;
import dev.neurontest.fake.internal.tool.ToolFailure;
import dev.neurontest.fake.internal.tool.ToolRelease;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@code nccom-test}. It takes cores of the host and counts executions there, but transfers nothing: its results are
 * scripted.
 */
final class NccomTest {

    private static final String IGNORED = "Changes nothing here.";
    private static final String REFUSED = "Is refused: the fake plays one instance with one operation at a time.";
    private static final List<String> CHECKS = List.of("random", "all_ones");
    private static final Map<String, Integer> TYPES = new LinkedHashMap<>();
    private static final Map<String, String> OPERATIONS = new LinkedHashMap<>();
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,15})([kmg]?)b?");
    private static final Pattern PERCENTILE = Pattern.compile("p([0-9]{1,2}|100)");
    private static final List<String> NOT_PLAYED =
            List.of("--hosts", "--hosts-file", "--slurm-mode", "--streams-json", "--variable-size-op-metadata");

    private static final int MOST_SIZES = 10_000;
    private static final long LARGEST_SIZE = 1L << 60;

    /** The first version with decimals in durations. */
    private static final int DECIMALS = 31;

    /** The first version that names the statistic in the head of the duration. */
    private static final int NAMED_STATISTICS = 24;

    private static final String DRIVER_MISSING =
            "Neuron DKMS Driver is not running! Read the troubleshooting guide at: "
                    + "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/neuron-runtime/nrt-troubleshoot.html";

    static {
        for (String type : List.of("uint8", "int8", "fp8")) {
            TYPES.put(type, 1);
        }
        for (String type : List.of("uint16", "int16", "fp16", "bf16")) {
            TYPES.put(type, 2);
        }
        for (String type : List.of("uint32", "int32", "fp32")) {
            TYPES.put(type, 4);
        }
        OPERATIONS.put("all_reduce", "all_reduce");
        OPERATIONS.put("allr", "all_reduce");
        OPERATIONS.put("all_gather", "all_gather");
        OPERATIONS.put("allg", "all_gather");
        OPERATIONS.put("all_gatherv", "all_gather");
        OPERATIONS.put("allgv", "all_gather");
        OPERATIONS.put("reduce_scatter", "reduce_scatter");
        OPERATIONS.put("redsct", "reduce_scatter");
        for (String operation : List.of("sendrecv", "alltoall", "alltoallv", "permute")) {
            OPERATIONS.put(operation, operation);
        }
    }

    private static final List<Option> OPTIONS = List.of(
            one("-r", "--nworkers", "Number of workers, each on a logical core. Required."),
            one("-N", "--nnodes", "Number of instances. More than 1 is refused."),
            one("-b", "--minbytes", "Smallest size, such as 1kb. Default 32M."),
            one("-e", "--maxbytes", "Largest size. Default 32M."),
            one("-i", "--stepbytes", "Difference between sizes. Default is a tenth of the range."),
            one("-f", "--stepfactor", "Factor between sizes."),
            one("-n", "--iters", "Number of measured operations. Default 20."),
            one("-w", "--warmup_iters", "Number of operations before them. Default 5."),
            one("-I", "--neff_iters", "Number of measured executions."),
            one("-W", "--neff_warmup_iters", "Number of executions before them."),
            new Option(
                    "-d", "--datatype", Values.ONE, List.copyOf(TYPES.keySet()), "Type of an element. Default uint8."),
            new Option("-c", "--check", Values.OPTIONAL, CHECKS, "Checks the results."),
            new Option(
                    "-t", "--stats", Values.MANY, List.of(), "Statistics of the duration: avg, p50, p99. Default avg."),
            flag("", "--non-interactive", "Shows no progress."),
            one("", "--report-to-json-file", "Writes the results to a file."),
            flag("", "--show-algorithm", "Shows the algorithm."),
            flag("", "--show-input-output-size", "Shows the sizes of inputs and outputs."),
            flag("", "--debug", IGNORED),
            one("", "--seed", IGNORED),
            flag("", "--unique-buff", IGNORED),
            one("", "--coalesced-cc-size-ratio", IGNORED),
            flag("", "--shared-output-buff", IGNORED),
            flag("", "--sb2sb", IGNORED),
            one("", "--input-shape", IGNORED),
            one("", "--output-shape", IGNORED),
            one("", "--cc-dim", IGNORED),
            one("", "--data-parallel-dimension", IGNORED),
            one("", "--custom-replica-groups", IGNORED),
            one("", "--custom-src-target-pairs", IGNORED),
            flag("", "--vcpu-pin-mode", IGNORED),
            one("", "--data-collector-port", IGNORED),
            one("", "--data-collector-host", IGNORED),
            one("", "--mpi-log-dir", IGNORED),
            one("-u", "--slurm-vcpus-per-node", IGNORED),
            one("", "--slurm-setup-script", IGNORED),
            one("", "--slurm-job-id", IGNORED),
            flag("", "--slurm-use-head-node-neuron-bench", IGNORED),
            new Option("-s", "--hosts", Values.MANY, List.of(), REFUSED),
            one("", "--hosts-file", REFUSED),
            flag("-S", "--slurm-mode", REFUSED),
            one("", "--streams-json", REFUSED),
            one("", "--variable-size-op-metadata", REFUSED));

    private final int minor;
    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;
    private final ArgumentParser arguments = new ArgumentParser("nccom-test", OPTIONS);
    private String taken = "";

    /** The result for one size: the cells of its row by their heads. */
    private record Row(Map<String, Object> cells, double busBandwidth) {}

    NccomTest(String version, Map<String, String> environment, PrintStream out, PrintStream err) {
        this.minor = new ToolRelease("nccom-test", version).minor();
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    private static Option one(String letter, String name, String does) {
        return new Option(letter, name, Values.ONE, List.of(), does);
    }

    private static Option flag(String letter, String name, String does) {
        return new Option(letter, name, Values.NONE, List.of(), does);
    }

    /**
     * Runs the command.
     *
     * @param host the host; null if it no longer exists
     * @return the exit code
     */
    int run(@Nullable HostConnection host, List<String> options) throws IOException, ToolFailure {
        if (options.contains("--help") || options.contains("-h")) {
            out.print(
                    "usage: nccom-test [options] OPERATION\n\nA stand-in for tests: nothing is transferred, and its results are"
                            + " scripted.\nOperations: " + String.join(", ", OPERATIONS.keySet()) + "\n\n"
                            + arguments.help());
            return 0;
        }
        try {
            return benchmark(host, options);
        } catch (ToolFailure wrong) {
            err.println(wrong.message());
            return wrong.exitCode();
        }
    }

    private int benchmark(@Nullable HostConnection host, List<String> options) throws IOException, ToolFailure {
        arguments.parse(options);
        String operation = operation();
        int workers = arguments.number("--nworkers", 0, 1);
        List<Long> sizes = sizes();
        List<String> statistics = statistics();
        long operations = operations();
        refuseWhatIsNotPlayed();
        CollectivesBenchmark results =
                host == null ? CollectivesBenchmark.USUAL : CollectivesBenchmark.of(host.request("system-tool nccom"));
        if (host == null || !host.request("system-tool devices").equals("some")) {
            out.println(DRIVER_MISSING);
            return results.exitCode();
        }
        String refusal = take(host, workers);
        List<Row> rows = new ArrayList<>();
        int failures = 0;
        List<String> heads = heads(statistics);
        List<List<String>> lines = new ArrayList<>();
        for (long size : sizes) {
            String reason = refusal != null ? refusal : size == results.failingBytes() ? "scripted failure" : null;
            if (reason != null) {
                failures++;
                lines.add(List.of(
                        String.valueOf(size), "Failure running neuron-bench - log file " + log(options, size, reason)));
                continue;
            }
            execute(host, operations);
            Row row = row(operation, workers, size, statistics, results);
            rows.add(row);
            lines.add(heads.stream()
                    .map(head -> text(head, row.cells().get(head)))
                    .toList());
        }
        print(heads, lines);
        if (!rows.isEmpty()) {
            double mean = rows.stream().mapToDouble(Row::busBandwidth).average().orElse(0);
            out.println("Avg bus bandwidth:\t" + decimals(mean, 4) + "GB/s");
        }
        boolean checkFails = arguments.has("--check") && results.checkFails();
        if (checkFails) {
            failures++;
            out.println("The results of " + operation + " differ from what was expected (scripted)");
        }
        if (failures > 0) {
            out.println(failures + " errors found - test failed");
        }
        write(rows);
        return failures > 0 ? results.exitCode() : 0;
    }

    // ---- the command line

    private String operation() throws ToolFailure {
        List<String> missing = new ArrayList<>();
        if (arguments.words().isEmpty()) {
            missing.add("operation");
        }
        if (!arguments.has("--nworkers")) {
            missing.add("-r/--nworkers");
        }
        if (!missing.isEmpty()) {
            throw arguments.wrong("the following arguments are required: " + String.join(", ", missing));
        }
        if (arguments.words().size() > 1) {
            throw arguments.wrong("unrecognized arguments: "
                    + String.join(
                            " ", arguments.words().subList(1, arguments.words().size())));
        }
        String name = arguments.words().get(0);
        arguments.requireChoice("operation", name, List.copyOf(OPERATIONS.keySet()));
        return OPERATIONS.get(name);
    }

    private void refuseWhatIsNotPlayed() throws ToolFailure {
        for (String option : NOT_PLAYED) {
            if (arguments.has(option)) {
                throw new ToolFailure("nccom-test: the fake does not play " + option);
            }
        }
        if (arguments.number("--nnodes", 1, 1) > 1) {
            throw new ToolFailure("nccom-test: the fake does not play --nnodes above 1");
        }
    }

    private long operations() throws ToolFailure {
        BigInteger each = BigInteger.valueOf(
                arguments.number("--iters", 20, 1) + (long) arguments.number("--warmup_iters", 5, 0));
        BigInteger all = each.multiply(BigInteger.valueOf(
                arguments.number("--neff_iters", 1, 1) + (long) arguments.number("--neff_warmup_iters", 0, 0)));
        // More would exceed the counters of the host.
        if (all.bitLength() >= Integer.SIZE) {
            throw arguments.wrong(
                    "--iters", "the fake counts at most " + Integer.MAX_VALUE + " executions of a size, not " + all);
        }
        return all.longValue();
    }

    private List<Long> sizes() throws ToolFailure {
        long least = bytes("--minbytes", 32L << 20);
        long most = bytes("--maxbytes", Math.max(least, 32L << 20));
        if (most < least) {
            throw arguments.wrong("--maxbytes", most + " is less than -b/--minbytes " + least);
        }
        double factor = factor();
        long step = bytes("--stepbytes", Math.max(1, (most - least) / 10));
        List<Long> sizes = new ArrayList<>();
        for (long size = least; size <= most; ) {
            sizes.add(size);
            if (sizes.size() > MOST_SIZES) {
                throw arguments.wrong("--stepbytes", "there are more than " + MOST_SIZES + " sizes");
            }
            size = factor > 1 ? Math.max(size + 1, (long) (size * factor)) : size + step;
        }
        return sizes;
    }

    private double factor() throws ToolFailure {
        if (!arguments.has("--stepfactor")) {
            return 0;
        }
        String text = arguments.get("--stepfactor", "");
        try {
            double factor = Double.parseDouble(text);
            if (factor > 1 && Double.isFinite(factor)) {
                return factor;
            }
        } catch (NumberFormatException notOne) {
            // Reported below, like a factor that is too small.
        }
        throw arguments.wrong("--stepfactor", "invalid value: '" + text + "'");
    }

    private long bytes(String name, long otherwise) throws ToolFailure {
        if (!arguments.has(name)) {
            return otherwise;
        }
        String text = arguments.get(name, "");
        Matcher size = SIZE.matcher(text.toLowerCase(Locale.ROOT));
        long bytes = size.matches() ? Long.parseLong(size.group(1)) : 0;
        int shift = switch (size.matches() ? size.group(2) : "") {
            case "k" -> 10;
            case "m" -> 20;
            case "g" -> 30;
            default -> 0;
        };
        if (bytes == 0 || bytes > LARGEST_SIZE >> shift) {
            throw arguments.wrong(name, "invalid size: '" + text + "'");
        }
        return bytes << shift;
    }

    private List<String> statistics() throws ToolFailure {
        List<String> statistics = arguments.all("--stats", List.of("avg"));
        for (String statistic : statistics) {
            if (!statistic.equals("avg") && !PERCENTILE.matcher(statistic).matches()) {
                throw arguments.wrong("--stats", "invalid value: '" + statistic + "'");
            }
        }
        return statistics;
    }

    // ---- the benchmark

    /** Takes cores for the workers. Returns the reason if they are not available. */
    private @Nullable String take(HostConnection host, int workers) throws IOException {
        String visible = environment.getOrDefault("NEURON_RT_VISIBLE_CORES", "");
        String cores = visible.isEmpty() ? workers == 1 ? "0" : "0-" + (workers - 1) : visible;
        try {
            int size = SystemToolCommand.logicalCoreSize(environment);
            taken = host.request("init neuron-bench " + cores + (size == 0 ? "" : " lnc " + size) + " pid "
                    + ProcessHandle.current().pid());
            return null;
        } catch (ToolFailure refused) {
            return refused.message();
        }
    }

    private void execute(HostConnection host, long operations) throws IOException, ToolFailure {
        for (String core : taken.substring(taken.indexOf("cores ") + 6).split(" ")) {
            host.request("execute neuron-bench " + core + " NRT_SUCCESS " + operations);
        }
    }

    private Row row(String operation, int workers, long size, List<String> statistics, CollectivesBenchmark results) {
        Map<String, Object> cells = new LinkedHashMap<>();
        String type = arguments.get("--datatype", "uint8");
        cells.put("size(B)", size);
        cells.put("count(elems)", size / TYPES.get(type));
        if (arguments.has("--show-input-output-size")) {
            cells.put("total_input_size(B)", operation.equals("all_gather") ? size / workers : size);
            cells.put("total_output_size(B)", operation.equals("reduce_scatter") ? size / workers : size);
        }
        cells.put("type", type);
        double average = rounded(results.microseconds(size));
        double bandwidth = size / average * 1e6 / (1L << 30);
        double busBandwidth = bandwidth * factor(operation, workers);
        for (String statistic : statistics) {
            cells.put(head(statistic), statistic.equals("avg") ? (Object) average : percentile(average, statistic));
        }
        cells.put("algbw(GB/s)", bandwidth);
        cells.put("busbw(GB/s)", busBandwidth);
        if (arguments.has("--show-algorithm")) {
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
        if (arguments.has("--show-input-output-size")) {
            heads.addAll(List.of("total_input_size(B)", "total_output_size(B)"));
        }
        heads.add("type");
        statistics.forEach(statistic -> heads.add(head(statistic)));
        heads.addAll(List.of("algbw(GB/s)", "busbw(GB/s)"));
        if (arguments.has("--show-algorithm")) {
            heads.add("algorithm");
        }
        return heads;
    }

    // ---- output

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

    /** Prints a table with cells aligned to the right. The text of a failure is longer than its column. */
    private void print(List<String> heads, List<List<String>> lines) {
        List<List<String>> all = new ArrayList<>(List.of(heads));
        all.addAll(lines);
        int[] widths = IntStream.range(0, heads.size())
                .map(column -> all.stream()
                        .filter(line -> line.size() == heads.size())
                        .mapToInt(line -> line.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        for (List<String> line : all) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < line.size(); i++) {
                text.append("    ")
                        .append(" ".repeat(Math.max(0, widths[i] - line.get(i).length())))
                        .append(line.get(i));
            }
            out.println(text);
        }
    }

    private static Path log(List<String> options, long size, String reason) throws IOException {
        Path log = Files.createTempFile("nccom_test_log_", ".log");
        return Files.writeString(
                log, "nccom-test " + String.join(" ", options) + "\nsize " + size + ": " + reason + "\n");
    }

    private void write(List<Row> rows) throws ToolFailure {
        if (!arguments.has("--report-to-json-file")) {
            return;
        }
        String file = arguments.get("--report-to-json-file", "");
        String results = rows.stream()
                .map(row -> row.cells().entrySet().stream()
                        .sorted((one, other) -> Boolean.compare(
                                one.getKey().startsWith("time"), other.getKey().startsWith("time")))
                        .map(cell -> "            \"" + cell.getKey() + "\": " + json(cell.getValue()))
                        .collect(Collectors.joining(",\n", "        {\n", "\n        }")))
                .collect(Collectors.joining(",\n"));
        try {
            Files.writeString(
                    Path.of(file),
                    "{\n    \"results\": [" + (rows.isEmpty() ? "" : "\n" + results + "\n    ") + "]\n}\n");
        } catch (IOException failed) {
            throw new ToolFailure("nccom-test: the report cannot be written: " + Reason.of(failed));
        }
    }

    private static String json(Object value) {
        return value instanceof String text
                ? "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\""
                : value instanceof Double number ? new BigDecimal(number.toString()).toPlainString() : value.toString();
    }
}
