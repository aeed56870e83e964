package dev.neurontest.fake.internal.profiler.view;

import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.Chip;
import dev.neurontest.fake.internal.profiler.call.Effect;
import dev.neurontest.fake.internal.profiler.call.Script;
import dev.neurontest.fake.internal.profiler.call.Work;
import dev.neurontest.fake.internal.profiler.ntff.Ntff;
import dev.neurontest.fake.internal.profiler.ntff.TraceProperties;
import dev.neurontest.fake.internal.tool.ToolRelease;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;

/**
 * The metrics of a trace: integers, fractions of 1, seconds, text, and scripted values.
 *
 * <p>Counts and bytes depend on the size of the work; times depend on the duration of the execution. Fractions, cycles and
 * utilization are derived from these by the identities of genuine summaries.
 */
final class Summary {

    private static final String EXPLORER_ONLY = "explorer";
    private static final String ACTIVE_FRACTION = "active_time_percent";

    /** A value that is printed unchanged. */
    private record Verbatim(String text) {}

    private final Map<String, Object> values = new LinkedHashMap<>();

    static Summary of(Ntff ntff, ToolRelease release, Call call) {
        Summary summary = new Summary();
        TraceProperties properties = ntff.properties();
        int rank = (int) properties.number("rank", 0);
        Chip chip = Chip.of(properties.get("instance", ntff.instanceType()));
        String name = properties.get("work", Work.NAMES.get(0));
        Work work = Work.named(Work.NAMES.contains(name) ? name : Work.NAMES.get(0));
        Map<String, Object> all = new Metrics(work, ntff, chip, release.explorer()).all();
        for (String line : Work.lines("metrics.txt")) {
            int blank = line.indexOf(' ');
            String metric = line.substring(0, blank);
            Object value = all.get(metric);
            if (value != null && isIn(release, line.substring(blank + 1))) {
                summary.values.put(metric, value);
            }
        }
        summary.addThrottle(ntff, chip);
        if (!release.explorer()) {
            summary.addIdentity(ntff, release);
        }
        for (Script script : call.scripts(rank)) {
            if (script.effect() == Effect.METRIC) {
                summary.values.put(
                        script.arguments().get(0),
                        new Verbatim(script.arguments().get(1)));
            } else if (script.effect() == Effect.SPILL) {
                summary.addSpill(Long.parseLong(script.arguments().get(1)));
            }
        }
        return summary;
    }

    /** Adds spilled bytes to both metrics, because all saved data is loaded again. */
    private void addSpill(long bytes) {
        for (String metric : List.of("spill_save_bytes", "spill_reload_bytes")) {
            if (values.get(metric) instanceof Long sum) {
                values.put(metric, sum + bytes);
            }
        }
    }

    private static boolean isIn(ToolRelease release, String since) {
        return since.equals(EXPLORER_ONLY)
                ? release.explorer()
                : release.explorer() || release.minor() >= Integer.parseInt(since);
    }

    private void addThrottle(Ntff ntff, Chip chip) {
        double throttle = ntff.properties().fraction("throttle");
        if (throttle == 0) {
            return;
        }
        values.put("throttle_active_nc0_time_ns", Math.round(throttle * ntff.picoseconds() / 1000));
        values.put("throttle_activity_1_active_time_nc0_percent", throttle);
        values.put("throttle_activity_1_avg_util_limit_nc0_percent", chip.throttledLimit());
        values.put("throttle_avg_util_limit_nc0_percent", 1 - throttle * (1 - chip.throttledLimit()));
    }

    /** Adds metrics that the newer tool has in a separate table. */
    private void addIdentity(Ntff ntff, ToolRelease release) {
        TraceProperties properties = ntff.properties();
        values.put("nc_idx", ntff.graphs().stream().mapToLong(Ntff.Graph::core).sum());
        values.put("nd_idx", properties.number("device", 0));
        values.put("instance_type", ntff.instanceType());
        values.put("compiler_version", "2.21.18209.0+043b1bf7");
        values.put("runtime_version", properties.get("runtime", "") + " (8deec)");
        values.put("driver_version", properties.get("driver", "") + " ()");
        values.put("collectives_version", properties.get("collectives", "") + " ()");
        values.put("profiler_version", release.version());
    }

