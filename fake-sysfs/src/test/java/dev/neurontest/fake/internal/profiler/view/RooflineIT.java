package dev.neurontest.fake.internal.profiler.view;

import static dev.neurontest.fake.internal.profiler.TablesFixture.from;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.internal.profiler.TablesFixture;
import dev.neurontest.fake.internal.profiler.ToolFixture;
import dev.neurontest.fake.internal.profiler.ToolFixture.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of the limits of a kernel that public readers compute from its tables, by the formulas that the vendor publishes for each
 * physical core. They take bandwidths in bytes per second and clocks in gigahertz.
 */
@ParameterizedClass
@CsvSource({
    "inf2.xlarge, 1, 2.8, 1.12, 1.4, 435.2e9, 410e9",
    "trn1.2xlarge, 1, 2.8, 1.12, 1.4, 435.2e9, 410e9",
    "trn2.3xlarge, 1, 2.4, 0.96, 1.2, 435.2e9, 716e9",
    "trn2.3xlarge, 2, 2.4, 0.96, 1.2, 435.2e9, 716e9",
    "trn3pd98.3xlarge, 1, 2.4, 1.2, 1.2, 614.4e9, 1225e9",
    "trn3pd98.3xlarge, 2, 2.4, 1.2, 1.2, 614.4e9, 1225e9",
})
record RooflineIT(
        String instance,
        int cores,
        double tensorClock,
        double vectorClock,
        double clock,
        double dmaBandwidth,
        double stackBandwidth) {

    private static final List<String> ENGINES = List.of("tensor", "vector", "scalar", "gpsimd", "sync");

    @TempDir
    private static Path captures;

    private static final double TWO_NANOSECONDS = 2e-9;

    private record Tables(TablesFixture reader, Path folder) {

        double number(String sql, String table, Object... arguments) throws SQLException {
            Object value =
                    reader.value("SELECT (" + sql.formatted(arguments) + ")::DOUBLE FROM " + from(folder, table));
            return value == null ? 0 : (Double) value;
        }

        double summary(String metric) throws SQLException {
            return number(metric, "Summary");
        }

        /** Returns the seconds that the rows cover. */
        double covered(String table, String condition) throws SQLException {
            long covered = 0;
            long end = 0;
            for (Map<String, Object> row : reader.rows("SELECT start_ts, end_ts FROM " + from(folder, table) + " WHERE "
                    + condition + " ORDER BY start_ts")) {
                long start = Math.max(end, (Long) row.get("start_ts"));
                end = Math.max(end, (Long) row.get("end_ts"));
                covered += Math.max(0, end - start);
            }
            return covered / 1e9;
        }
    }

    private interface Judgement {
        void judge(Tables tables) throws SQLException;
    }

    /** Judges the tables of a model. Each model is captured once for all tests of an instance. */
    private void judge(String work, Judgement judgement) throws IOException, SQLException {
        Path folder = captures.resolve(instance + "-" + cores + "-" + work);
        if (Files.notExists(folder)) {
            capture(Files.createDirectory(folder), work);
        }
        try (TablesFixture reader = new TablesFixture()) {
            judgement.judge(new Tables(reader, folder.resolve("t")));
        }
    }

    private void capture(Path folder, String work) throws IOException {
        try (FakeNeuronHost host = FakeNeuronHost.builder().instance(instance).start()) {
            ToolFixture tools = new ToolFixture(host, folder);
            tools.environment("NEURON_LOGICAL_NC_CONFIG", String.valueOf(cores));
            FakeNeff.builder()
                    .profile(work)
                    .lnc(cores)
                    .time(Duration.ofMillis(17))
                    .write(folder.resolve("m.neff"));
            succeeded(tools.explorer("capture", "-n", "m.neff", "-s", "p.ntff"));
            succeeded(tools.explorer(
                    ("view -n m.neff -s p.ntff --output-format parquet --output-file t --ingest-only").split(" ")));
        }
    }

    private static void succeeded(Result result) {
        assertThat(result.exitCode()).as(result.err()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"model", "vector", "transpose"})
    void idealTimesAreWithinActiveTimesOfEachCore(String work) throws Exception {
        judge(work, tables -> {
            double total = tables.summary("total_time");
            double peak = tables.number(
                    "tensor_engine_num_rows * tensor_engine_num_cols * 2 * tensor_engine_clock_freq::DOUBLE * 1e9",
                    "Metadata");
            double bandwidth = tables.number("dma_ddr_bandwidth", "Metadata");
            for (int core = 0; core < cores; core++) {
                String here = " FILTER (pcore_idx = " + core + ")";
                double moved = tables.number("sum(transfer_bytes)" + here, "DmaPacket");
                double moving = tables.covered("DmaPacket", "pcore_idx = " + core);
                assertThat(moved / bandwidth)
                        .as("memory bound")
                        .isGreaterThan(0)
                        .isLessThan(moving);

                double flops = tables.number("sum(adjusted_flops)" + here, "Instruction");
                double useful = flops
                        - tables.number(
                                "sum(adjusted_flops) FILTER (tensor_instruction_type = 'TRANSPOSE' AND pcore_idx = "
                                        + core + ")",
                                "Instruction");
                double computing = tables.covered("ActiveTime", "engine = 'tensor' AND pcore_idx = " + core);
                assertThat(flops / peak).as("compute bound").isLessThan(computing);
                assertThat(useful).as("operations without transposes").isBetween(0.0, flops);
                assertThat(flops > 0).isEqualTo(!work.equals("vector"));

                List<Double> active = new ArrayList<>(List.of(moving));
                for (String engine : ENGINES) {
                    active.add(tables.covered("ActiveTime", "engine = '" + engine + "' AND pcore_idx = " + core));
                }
                assertThat(active).as("active times").allMatch(time -> time > 0 && time < total);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"model", "transpose"})
    void idealTimesAreWithinActiveTimesOfAllCores(String work) throws Exception {
        judge(work, tables -> {
            double peak = 128 * 128 * 2 * tables.number("tensor_engine_clock_freq", "Metadata") * 1e9;
            double moved = tables.number("sum(transfer_bytes)", "DmaPacket");

            assertThat(moved / tables.number("dma_ddr_bandwidth", "Metadata"))
                    .as("memory bound")
                    .isLessThan(tables.covered("DmaPacket", "true"));
            assertThat(tables.number("sum(adjusted_flops)", "Instruction") / peak)
                    .as("compute bound")
                    .isLessThan(tables.covered("ActiveTime", "engine = 'tensor'"));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"model", "vector", "transpose"})
    void eventsAreWithinTheExecutionAfterItsStartUp(String work) throws Exception {
        judge(work, tables -> {
            double startUp = instance.startsWith("trn1") ? 2.08e6 : 0;
            double begin = tables.number("execution_start_ts", "ExecutionInfo");
            double end = tables.number("execution_end_ts", "ExecutionInfo");

            for (String table : List.of("Instruction", "ActiveTime", "DmaPacket", "DmaPacketAggregated")) {
                assertThat(tables.number("min(start_ts)", table)).as(table).isBetween(begin + startUp, end);
                assertThat(tables.number("max(end_ts)", table)).as(table).isBetween(begin + startUp, end);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"model", "vector", "transpose"})
    void sumsOfRowsMatchTheSummary(String work) throws Exception {
        judge(work, tables -> {
            for (String table : List.of("DmaPacket", "DmaPacketAggregated")) {
                assertThat(tables.number("sum(transfer_bytes)", table))
                        .as(table)
                        .isEqualTo(tables.summary("dma_transfer_total_bytes"));
                assertThat(tables.covered(table, "queue_type <> 'instruction' AND transfer_bytes > 4"))
                        .as(table)
                        .isCloseTo(tables.summary("dma_active_time"), within(TWO_NANOSECONDS));
            }
            assertThat(tables.number("sum(adjusted_flops) FILTER (opcode = 'MATMUL')", "Instruction"))
                    .isEqualTo(tables.summary("adjusted_hardware_flops"));
            assertThat(tables.number(
                            "sum(adjusted_flops) FILTER (tensor_instruction_type = 'TRANSPOSE')", "Instruction"))
                    .isEqualTo(tables.summary("adjusted_transpose_flops"));
            for (String engine : ENGINES) {
                double active = tables.summary(engine + "_engine_active_time");
                assertThat(tables.number("sum(duration_ns) FILTER (engine = '%s')", "ActiveTime", engine) / 1e9)
                        .as(engine)
                        .isCloseTo(active, within(active / 20));
                double instructions = tables.summary(engine + "_engine_instruction_time");
                assertThat(tables.number("sum(instruction_time_ns) FILTER (engine = '%s')", "OpcodeSummary", engine)
                                / 1e9)
                        .as(engine)
                        .isCloseTo(instructions, within(instructions / 20));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"model", "vector", "transpose"})
    void utilizationMatchesTheSummary(String work) throws Exception {
        judge(work, tables -> {
            double total = tables.summary("total_time");
            double peak = 128 * 128 * 2 * tables.number("tensor_engine_clock_freq", "Metadata") * 1e9;
            double stack = tables.number("hbm_ddr_bandwidth", "Metadata");

            assertThat(tables.number("sum(adjusted_flops)", "Instruction") / (peak * cores * total))
                    .isCloseTo(tables.summary("hfu_estimated_percent"), within(1e-6))
                    .isLessThan(1);
            assertThat(tables.number("sum(hbm_read_bytes) + sum(hbm_write_bytes)", "Instruction") / (stack * total))
                    .isCloseTo(tables.summary("mbu_estimated_percent"), within(1e-6))
                    .isBetween(0.0, 1.0);
            assertThat(peak / stack).isCloseTo(tables.summary("peak_flops_bandwidth_ratio"), within(1e-3));
            assertThat(tables.number("neuroncore_clock_freq", "Metadata") * total * 1e9)
                    .isCloseTo(tables.summary("neuroncore_cycle_count"), within(2.0));
        });
    }

    @ParameterizedTest
    @CsvSource({
        "dma_ddr_bandwidth, dma",
        "hbm_ddr_bandwidth, stack",
        "tensor_engine_clock_freq, tensor",
        "vector_engine_clock_freq, vector",
        "scalar_engine_clock_freq, core",
        "gpsimd_engine_clock_freq, core",
        "neuroncore_clock_freq, core",
    })
    void metadataHasThePublishedSpeeds(String column, String speed) throws Exception {
        judge("vector", tables -> {
            double published = Map.of(
                            "dma", dmaBandwidth, "stack", stackBandwidth, "tensor", tensorClock, "vector", vectorClock)
                    .getOrDefault(speed, clock);

            assertThat(tables.number(column, "Metadata")).isCloseTo(published, within(published / 1e6));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = "model")
    void everyTableOfInstructionsHasEachPhysicalCore(String work) throws Exception {
        judge(work, tables -> {
            for (String table : List.of("Instruction", "ActiveTime", "DmaPacket", "DmaPacketAggregated")) {
                assertThat(tables.number("count(DISTINCT pcore_idx)", table))
                        .as(table)
                        .isEqualTo(cores);
            }
            for (String engine : ENGINES) {
                assertThat(tables.number("count(DISTINCT pcore_idx) FILTER (engine = '%s')", "ActiveTime", engine))
                        .as(engine)
                        .isEqualTo(cores);
            }
            double execution = tables.number("execution_end_ts - execution_start_ts", "ExecutionInfo");
            for (int core = 0; core < cores; core++) {
                assertThat(tables.number(
                                        "max(end_ts) FILTER (pcore_idx = %1$s) - min(start_ts) FILTER (pcore_idx = %1$s)",
                                        "Instruction", core)
                                / execution)
                        .as("share of the execution that instructions of core %s span", core)
                        .isBetween(instance.startsWith("trn1") ? 0.85 : 0.95, 1.0);
            }
        });
    }
}
