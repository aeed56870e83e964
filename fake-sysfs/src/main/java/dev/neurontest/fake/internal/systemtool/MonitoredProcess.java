package dev.neurontest.fake.internal.systemtool;

import dev.neurontest.fake.internal.driver.Allocation;
import dev.neurontest.fake.internal.driver.Core;
import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.ExecutionCounter;
import dev.neurontest.fake.internal.driver.LoadedModel;
import dev.neurontest.fake.internal.driver.ProcessActivity.Executions;
import dev.neurontest.fake.internal.driver.RuntimeProcess;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A process as {@code neuron-monitor} reports it: what it has executed since the previous report, and what it holds now. */
final class MonitoredProcess {

    private static final Map<String, ExecutionCounter> SUMMARY = new LinkedHashMap<>();
    private static final int[] PERCENTILES = {0, 1, 100, 25, 50, 75, 99};
    private static final int LONGEST_TAG = 255;
    private static final double MICRO = 1e-6;

    static {
        SUMMARY.put("completed", ExecutionCounter.SUCCESS);
        SUMMARY.put("completed_with_err", ExecutionCounter.EXECUTE_COMPLETED_WITH_ERROR);
        SUMMARY.put("completed_with_num_err", ExecutionCounter.EXECUTE_COMPLETED_WITH_NUM_ERROR);
        SUMMARY.put("timed_out", ExecutionCounter.TIMEOUT);
        SUMMARY.put("incorrect_input", ExecutionCounter.EXEC_BAD_INPUT);
        SUMMARY.put("failed_to_queue", ExecutionCounter.EXECUTE_FAILED_TO_QUEUE);
    }

    private final RuntimeProcess process;
    private final CoreNumbers numbers;
    private final String tag;
    // The logical cores of the process by their numbers.
    private final Map<Integer, List<Core>> cores;
    // The logical cores of the size that the process itself uses.
    private final Collection<List<Core>> executing;
    private final Map<Object, Long> reported = new LinkedHashMap<>();
    private long lastExecutions;

    private record Count(Core core, ExecutionCounter counter) {}

    /**
     * Creates a process without a report.
     *
     * @param devices the devices in the order of their nodes
     * @param older true if the process is older than the monitor, which does not report what was before it
     */
    MonitoredProcess(RuntimeProcess process, List<Device> devices, CoreNumbers numbers, boolean older) {
        this.process = process;
        this.numbers = numbers;
        String named = process.isProgram() ? MachineUse.variable(process.pid(), "NEURON_PROCESS_TAG") : null;
        String text = named == null || named.isEmpty() ? String.valueOf(process.pid()) : named;
        this.tag = DeviceList.beginning(text, LONGEST_TAG);
        this.cores = numbers.logical(process.cores());
        this.executing = new CoreNumbers(devices, process.logicalCoreSize())
                .logical(process.cores())
                .values();
        processors(0);
        if (older) {
            executions();
            use(0);
        }
    }

    RuntimeProcess process() {
        return process;
    }

    String tag() {
        return tag;
    }

    /**
     * Reports groups.
     *
     * @param groups the names of the groups, with the seconds since their previous report
     */
    Map<String, Object> report(Map<String, Double> groups) {
        Map<String, Object> report = new LinkedHashMap<>();
        groups.forEach((group, seconds) -> {
            Map<String, @Nullable Object> content = new LinkedHashMap<>();
            content.put("period", seconds);
            content.putAll(
                    switch (group) {
                        case "execution_stats" -> executions();
                        case "memory_used" -> memory();
                        case "neuron_runtime_vcpu_usage" -> processors(seconds);
                        default -> use(seconds);
                    });
            content.put("error", "");
            report.put(group, content);
        });
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("pid", process.pid());
        entry.put("neuron_runtime_tag", tag);
        entry.put("error", "");
        entry.put("report", report);
        return entry;
    }