    List<String> names() {
        return new ArrayList<>(values.keySet());
    }

    /** Returns the names in random order, as the genuine tools print them. */
    List<String> shuffled() {
        List<String> names = names();
        Collections.shuffle(names, new Random());
        return names;
    }

    long count(String metric, long otherwise) {
        return values.get(metric) instanceof Long count ? count : otherwise;
    }

    /**
     * Returns a count to which rows of tables add up, measured or scripted. It is empty if the metric is missing, negative or no integer.
     */
    OptionalLong sum(String metric) {
        return values.containsKey(metric) && value(metric) instanceof Long sum && sum >= 0
                ? OptionalLong.of(sum)
                : OptionalLong.empty();
    }

    double number(String metric) {
        return values.get(metric) instanceof Number number ? number.doubleValue() : 0;
    }

    /** Returns a number, or a text if the value is not a number. A scripted value is parsed as JSON. */
    Object value(String metric) {
        Object value = values.get(metric);
        if (!(value instanceof Verbatim verbatim)) {
            return Objects.requireNonNull(value, metric);
        }
        String text = verbatim.text();
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException noWholeNumber) {
            // Falls back to a number with a fraction below.
        }
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException noNumber) {
            return text.length() > 1 && text.startsWith("\"") ? text.substring(1, text.length() - 1) : text;
        }
    }

    String json(String metric) {
        Object value = values.get(metric);
        if (value instanceof Verbatim verbatim) {
            return verbatim.text();
        }
        if (value instanceof Double number) {
            return GoNumber.json(number);
        }
        return value instanceof Long ? value.toString() : Json.quoted(String.valueOf(value));
    }

    String text(String metric) {
        Object value = values.get(metric);
        if (value instanceof Verbatim verbatim) {
            return verbatim.text();
        }
        return value instanceof Double number ? GoNumber.text(number) : String.valueOf(value);
    }

    /** Formats the summary as an object on a single line. */
    String toJson() {
        StringBuilder json = new StringBuilder("{");
        String separator = "";
        for (String name : shuffled()) {
            json.append(separator).append(Json.quoted(name)).append(": ").append(json(name));
            separator = ", ";
        }
        return json.append('}').toString();
    }

    /** Builder of all metrics that are derived from measurements. */
    private static final class Metrics {

        private final Work work;
        private final long total;
        private final double seconds;
        private final double timeScale;
        private final double workScale;
        private final Chip chip;
        private final double peak;
        private final boolean adjusted;
        private final long startUp;
        private final Map<String, Object> all = new LinkedHashMap<>();

        Metrics(Work work, Ntff ntff, Chip chip, boolean adjusted) {
            TraceProperties properties = ntff.properties();
            this.work = work;
            this.chip = chip;
            this.adjusted = adjusted;
            this.total = ntff.picoseconds();
            this.seconds = seconds(total);
            this.startUp = properties.number("start-up", 0);
            this.timeScale = (double) (total - startUp) / work.totalTime();
            this.workScale = (double) properties.number("base", total) / work.totalTime();
            this.peak = chip.peak() * Math.max(1, ntff.graphs().size());
        }

        Map<String, Object> all() {
            for (String line : Work.lines("metrics.txt")) {
                String metric = line.substring(0, line.indexOf(' '));
                if (work.has(metric)) {
                    all.put(metric, Work.isTime(metric) ? (Object) seconds(time(metric)) : (Object) count(metric));
                }
            }
            all.put("total_time", seconds);
            all.put("neuroncore_cycle_count", (long) (seconds * chip.clock()));
            all.put("dma_active_cycles", (long) (seconds(time("dma_active_time")) * chip.clock()));
            addFractions();
            addDma();
            addUtilisation();
            all.put(
                    "inputs_outputs_weights_size_bytes",
                    whole("inputs_and_weights_size_bytes") + whole("output_queue_bytes"));
            all.put("total_row_count", whole("trace_count") + whole("event_count"));
            return all;
        }

        private static double seconds(long picoseconds) {
            return picoseconds / 1e12;
        }

        /** Returns a time in picoseconds, scaled from the measurement; the start-up is idle time. */
        private long time(String metric) {
            return Math.round(work.get(metric) * timeScale);
        }

        private long count(String metric) {
            long measured = work.get(metric);
            if (metric.equals("dma_queue_count") || measured == 0) {
                return measured;
            }
            return Math.max(1, Math.round(measured * workScale));
        }

        private long whole(String metric) {
            return all.get(metric) instanceof Long count ? count : 0;
        }

        private void addFractions() {
            for (String metric : List.copyOf(all.keySet())) {
                if (metric.endsWith("active_time")) {
                    all.put(metric + "_percent", (double) time(metric) / total);
                }
            }
            all.put(
                    "dynamic_dma_" + ACTIVE_FRACTION,
                    (double) (time("software_dynamic_dma_active_time") + time("hardware_dynamic_dma_active_time"))
                            / total);
        }

        private void addDma() {
            long transfers = whole("dma_transfer_count");
            double average = transfers == 0 ? 0 : (double) whole("dma_transfer_total_bytes") / transfers;
            all.put("dma_transfer_average_bytes", Math.round(average * 100) / 100.0);
            addShares("packet_count", "packet_percent");
            addShares("size", "size_percent");
        }

        private void addShares(String amount, String share) {
            double fixed = whole("static_dma_" + amount);
            double software = whole("software_dynamic_dma_" + amount);
            double hardware = whole("hardware_dynamic_dma_" + amount);
            double sum = Math.max(1, fixed + software + hardware);
            all.put("static_dma_" + share, fixed / sum);
            all.put("dynamic_dma_" + share, (software + hardware) / sum);
            all.put("software_dynamic_dma_" + share, software / sum);
            all.put("hardware_dynamic_dma_" + share, hardware / sum);
        }

        private void addUtilisation() {
            double moved = whole("hbm_read_bytes") + whole("hbm_write_bytes");
            double model = whole("model_flops");
            double hardware = whole("hardware_flops");
            double instructions = hardware - whole("transpose_flops");
            double balance = chip.peak() / chip.bandwidth();
            double bytesPossible = seconds * chip.bandwidth();
            double flopsPossible = seconds * peak;
            double byModel = model / moved / balance;
            double byInstructions = instructions / moved / balance;
            all.put("mbu_estimated_percent", moved / bytesPossible);
            all.put("mbu_min_read_util_percent", whole("inputs_and_weights_size_bytes") / bytesPossible);
            all.put("mm_arithmetic_intensity", instructions / moved);
            all.put("peak_flops_bandwidth_ratio", balance);
            // The newer tool falls back to instructions if the compiler left no statistics, as for kernels.
            boolean fallsBack = adjusted && model == 0;
            all.put("mfu_estimated_percent", (fallsBack ? instructions : model) / flopsPossible);
            all.put("mfu_max_achievable_estimated_percent", fallsBack ? byInstructions : byModel);
            all.put("hfu_estimated_percent", hardware / flopsPossible);
            all.put("mfu_hlo_estimated_percent", model / flopsPossible);
            all.put("mfu_hlo_max_achievable_estimated_percent", byModel);
            all.put("mfu_inst_estimated_percent", instructions / flopsPossible);
            all.put("mfu_inst_max_achievable_estimated_percent", byInstructions);
            if (work.has("hardware_flops")) {
                // For BF16 the operations are not adjusted.
                all.put("adjusted_hardware_flops", whole("hardware_flops"));
                all.put("adjusted_transpose_flops", whole("transpose_flops"));
            }
        }
    }
}
