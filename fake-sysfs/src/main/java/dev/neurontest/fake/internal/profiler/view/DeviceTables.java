package dev.neurontest.fake.internal.profiler.view;

import dev.neurontest.fake.internal.neff.NeffTensor;
import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.Chip;
import dev.neurontest.fake.internal.profiler.call.Effect;
import dev.neurontest.fake.internal.profiler.ntff.Ntff;
import dev.neurontest.fake.internal.profiler.ntff.TraceProperties;
import dev.neurontest.fake.internal.profiler.table.Column;
import dev.neurontest.fake.internal.profiler.table.ColumnType;
import dev.neurontest.fake.internal.profiler.table.Table;
import dev.neurontest.fake.internal.profiler.table.TableFile;
import dev.neurontest.fake.internal.tool.GoFlags;
import dev.neurontest.fake.internal.tool.ToolRelease;
import java.io.IOException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a device profile. Empty tables are not written. Times are nanoseconds on the clock of the trace. The bytes of all
 * instructions, and those of all transfers, add up to the summary.
 */
final class DeviceTables {

    private static final int FIRST_WITH_EXECUTION_TIMES = 6;
    private static final int CHANNELS = 128;
    private final TracePair pair;
    private final Ntff ntff;
    private final Summary summary;
    private final Events events;
    private final ToolRelease release;
    private final Call call;
    private final GoFlags flags;
    private final Chip chip;
    private final long nanoseconds;

    DeviceTables(TracePair pair, Summary summary, ToolRelease release, Call call, GoFlags flags) {
        this.pair = pair;
        this.ntff = pair.ntff();
        this.summary = summary;
        this.release = release;
        this.call = call;
        this.flags = flags;
        this.events = new Events(summary, ntff, call);
        this.chip = Chip.of(ntff.properties().get("instance", ntff.instanceType()));
        this.nanoseconds = ntff.picoseconds() / 1000;
    }

    /** Writes all tables. The summary is last, as in the genuine tool: it is missing if the tool is killed. */
    void write(TableFolder folder, String name) throws IOException {
        folder.write("Metadata", file -> metadata(file, name));
        folder.write("NeffHeader", this::neffHeader);
        folder.write("ExecutionInfo", this::executionInfo);
        folder.write("TensorInfo", this::tensorInfo);
        if (!events.warnings().isEmpty()) {
            folder.write("Warning", this::warnings);
        }
        if (!events.errors().isEmpty()) {
            folder.write("Error", this::errors);
        }
        if (ntff.properties().fraction("throttle") > 0) {
            folder.write("ThrottleSummary", this::throttleSummary);
        }
        boolean hasInstructions = events.instructions() > 0 && !flags.has("ignore-instruction-trace");
        if (hasInstructions) {
            new InstructionTables(summary, events, nanoseconds).write(folder);
        }
        if (events.packets() > 0 && !flags.has("ignore-dma-trace")) {
            new TransferTables(events).write(folder, hasInstructions);
        }
        folder.write("HbmUsageSummaryByType", this::deviceMemory);
        if (!flags.has("ignore-nc-buf-usage")) {
            new BufferTables(summary, chip, Math.max(1, ntff.graphs().size()), nanoseconds).write(folder);
        }
        folder.write("SchemaFields", file -> schemaFields(file, folder));
        summary(folder);
    }

