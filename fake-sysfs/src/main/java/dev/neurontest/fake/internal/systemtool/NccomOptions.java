package dev.neurontest.fake.internal.systemtool;

import dev.neurontest.fake.internal.systemtool.ArgumentParser.Option;
import dev.neurontest.fake.internal.systemtool.ArgumentParser.Values;
import dev.neurontest.fake.internal.tool.ToolFailure;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The options of {@code nccom-test}. */
final class NccomOptions {

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

    private final ArgumentParser arguments = new ArgumentParser("nccom-test", OPTIONS);

    private static Option one(String letter, String name, String does) {
        return new Option(letter, name, Values.ONE, List.of(), does);
    }

    private static Option flag(String letter, String name, String does) {
        return new Option(letter, name, Values.NONE, List.of(), does);
    }

    /** Returns the help of the command. */
    static String help() {
        return "usage: nccom-test [options] OPERATION\n\nA stand-in for tests: nothing is transferred, and its results are"
                + " scripted.\nOperations: " + String.join(", ", OPERATIONS.keySet()) + "\n\n"
                + new ArgumentParser("nccom-test", OPTIONS).help();
    }

    /** Parses a command line. */
    static NccomOptions parse(List<String> words) throws ToolFailure {
        NccomOptions options = new NccomOptions();
        options.arguments.parse(words);
        return options;
    }

    /** Returns the number of workers. */
    int workers() throws ToolFailure {
        return arguments.number("--nworkers", 0, 1);
    }

    /** Returns the type of an element. */
    String type() {
        return arguments.get("--datatype", "uint8");
    }

    /** Returns the size of an element in bytes. */
    int typeBytes() {
        return TYPES.getOrDefault(type(), 1);
    }

    boolean checks() {
        return arguments.has("--check");
    }

    boolean showsSizes() {
        return arguments.has("--show-input-output-size");
    }

    boolean showsAlgorithm() {
        return arguments.has("--show-algorithm");
    }

    /** Returns the file for the results; empty for none. */
    String reportFile() {
        return arguments.get("--report-to-json-file", "");
    }

    /** Returns the operation by its long name. */
    String operation() throws ToolFailure {
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

    /** Fails for what the fake does not play. */
    void refuseWhatIsNotPlayed() throws ToolFailure {
        for (String option : NOT_PLAYED) {
            if (arguments.has(option)) {
                throw new ToolFailure("nccom-test: the fake does not play " + option);
            }
        }
        if (arguments.number("--nnodes", 1, 1) > 1) {
            throw new ToolFailure("nccom-test: the fake does not play --nnodes above 1");
        }
    }

    /** Returns the number of executions of a size. */
    long operations() throws ToolFailure {
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

    /** Returns the sizes to measure, in bytes. */
    List<Long> sizes() throws ToolFailure {
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

    /** Returns the statistics of the duration to show. */
    List<String> statistics() throws ToolFailure {
        List<String> statistics = arguments.all("--stats", List.of("avg"));
        for (String statistic : statistics) {
            if (!statistic.equals("avg") && !PERCENTILE.matcher(statistic).matches()) {
                throw arguments.wrong("--stats", "invalid value: '" + statistic + "'");
            }
        }
        return statistics;
    }
}