    /** Returns the increase of a number since the previous report. */
    private long since(Object name, long now) {
        Long before = reported.put(name, now);
        return now - (before == null ? 0 : before);
    }

    /**
     * Returns executions since the previous report. The physical cores of a logical core execute together and count once, also if a report
     * comes between their counts.
     */
    private long executions(ExecutionCounter counter) {
        return since(
                counter,
                executing.stream()
                        .mapToLong(physical -> physical.stream()
                                .mapToLong(core -> process.activity().count(core, counter))
                                .max()
                                .orElse(0))
                        .sum());
    }

    private Map<String, @Nullable Object> executions() {
        Map<String, Object> summary = new LinkedHashMap<>();
        SUMMARY.forEach((name, counter) -> summary.put(name, executions(counter)));
        Map<String, Object> errors = new LinkedHashMap<>();
        errors.put("numerical", summary.get("completed_with_num_err"));
        errors.put("transient", 0);
        errors.put("model", 0);
        errors.put("runtime", 0);
        errors.put("hardware", executions(ExecutionCounter.HW_ERROR));
        List<Executions> executed = new ArrayList<>(process.activity().after(lastExecutions));
        if (!executed.isEmpty()) {
            lastExecutions = executed.get(executed.size() - 1).number();
        }
        Map<String, Object> percentiles = percentiles(executed);
        Map<String, @Nullable Object> latency = new LinkedHashMap<>();
        latency.put("total_latency", percentiles);
        latency.put("device_latency", percentiles);
        Map<String, @Nullable Object> stats = new LinkedHashMap<>();
        stats.put("error_summary", errors);
        stats.put("execution_summary", summary);
        stats.put("latency_stats", latency);
        return stats;
    }

    private static @Nullable Map<String, Object> percentiles(List<Executions> executed) {
        long times = executed.stream().mapToLong(Executions::times).sum();
        if (times == 0) {
            return null;
        }
        executed.sort(Comparator.comparingLong(Executions::microseconds));
        Map<String, Object> percentiles = new LinkedHashMap<>();
        for (int percentile : PERCENTILES) {
            long rank = Math.max(1, (long) Math.ceil(times * percentile / 100.0));
            percentiles.put("p" + percentile, atRank(executed, rank) * MICRO);
        }
        return percentiles;
    }

    private static long atRank(List<Executions> sorted, long rank) {
        long passed = 0;
        for (Executions each : sorted) {
            passed += each.times();
            if (passed >= rank) {
                return each.microseconds();
            }
        }
        throw new IllegalArgumentException("no rank " + rank);
    }

    private Map<String, Object> use(double seconds) {
        Map<String, Object> inUse = new LinkedHashMap<>();
        cores.forEach((number, physical) -> {
            Map<String, Object> shares = new LinkedHashMap<>();
            double sum = 0;
            long operations = 0;
            for (Core core : physical) {
                double share = MachineUse.percent(counted(core, ExecutionCounter.NC_TIME_IN_USE) * MICRO, seconds);
                share = Math.min(share, 100);
                sum += share;
                operations += counted(core, ExecutionCounter.FLOP_COUNT);
                shares.put(numbers.physicalName(core), Map.of("neuroncore_utilization", share));
            }
            Map<String, Object> use = new LinkedHashMap<>();
            use.put("neuroncore_utilization", MachineUse.percent(sum / physical.size(), 100));
            use.put("effective_flops", seconds <= 0 ? 0L : Math.round(operations / seconds));
            if (physical.size() > 1) {
                use.put("v3d", shares);
            }
            inUse.put(String.valueOf(number), use);
        });
        return Map.of("neuroncores_in_use", inUse);
    }

    private long counted(Core core, ExecutionCounter counter) {
        return since(new Count(core, counter), process.activity().count(core, counter));
    }