    private void metadata(TableFile file, String name) throws IOException {
        TraceProperties properties = ntff.properties();
        long end = Events.BEGINNING + nanoseconds;
        file.put("profile_schema_version", call.argument(Effect.SCHEMA, 0, -1, release.schema()))
                .put("ntff_version", ntff.version())
                .put("num_physical_cores", ntff.graphs().size())
                .put("vnc_enabled", ntff.graphs().size() > 1)
                .put("first_hw_timestamp", Events.BEGINNING)
                .put("last_hw_timestamp", end)
                .put("first_ts", text(Events.BEGINNING))
                .put("last_ts", text(end))
                .put("dma_ddr_bandwidth", chip.dmaBandwidth())
                .put("num_dma_engines_per_neuroncore", Chip.DMA_ENGINES)
                .put("hbm_ddr_bandwidth", chip.bandwidth())
                .put("tensor_engine_num_rows", Chip.TENSOR_ROWS)
                .put("tensor_engine_num_cols", Chip.TENSOR_ROWS)
                .put("tensor_engine_clock_freq", chip.tensorClock() / 1e9)
                .put("vector_engine_clock_freq", chip.vectorClock() / 1e9)
                .put("vector_engine_num_channels", CHANNELS)
                .put("scalar_engine_clock_freq", chip.clock() / 1e9)
                .put("scalar_engine_num_channels", CHANNELS)
                .put("gpsimd_engine_clock_freq", chip.clock() / 1e9)
                .put("gpsimd_engine_num_channels", CHANNELS)
                .put("neuroncore_clock_freq", chip.clock() / 1e9)
                .put("ticks_per_nanosec", 1)
                .put("instance_type", ntff.instanceType())
                .put("runtime_version", properties.get("runtime", "") + " (8deec)")
                .put("collectives_version", properties.get("collectives", "") + " ()")
                .put("driver_version", properties.get("driver", "") + " ()")
                .put("explorer_version", release.version())
                .put("compiler_version", "2.21.18209.0+043b1bf7")
                .put("neuroncore_idx", ntff.graphs().get(0).core())
                .put("neuron_device_idx", properties.number("device", 0))
                .put("profile_name", name)
                .put("is_simulation", false)
                .endRow();
    }

    /** Formats a time. The genuine format is not known. */
    static String text(long nanoseconds) {
        return Instant.ofEpochSecond(0, nanoseconds).toString();
    }

    private void neffHeader(TableFile file) throws IOException {
        file.put("network_name", pair.neff().name())
                .put("uuid", HexFormat.of().formatHex(pair.neff().uuid()))
                .put("header_size", 1024)
                .put("data_size", pair.neff().bytes() - 1024)
                .put("major_version", 2)
                .put("minor_version", 0)
                .put("cc_participant_count", pair.neff().model().workers())
                .put("neuroncore_count", pair.neff().lnc())
                .put("logical_neuroncore_count", 1)
                .put("pcore_count_per_lnc", pair.neff().lnc())
                .endRow();
    }

    private void executionInfo(TableFile file) throws IOException {
        file.put("execution_index", 0)
                .put("neff_name", ntff.neffName())
                .put("num_subgraphs", ntff.graphs().size())
                .put("row_count", events.instructions() + events.packets());
        if (ntff.version() >= FIRST_WITH_EXECUTION_TIMES) {
            file.put("execution_start_ts", Events.BEGINNING).put("execution_end_ts", Events.BEGINNING + nanoseconds);
        }
        file.endRow();
    }

    private void tensorInfo(TableFile file) throws IOException {
        Map<String, NeffTensor> inputs = pair.neff().model().inputs();
        tensors(file, "IN", inputs == null ? Map.of() : inputs);
        tensors(file, "OUT", pair.neff().model().written());
        long weights = summary.count("weight_size_bytes", 0);
        for (int i = 0; i < Events.layers() && weights > 0; i++) {
            long size = Events.part(weights, i, Events.layers());
            file.put("variable_name", "weight." + i)
                    .put("type", "WEIGHT")
                    .put("shape", "[" + size + "]")
                    .put("size", size)
                    .put("node", 0)
                    .put("pcore_idx", 0)
                    .put("load_to_sbuf_total_size_bytes", size)
                    .put("load_to_sbuf_dma_count", 1)
                    .put("load_to_sbuf_avg_size_bytes", size)
                    .put("load_to_sbuf_repeat_factor", 1.0)
                    .endRow();
        }
    }

    private static void tensors(TableFile file, String type, Map<String, NeffTensor> tensors) throws IOException {
        for (Map.Entry<String, NeffTensor> each : tensors.entrySet()) {
            NeffTensor tensor = each.getValue();
            file.put("variable_name", each.getKey())
                    .put("type", type)
                    .put("format", tensor.dtype().isEmpty() ? null : tensor.dtype())
                    .put("shape", tensor.shape().toString())
                    .put("size", tensor.bytes())
                    .put("node", 0)
                    .put("pcore_idx", 0)
                    .endRow();
        }
    }