    private Map<String, Object> processors(double seconds) {
        long[] times = process.isProgram() ? MachineUse.times(process.pid()) : new long[] {0, 0};
        Map<String, Object> usage = new LinkedHashMap<>();
        // The kernel counts hundredths of a second.
        usage.put("user", MachineUse.percent(since("user", times[0]) / 100.0, seconds));
        usage.put("system", MachineUse.percent(since("system", times[1]) / 100.0, seconds));
        return Map.of("vcpu_usage", usage);
    }

    // ---- memory

    private Map<String, Object> memory() {
        List<Allocation> memory = process.memory().stream()
                .filter(each -> numbers.contains(each.core()))
                .toList();
        Map<String, Object> host = categories("application_memory", "constants", "dma_buffers", "tensors");
        memory.stream().filter(each -> !each.onDevice()).forEach(each -> add(host, each, "application_memory"));
        Map<String, Object> byCore = new LinkedHashMap<>();
        cores.forEach((number, physical) -> {
            Map<String, Object> core = deviceCategories();
            memory.stream()
                    .filter(each -> each.onDevice() && physical.contains(each.core()))
                    .forEach(each -> add(core, each, "runtime_memory"));
            byCore.put(String.valueOf(number), core);
        });
        Map<String, Object> breakdown = new LinkedHashMap<>();
        breakdown.put("host", host);
        breakdown.put("neuroncore_memory_usage", byCore);
        Map<String, Object> used = new LinkedHashMap<>();
        used.put("host", sum(memory, false));
        used.put("neuron_device", sum(memory, true));
        used.put("usage_breakdown", breakdown);
        Map<String, Object> group = new LinkedHashMap<>();
        group.put("neuron_runtime_used_bytes", used);
        List<Object> models = new ArrayList<>();
        process.models().forEach((id, model) -> models.add(model(id, model)));
        group.put("loaded_models", models);
        return group;
    }

    private static Map<String, Object> deviceCategories() {
        return categories("constants", "model_code", "model_shared_scratchpad", "runtime_memory", "tensors");
    }

    private static Map<String, Object> categories(String... names) {
        Map<String, Object> categories = new LinkedHashMap<>();
        for (String name : names) {
            categories.put(name, 0L);
        }
        return categories;
    }

    /** Adds an allocation to its category, or to another one if the tool has no such category. */
    private static void add(Map<String, Object> categories, Allocation allocation, String otherwise) {
        String category = categories.containsKey(allocation.purpose()) ? allocation.purpose() : otherwise;
        categories.merge(category, allocation.bytes(), (sum, bytes) -> (Long) sum + (Long) bytes);
    }

    private static long sum(List<Allocation> memory, boolean onDevice) {
        return memory.stream()
                .filter(each -> each.onDevice() == onDevice)
                .mapToLong(Allocation::bytes)
                .sum();
    }

    private Map<String, Object> model(long id, LoadedModel model) {
        Map<String, Object> device = categories("constants", "model_code", "runtime_memory", "tensors");
        device.put("model_code", model.bytes());
        Map<String, Object> breakdown = new LinkedHashMap<>();
        breakdown.put("host", categories("application_memory", "constants", "dma_buffers", "tensors"));
        breakdown.put("neuron_device", device);
        Map<String, Object> used = new LinkedHashMap<>();
        used.put("host", 0);
        used.put("neuron_device", model.bytes());
        used.put("usage_breakdown", breakdown);
        Map<String, Object> subgraph = new LinkedHashMap<>();
        subgraph.put("memory_used_bytes", used);
        subgraph.put("neuroncore_index", numbers.logicalNumber(model.core()));
        subgraph.put("neuron_device_index", numbers.deviceNumber(model.core()));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", model.name());
        json.put(
                "uuid",
                UUID.nameUUIDFromBytes(model.name().getBytes(StandardCharsets.UTF_8))
                        .toString()
                        .replace("-", ""));
        json.put("model_id", id);
        json.put("is_running", model.running().get() > 0);
        json.put("subgraphs", Map.of("sg_00", subgraph));
        return json;
    }
}