    private void warnings(TableFile file) throws IOException {
        for (Events.Warning warning : events.warnings()) {
            file.put("message", warning.message())
                    .put("category", warning.category())
                    .endRow();
        }
    }

    private void errors(TableFile file) throws IOException {
        int id = 0;
        for (String error : events.errors()) {
            file.put("description", error)
                    .put("error_type_id", id++)
                    .put("pcore_idx", 0)
                    .put("timestamp", Events.BEGINNING + nanoseconds)
                    .put("type", "Errors")
                    .endRow();
        }
    }

    private long throttled() {
        return Math.round(ntff.properties().fraction("throttle") * nanoseconds);
    }

    private void throttleSummary(TableFile file) throws IOException {
        double fraction = ntff.properties().fraction("throttle");
        for (String type : List.of("activity_1", "all")) {
            file.put("nc_idx", 0)
                    .put("throttle_type", type)
                    .put("throttle_active_time_ns", throttled())
                    .put("throttle_active_time_percent", fraction)
                    .put("max_achievable_util_with_throttling_percent", 1 - fraction * (1 - chip.throttledLimit()))
                    .endRow();
        }
    }

    private void deviceMemory(TableFile file) throws IOException {
        long weights = summary.count("weight_size_bytes", 0);
        Map<String, Long> types = Map.of(
                "weights", weights,
                "io", Math.max(0, summary.count("inputs_and_weights_size_bytes", 0) - weights),
                "dram_spill", summary.count("spill_save_bytes", 0));
        for (Map.Entry<String, Long> type : types.entrySet()) {
            file.put("neuron_device_idx", ntff.properties().number("device", 0))
                    .put("neuroncore_idx", ntff.graphs().get(0).core())
                    .put("usage_type", type.getKey())
                    .put("usage_bytes", type.getValue())
                    .endRow();
        }
    }

    private static void schemaFields(TableFile file, TableFolder folder) throws IOException {
        for (Table table : folder.schema().tables()) {
            for (Column column : table.columns()) {
                file.put("table_name", table.name())
                        .put("table_description", table.description())
                        .put("field_name", column.name())
                        .put("field_description", column.description())
                        .put(
                                "field_type",
                                column.list() ? "array" : column.type().word())
                        .put("field_required", column.required())
                        .put("field_format", absent(column.type().format()))
                        .put("field_unit", absent(column.unit()))
                        .put("field_enum_values", absent(String.join(",", column.allowed())))
                        .endRow();
            }
        }
    }

    private static @Nullable String absent(String text) {
        return text.isEmpty() ? null : text;
    }

    /**
     * Writes the summary as a single row. A metric that is missing in the schema, such as a scripted one, becomes an additional
     * column.
     */
    private void summary(TableFolder folder) throws IOException {
        Table table = folder.schema().table("Summary");
        Map<String, Object> row = new LinkedHashMap<>();
        for (String metric : summary.names()) {
            Object value = summary.value(metric);
            ColumnType type = table.columns().stream()
                    .filter(column -> column.name().equals(metric))
                    .map(Column::type)
                    .findFirst()
                    .orElse(null);
            if (type == null && metric.startsWith("throttle_")) {
                // Throttling has its own table.
                continue;
            }
            boolean fits = type == ColumnType.LONG ? value instanceof Long : type != null && value instanceof Number;
            if (!fits) {
                table = table.with(
                        Column.optional(metric, value instanceof Number ? ColumnType.DOUBLE : ColumnType.TEXT));
            }
            row.put(metric, value);
        }
        folder.write(table, file -> {
            for (Map.Entry<String, Object> each : row.entrySet()) {
                if (each.getValue() instanceof Long number) {
                    file.put(each.getKey(), number);
                } else if (each.getValue() instanceof Double number) {
                    file.put(each.getKey(), number);
                } else {
                    file.put(each.getKey(), String.valueOf(each.getValue()));
                }
            }
            file.endRow();
        });
    }
}
