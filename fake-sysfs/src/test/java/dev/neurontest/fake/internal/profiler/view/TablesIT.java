package dev.neurontest.fake.internal.profiler.view;

import static dev.neurontest.fake.internal.profiler.TablesFixture.from;
import static dev.neurontest.fake.internal.profiler.TablesFixture.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.profiler.TablesFixture;
import dev.neurontest.fake.internal.profiler.ToolFixture;
import dev.neurontest.fake.internal.profiler.ToolFixture.Result;
import dev.neurontest.fake.internal.profiler.ntff.SystemTrace;
import dev.neurontest.fake.internal.profiler.table.Column;
import dev.neurontest.fake.internal.profiler.table.Schema;
import dev.neurontest.fake.internal.profiler.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Tests of the tables that {@code view} writes for a trace of 17 ms on two physical cores, read by DuckDB. */
class TablesIT {

    private static final List<String> USUAL = List.of(
            "ActiveTime",
            "DmaPacket",
            "DmaPacketAggregated",
            "ExecutionInfo",
            "Flow",
            "HbmUsageSummaryByType",
            "Instruction",
            "Metadata",
            "NeffHeader",
            "OpcodeSummary",
            "PsumUsage",
            "SbufUsage",
            "SchemaFields",
            "Summary",
            "TensorInfo");

    private static FakeNeuronHost host;
    private static TablesFixture reader;

    @TempDir
    private Path folder;

    private ToolFixture tools;

    @BeforeAll
    static void start() throws SQLException {
        host = FakeNeuronHost.builder().instance("trn2.3xlarge").start();
        reader = new TablesFixture();
    }

    @AfterAll
    static void stop() throws SQLException {
        reader.close();
        host.close();
    }

    @BeforeEach
    void capture() throws IOException {
        tools = new ToolFixture(host, folder);
        FakeNeff.builder()
                .name("resnet50")
                .time(Duration.ofMillis(17))
                .input("x", "bfloat16", 2, 3)
                .write(folder.resolve("m.neff"));
        capture("p.ntff");
    }

    private void capture(String trace) {
        succeeded(tools.explorer("capture", "-n", "m.neff", "-s", trace));
    }

    private static Result succeeded(Result result) {
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result;
    }

    private void script(String effect, Object... arguments) {
        host.profiler().script(effect, arguments);
    }

    private Result view(String... more) {
        return tools.explorer(Stream.concat(Stream.of("view", "-n", "m.neff", "-s", "p.ntff"), Arrays.stream(more))
                .toArray(String[]::new));
    }

    /** Writes the tables to a folder of the working directory. */
    private Path tables(String name, String... more) {
        succeeded(view(Stream.concat(
                        Stream.of("--output-format", "parquet", "--output-file", name, "--ingest-only"),
                        Arrays.stream(more))
                .toArray(String[]::new)));
        return folder.resolve(name);
    }

    private JsonNode json() throws IOException {
        succeeded(view("--output-format", "json", "--output-file", "events.json"));
        return new ObjectMapper().readTree(Files.readString(folder.resolve("events.json")));
    }

    @Nested
    class Rows {

        @Test
        void onlyTablesWithRowsAreWritten() throws Exception {
            assertThat(names(tables("t"))).containsExactlyElementsOf(USUAL);
        }

        @Test
        void haveTheColumnsAndTypesOfTheSchema() throws Exception {
            script("throttle", 0.4);
            script("warning", "Missing Data", "x");
            script("hardware-error", "x");
            capture("p.ntff");
            Path tables = tables("t");
            Schema schema = new Schema();
            List<String> files = names(tables);
            assertThat(files).hasSize(USUAL.size() + 3);

            for (String file : files) {
                Table table = schema.table(file.replaceAll("_[0-9]+$", ""));
                Map<String, String> wanted = new TreeMap<>();
                for (Column column : table.columns()) {
                    wanted.put(column.name(), column.required() + " " + column.type());
                }
                Map<String, String> found = new TreeMap<>();
                for (Map<String, Object> row : reader.rows("SELECT * FROM parquet_schema('"
                        + tables.resolve(file + ".parquet") + "') WHERE num_children IS NULL")) {
                    found.put(
                            (String) row.get("name"),
                            row.get("repetition_type").equals("REQUIRED") + " "
                                    + type(table.name(), (String) row.get("type")));
                }
                assertThat(found).as(file).isEqualTo(wanted);
                assertThat((Long) reader.value("SELECT count(*) FROM (SELECT DISTINCT * FROM "
                                + from(tables.resolve(file + ".parquet")) + ")"))
                        .as(file)
                        .isPositive();
            }
        }

        private static String type(String table, String physical) {
            return switch (physical) {
                case "INT64" -> "LONG";
                case "INT32" -> "INT";
                case "BYTE_ARRAY" -> "TEXT";
                case "DOUBLE" -> table.equals("Summary") ? "WIDE_FLOAT" : "DOUBLE";
                default -> physical;
            };
        }

        @ParameterizedTest
        @CsvSource({
            "instruction, label, Instruction, timeline_track",
            "instruction, opcode, Instruction, opcode",
            "instruction, layer, Instruction, layer",
            "instruction, nki_source_location, Instruction, nki_source_location",
            "dma, dma_queue, DmaPacket, queue_name",
        })
        void matchTheJson(String array, String field, String table, String column) throws Exception {
            Map<String, List<Long>> inJson = new TreeMap<>();
            for (JsonNode record : json().get(array)) {
                inJson.computeIfAbsent(
                                record.has(field) ? record.get(field).asString() : "none", name -> new ArrayList<>())
                        .add(record.get("duration").longValue());
            }
            Path tables = tables("t");

            Map<String, List<Long>> inTable = new TreeMap<>();
            for (Map<String, Object> row : reader.rows("SELECT coalesce(" + column
                    + ", 'none') AS name, duration_ns FROM " + from(tables, table) + " ORDER BY id")) {
                inTable.computeIfAbsent((String) row.get("name"), name -> new ArrayList<>())
                        .add((Long) row.get("duration_ns"));
            }
            assertThat(inTable).isEqualTo(inJson).hasSizeGreaterThan(1);
        }

        @Test
        void tensorInstructionsHaveTypeAndOperations() throws Exception {
            Path tables = tables("t");

            assertThat(reader.rows(
                            "SELECT opcode, tensor_instruction_type AS type, min(adjusted_flops) > 0 AS computes,"
                                    + " bool_and(raw_flops = adjusted_flops) AS bf16,"
                                    + " bool_and(adjusted_flops_transpose = if(type = 'TRANSPOSE', adjusted_flops, 0)) AS right,"
                                    + " FROM " + from(tables, "Instruction")
                                    + " WHERE engine = 'Tensor' GROUP BY ALL ORDER BY ALL"))
                    .extracting(Object::toString)
                    .containsExactly(
                            "{opcode=LDWEIGHTS, type=REGULAR, computes=false, bf16=true, right=true}",
                            "{opcode=MATMUL, type=REGULAR, computes=true, bf16=true, right=true}",
                            "{opcode=MATMUL, type=TRANSPOSE, computes=true, bf16=true, right=true}");
            assertThat(reader.value("SELECT count(tensor_instruction_type) + count(adjusted_flops) FROM "
                            + from(tables, "Instruction") + " WHERE engine <> 'Tensor'"))
                    .isEqualTo(0L);
        }

        @Test
        void weightsAreLoadedForMatrixMultiplications() throws Exception {
            String instructions = from(tables("t"), "Instruction");

            assertThat(reader.value("SELECT count(*) FROM " + instructions + " l JOIN " + instructions
                            + " m USING (bir_id) WHERE l.opcode = 'LDWEIGHTS' AND m.opcode = 'MATMUL'"
                            + " AND m.tensor_instruction_type = 'REGULAR' AND l.pcore_idx = m.pcore_idx"))
                    .isEqualTo(reader.value("SELECT count(*) FROM " + instructions + " WHERE opcode = 'LDWEIGHTS'"));
        }

        @Test
        void activeTimeMergesInstructionsOfEachEngine() throws Exception {
            Path tables = tables("t");
            String tracks = "SELECT lower(engine) AS engine, pcore_idx, start_ts, end_ts FROM ";

            assertThat(reader.value("SELECT count(*) FROM (" + tracks + from(tables, "Instruction") + ") i WHERE NOT"
                            + " EXISTS (FROM (" + tracks + from(tables, "ActiveTime") + ") a WHERE a.engine = i.engine"
                            + " AND a.pcore_idx = i.pcore_idx AND a.start_ts <= i.start_ts AND a.end_ts >= i.end_ts)"))
                    .as("instructions outside the intervals")
                    .isEqualTo(0L);
            assertThat(reader.value("SELECT count(*) FROM " + from(tables, "ActiveTime") + " a JOIN "
                            + from(tables, "ActiveTime") + " b USING (engine, pcore_idx)"
                            + " WHERE a.start_ts < b.start_ts AND a.end_ts >= b.start_ts"))
                    .as("intervals that overlap")
                    .isEqualTo(0L);
        }

        @Test
        void transfersSumUpTheirPacketsAndNameTheirTriggers() throws Exception {
            Path tables = tables("t");

            assertThat(reader.rows("SELECT id FROM (SELECT packet_aggregation_id AS id, min(start_ts) AS s, max(end_ts)"
                            + " AS e, sum(transfer_bytes) AS bytes FROM " + from(tables, "DmaPacket")
                            + " GROUP BY 1) p FULL JOIN " + from(tables, "DmaPacketAggregated")
                            + " t USING (id) WHERE s IS DISTINCT FROM t.start_ts OR e IS DISTINCT FROM t.end_ts"
                            + " OR bytes IS DISTINCT FROM t.transfer_bytes"))
                    .isEmpty();
            assertThat(reader.value("SELECT max(abs(throughput * duration_ns / 1e9 / transfer_bytes - 1)) < 1e-6 FROM "
                            + from(tables, "DmaPacket")))
                    .isEqualTo(true);
            assertThat(reader.value("SELECT count(*) FROM " + from(tables, "Flow") + " f JOIN "
                            + from(tables, "Instruction") + " i ON f.in_id = i.id JOIN "
                            + from(tables, "DmaPacketAggregated") + " t ON f.out_id = t.id"))
                    .isEqualTo(reader.value("SELECT count(*) FROM " + from(tables, "DmaPacketAggregated")));
        }

        @Test
        void summaryRowMatchesSummaryJson() throws Exception {
            script("metric", "spill_save_bytes", "4096");
            script("metric", "matmul_instruction_count", "1.5");
            script("metric", "new_key", "\"text\"");
            JsonNode summary = view("--output-format", "summary-json").metrics();
            Path tables = tables("t");

            Map<String, Object> row =
                    reader.rows("SELECT * FROM " + from(tables, "Summary")).get(0);

            assertThat(row).containsKey("total_exec_time").hasSize(102);
            row.forEach((name, value) -> {
                if (value instanceof Number number) {
                    assertThat(number.doubleValue())
                            .as(name)
                            .isEqualTo(summary.get(name).doubleValue());
                } else if (value != null) {
                    assertThat(value).as(name).isEqualTo(summary.get(name).asString());
                } else {
                    assertThat(summary.has(name)).as(name).isFalse();
                }
            });
            assertThat(reader.value("SELECT sum(spill_save_bytes)::BIGINT FROM " + from(tables, "Instruction")))
                    .isEqualTo(4096L);
        }

        @Test
        void summaryRowMayHoldNaNOrNegativeValues() throws Exception {
            script("metric", "hfu_estimated_percent", "NaN");
            script("metric", "spill_save_bytes", "-1");
            Path tables = tables("t");

            assertThat(reader.rows("SELECT hfu_estimated_percent AS hfu, spill_save_bytes AS spill FROM "
                            + from(tables, "Summary")))
                    .singleElement()
                    .hasToString("{hfu=NaN, spill=-1}");
            assertThat(reader.value("SELECT count(spill_save_bytes) FROM " + from(tables, "Instruction")))
                    .isEqualTo(0L);
        }

        @Test
        void describeModelHostAndExecution() throws Exception {
            Path tables = tables("t");

            assertThat(reader.rows("SELECT * FROM " + from(tables, "Metadata")))
                    .singleElement()
                    .satisfies(row -> assertThat(row)
                            .containsEntry("profile_schema_version", "7.4.0")
                            .containsEntry("num_physical_cores", 2)
                            .containsEntry("vnc_enabled", true)
                            .containsEntry("instance_type", "trn2.3xlarge")
                            .containsEntry("ultraserver_id", null));
            assertThat(reader.value("SELECT uuid FROM " + from(tables, "NeffHeader")))
                    .isEqualTo(HexFormat.of()
                            .formatHex(Neff.read(folder.resolve("m.neff")).uuid()));
            assertThat(reader.value(
                            "SELECT execution_end_ts - execution_start_ts FROM " + from(tables, "ExecutionInfo")))
                    .isEqualTo(17_000_000L);
            assertThat(reader.rows("SELECT type, variable_name AS name, format, shape, size FROM "
                            + from(tables, "TensorInfo") + " WHERE type <> 'WEIGHT'"))
                    .extracting(Object::toString)
                    .containsExactly(
                            "{type=IN, name=x, format=bfloat16, shape=[2, 3], size=12}",
                            "{type=OUT, name=output0, format=null, shape=[64], size=64}");
            assertThat(reader.value(
                            "SELECT sum(size)::BIGINT FROM " + from(tables, "TensorInfo") + " WHERE type = 'WEIGHT'"))
                    .isEqualTo(reader.value("SELECT weight_size_bytes FROM " + from(tables, "Summary")));
        }

        @Test
        void schemaFieldsDescribeEveryColumn() throws Exception {
            Path tables = tables("t");

            assertThat(reader.value("SELECT count(*) FROM " + from(tables, "SchemaFields")))
                    .isEqualTo(new Schema()
                            .tables().stream()
                                    .mapToLong(table -> table.columns().size())
                                    .sum());
            assertThat(reader.rows("SELECT DISTINCT field_unit FROM " + from(tables, "SchemaFields")
                            + " WHERE field_name LIKE '%clock_freq' OR field_name LIKE '%bandwidth'"
                            + " AND table_name = 'Metadata' ORDER BY 1"))
                    .extracting(Object::toString)
                    .containsExactly("{field_unit=bytes_per_second}", "{field_unit=gigahertz}");
            assertThat(reader.rows("SELECT field_type, field_format, field_unit, field_required FROM "
                            + from(tables, "SchemaFields")
                            + " WHERE table_name = 'Instruction' AND field_name = 'start_ts'"))
                    .singleElement()
                    .hasToString("{field_type=integer, field_format=int64, field_unit=ns, field_required=true}");
        }

        @Test
        void missingSourceLineIsNullOrEmptyText() throws Exception {
            Path tables = tables("t");

            assertThat(reader.rows("SELECT opcode, nki_source_location AS line FROM " + from(tables, "Instruction")
                            + " WHERE lower(engine) = 'sync' GROUP BY ALL ORDER BY opcode"))
                    .extracting(row -> row.get("opcode") + " " + row.get("line"))
                    .containsExactly("EVENT_SEMAPHORE ", "NOP null");
        }

        @Test
        void executionTimesAreNullBeforeVersion6() throws Exception {
            withTool("2.27.0.0", () -> {
                capture("p.ntff");
                assertThat(reader.value("SELECT execution_end_ts FROM " + from(tables("t"), "ExecutionInfo")))
                        .isNull();
            });
        }

        @Test
        void nameTheSchemaVersionOfTheTool() throws Exception {
            withTool(
                    "2.33.38.0",
                    () -> assertThat(
                                    reader.value("SELECT profile_schema_version FROM " + from(tables("t"), "Metadata")))
                            .isEqualTo("12.0.1"));
        }
    }

    private interface Action {
        void run() throws Exception;
    }

    private static void withTool(String version, Action action) throws Exception {
        String usual = host.profiler().tool("neuron-explorer");
        host.profiler().tool("neuron-explorer", "working " + version);
        try {
            action.run();
        } finally {
            host.profiler().tool("neuron-explorer", usual);
        }
    }

    @Nested
    class Scripts {

        @Test
        void warnInJsonAndInATable() throws Exception {
            script("dropped", 12);
            script("warning", "Missing Data", "Missing HLO stats | a\\b");
            capture("p.ntff");

            Function<JsonNode, String> words = each ->
                    each.get("category").asString() + ": " + each.get("message").asString();
            List<String> inJson =
                    json().get("warnings").valueStream().map(words).toList();

            assertThat(inJson).hasSize(2).contains("Missing Data: Missing HLO stats | a\\b");
            assertThat(reader.rows("SELECT * FROM " + from(tables("t"), "Warning")))
                    .extracting(row -> row.get("category") + ": " + row.get("message"))
                    .isEqualTo(inJson);
        }

        @Test
        void hardwareErrorFillsTheErrorTable() throws Exception {
            script("hardware-error", "DMA abort on queue 3");

            assertThat(reader.rows("SELECT type, description FROM " + from(tables("t"), "Error")))
                    .singleElement()
                    .hasToString("{type=Errors, description=DMA abort on queue 3}");
        }

        @Test
        void throttleFillsTheThrottleSummary() throws Exception {
            script("throttle", 0.4);
            capture("p.ntff");
            Path tables = tables("t");

            assertThat(reader.rows("SELECT throttle_type, throttle_active_time_percent AS share,"
                            + " max_achievable_util_with_throttling_percent AS left FROM "
                            + from(tables, "ThrottleSummary")))
                    .extracting(Object::toString)
                    .containsExactly(
                            "{throttle_type=activity_1, share=0.4, left=0.8}",
                            "{throttle_type=all, share=0.4, left=0.8}");
        }

        @ParameterizedTest
        @CsvSource({"layer3, layer", "attention.py:120, nki_source_location"})
        void slowALayerOrALineDown(String name, String column) throws Exception {
            Path before = tables("before");
            script("slower", name, 3);
            Path after = tables("after");

            String time = "SELECT sum(duration_ns)::BIGINT FROM ";
            String here = " WHERE " + column + " = '" + name + "'";
            String elsewhere = " WHERE " + column + " <> '" + name + "'";
            assertThat((Long) reader.value(time + from(after, "Instruction") + here)
                            / (double) (Long) reader.value(time + from(before, "Instruction") + here))
                    .isCloseTo(3, within(0.01));
            assertThat(reader.value(time + from(after, "Instruction") + elsewhere))
                    .isEqualTo(reader.value(time + from(before, "Instruction") + elsewhere));
        }

        @Test
        void fillBuffersOfEachCoreAgainInEachLayer() throws Exception {
            Path tables = tables("t");

            for (String table : List.of("SbufUsage", "PsumUsage")) {
                assertThat(reader.rows("SELECT pcore_idx, count(*) AS n, count(DISTINCT timestamp) AS times FROM "
                                + from(tables, table) + " GROUP BY 1 ORDER BY 1"))
                        .extracting(Object::toString)
                        .containsExactly("{pcore_idx=0, n=96, times=96}", "{pcore_idx=1, n=96, times=96}");
                assertThat((Float) reader.value("SELECT min(avg_util_percent) * 2 FROM " + from(tables, table)))
                        .isCloseTo(
                                (Float) reader.value("SELECT max(avg_util_percent) FROM " + from(tables, table)),
                                within(0.001f));
            }
            // The model spills.
            assertThat(reader.value("SELECT max(avg_util_percent) FROM " + from(tables, "SbufUsage")))
                    .isEqualTo(0.97f);
            assertThat(reader.value("SELECT max(avg_util_percent) FROM " + from(tables, "PsumUsage")))
                    .isEqualTo(reader.value(
                            "SELECT tensor_engine_active_time_percent::FLOAT FROM " + from(tables, "Summary")));
        }

        @Test
        void sbufIsNotFullWithoutSpills() throws Exception {
            script("metric", "spill_save_bytes", "0");
            script("metric", "inputs_and_weights_size_bytes", "1");

            Path tables = tables("t");

            assertThat((Float) reader.value("SELECT max(avg_util_percent) FROM " + from(tables, "SbufUsage")))
                    .isLessThan(0.97f);
        }

        @Test
        void spillAddsBytesToOneLayer() throws Exception {
            Path before = tables("before");
            script("spill", "layer3", 1 << 20);
            Path after = tables("after");

            for (String column : List.of("spill_save_bytes", "spill_reload_bytes")) {
                String sum = "SELECT layer, sum(" + column + ")::BIGINT AS bytes FROM ";
                assertThat(reader.rows("SELECT a.layer, a.bytes - b.bytes AS more FROM (" + sum
                                + from(after, "Instruction") + " GROUP BY 1) a JOIN (" + sum
                                + from(before, "Instruction")
                                + " GROUP BY 1) b USING (layer) WHERE a.bytes <> b.bytes"))
                        .singleElement()
                        .hasToString("{layer=layer3, more=1048576}");
                assertThat(reader.value("SELECT " + column + " FROM " + from(after, "Summary")))
                        .isEqualTo((Long) reader.value("SELECT " + column + " FROM " + from(before, "Summary"))
                                + (1 << 20))
                        .isEqualTo(
                                reader.value("SELECT sum(" + column + ")::BIGINT FROM " + from(after, "Instruction")));
            }
        }

        @Test
        void changeVersionAndColumnsOfTheSchema() throws Exception {
            script("schema", "13.0.0");
            script("renamed", "Instruction.layer", "module");
            Path tables = tables("t");

            assertThat(reader.value("SELECT profile_schema_version FROM " + from(tables, "Metadata")))
                    .isEqualTo("13.0.0");
            assertThat(reader.value("SELECT count(module) FROM " + from(tables, "Instruction")))
                    .isEqualTo(2000L);
            assertThatThrownBy(() -> reader.value("SELECT count(layer) FROM " + from(tables, "Instruction")))
                    .hasMessageContaining("\"layer\" not found");
        }

        @Test
        void truncateOrOmitTables() throws Exception {
            script("table-bytes", "Summary", 500);
            script("table-bytes", "Metadata", 0);
            script("no-table", "Instruction");
            Path tables = tables("t");

            assertThat(names(tables)).doesNotContain("Instruction").hasSize(USUAL.size() - 1);
            assertThat(tables.resolve("Summary.parquet")).hasSize(500);
            assertThatThrownBy(() -> reader.rows("SELECT * FROM " + from(tables, "Summary")))
                    .hasMessageContaining("No magic bytes found at end of file");
            assertThatThrownBy(() -> reader.rows("SELECT * FROM " + from(tables, "Metadata")))
                    .hasMessageContaining("too small to be a Parquet file");
        }

        @ParameterizedTest
        @CsvSource({
            "0, 0, ''",
            "1, 1, Instruction",
            "100001, 100001, Instruction",
        })
        void recordsSetsTheNumberOfInstructions(long records, long rows, String files) throws Exception {
            script("records", records);
            Path tables = tables("t");

            assertThat(names(tables).stream()
                            .filter(name -> name.startsWith("Instruction"))
                            .collect(Collectors.joining(" ")))
                    .isEqualTo(files);
            if (rows > 0) {
                assertThat(reader.value("SELECT count(DISTINCT id) FROM " + from(tables, "Instruction")))
                        .isEqualTo(rows);
            }
        }

        @ParameterizedTest
        @CsvSource({
            "Instruction, 1999, 'Instruction_0 Instruction_1'",
            "Instruction, 2000, Instruction",
            "Instruction, 700, 'Instruction_0 Instruction_1 Instruction_2'",
            "DmaPacketAggregated, 16, 'DmaPacketAggregated_0 DmaPacketAggregated_1'",
            "Summary, 1, Summary",
        })
        void splitPutsTheRowsOfATableIntoSeveralFiles(String table, int rows, String files) throws Exception {
            Path whole = tables("whole");
            script("split", table, rows);
            Path parts = tables("parts");

            assertThat(names(parts).stream().filter(name -> name.matches(table + "(_[0-9]+)?")))
                    .containsExactly(files.split(" "));
            assertThat(names(parts)).hasSize(USUAL.size() + files.split(" ").length - 1);
            assertThat(reader.rows("SELECT * FROM " + from(parts, table)))
                    .isEqualTo(reader.rows("SELECT * FROM " + from(whole, table)));
            for (String file : files.split(" ")) {
                assertThat((Long) reader.value("SELECT count(*) FROM " + from(parts.resolve(file + ".parquet"))))
                        .isBetween(1L, (long) rows);
            }
        }

        @Test
        void splitRefusesFilesWithoutRows() {
            assertThatThrownBy(() -> script("split", "Instruction", 0))
                    .hasMessage("\"0\" is not a valid ROWS of split; usage: split NAME ROWS");
        }

        @Test
        void metricsOfTheSummaryFillTheRows() throws Exception {
            script("metric", "adjusted_hardware_flops", "1000");
            script("metric", "adjusted_transpose_flops", "10");
            script("metric", "dma_transfer_total_bytes", "123456");
            Path tables = tables("t");

            assertThat(reader.value("SELECT sum(adjusted_flops)::BIGINT FROM " + from(tables, "Instruction")))
                    .isEqualTo(1000L);
            assertThat(reader.value("SELECT sum(adjusted_flops_transpose)::BIGINT FROM " + from(tables, "Instruction")))
                    .isEqualTo(10L);
            assertThat(reader.value("SELECT sum(transfer_bytes)::BIGINT FROM " + from(tables, "DmaPacket")))
                    .isEqualTo(123456L);
        }

        @Test
        void refuseAFormat() {
            script("no-format", "summary-json");

            assertThat(view("--output-format", "summary-json").err())
                    .contains("Invalid value `summary-json' for option `--output-format'.");
        }
    }

    @Nested
    class Folders {

        @ParameterizedTest
        @CsvSource({
            "--ignore-instruction-trace, 'ActiveTime Flow Instruction OpcodeSummary'",
            "--ignore-dma-trace, 'DmaPacket DmaPacketAggregated Flow'",
            "--ignore-nc-buf-usage, 'PsumUsage SbufUsage'",
        })
        void omitIgnoredTables(String flag, String missing) throws Exception {
            List<String> found = names(tables("t", flag));

            assertThat(USUAL.stream().filter(name -> !found.contains(name))).containsExactly(missing.split(" "));
        }

        @Test
        void areNamedInAStore() throws Exception {
            succeeded(view(
                    "--ingest-only",
                    "--display-name",
                    "x",
                    "--data-path",
                    "store",
                    "--processing-status-file",
                    "status"));

            Path profile = folder.resolve("store/profiles/global/x@latest");
            assertThat(names(profile)).containsExactlyElementsOf(USUAL);
            assertThat(reader.value("SELECT profile_name FROM " + from(profile, "Metadata")))
                    .isEqualTo("x");
            assertThat(folder.resolve("status")).content().contains("\"status\": \"success\"");
        }

        @Test
        void areInTheHomeFolderByDefault() throws Exception {
            succeeded(view("--ingest-only", "--display-name", "x"));

            assertThat(names(folder.resolve("home/.local/share/neuron-profile/profiles/global/x@latest")))
                    .hasSameSizeAs(USUAL);
        }

        @Test
        void areOverwrittenOnlyByForce() throws Exception {
            String[] call = {"--ingest-only", "--display-name", "x", "--data-path", "store"};
            succeeded(view(call));
            script("split", "Instruction", 1500);

            Result refused = view(call);
            assertThat(refused.exitCode()).isNotZero();
            assertThat(refused.err()).contains("profile x already exists, use --force to overwrite it");
            Path profile = folder.resolve("store/profiles/global/x@latest");
            assertThat(names(profile)).contains("Instruction");

            succeeded(view(
                    Stream.concat(Arrays.stream(call), Stream.of("--force")).toArray(String[]::new)));
            assertThat(names(profile)).contains("Instruction_0").doesNotContain("Instruction");
        }

        @Test
        void namedFolderKeepsFilesOfAnEarlierRun() throws Exception {
            tables("t");
            script("split", "Instruction", 1500);

            assertThat(names(tables("t"))).contains("Instruction", "Instruction_0", "Instruction_1");
        }

        @Test
        void needADisplayNameIfThatIsScripted() {
            script("name-required");

            for (String flag : List.of("--ingest-only", "--data-path=store")) {
                Result result = view(flag);

                assertThat(result.exitCode()).isNotZero();
                assertThat(result.err()).isEqualTo("FATA[0000] Missing --display-name\n");
            }
        }

        @Test
        void ofOneTraceHaveItsKeyAsDefaultName() throws Exception {
            Result result = view("--ingest-only", "--data-path", "store");

            succeeded(result);
            String key = result.out().replaceAll("Processing for (n_[0-9a-f]{40}) is complete\n", "$1");
            assertThat(names(folder.resolve("store/profiles/global/" + key + "@latest")))
                    .contains("Summary");
        }

        @Test
        void ofAFolderHaveItsOwnNameByDefault() throws Exception {
            Path session = Files.createDirectories(folder.resolve("my run"));
            Files.copy(folder.resolve("m.neff"), session.resolve("neff_1.neff"));
            Files.copy(folder.resolve("p.ntff"), session.resolve("profile_nc_0_session_1.ntff"));

            succeeded(tools.explorer("view", "-d", "my run/../my run/.", "--ingest-only", "--data-path", "store"));

            assertThat(folder.resolve("store/profiles/global/my run_i-0123456789abcdef0_1_nc_0_session_1@latest"))
                    .isNotEmptyDirectory();
        }

        @Test
        void sessionHasAFolderForSystemAndEachTrace() throws Exception {
            Path session = Files.createDirectories(folder.resolve("session/i-0123456789abcdef0_pid_4711"));
            Files.copy(folder.resolve("m.neff"), session.resolve("neff_1.neff"));
            Files.copy(folder.resolve("p.ntff"), session.resolve("profile_nc_0_session_1.ntff"));
            Files.copy(folder.resolve("p.ntff"), session.resolve("profile_nc_1_session_1.ntff"));
            // The process had this core and did not use it.
            Files.write(session.resolve("profile_nc_2_session_1.ntff"), new byte[0]);
            SystemTrace.Event event = new SystemTrace.Event("nrt_execute", 5, 20, 1, 0, -1, 10001);
            Files.write(session.resolve("ntrace.pb"), new SystemTrace("i-1", 4711, 0, List.of(event)).toBytes());

            succeeded(tools.explorer(
                    "view", "-d", "session", "--ingest-only", "--data-path", "store", "--display-name", "run"));

            Path store = folder.resolve("store/profiles/global");
            Path system = store.resolve("run@latest");
            assertThat(names(system)).containsExactly("SystemProfileEvents", "SystemProfileMetadata");
            for (int core = 0; core < 2; core++) {
                String device = "run_i-0123456789abcdef0_4711_nc_" + core + "_session_1@latest";
                assertThat(names(store.resolve(device))).containsExactlyElementsOf(USUAL);
            }
            assertThat(reader.rows("SELECT first_ts_ns, last_ts_ns FROM " + from(system, "SystemProfileMetadata")))
                    .singleElement()
                    .hasToString("{first_ts_ns=5, last_ts_ns=25}");
        }

        @Test
        void systemProfileAloneHasOnlyItsMetadata() throws Exception {
            Files.write(Files.createDirectory(folder.resolve("session")).resolve("ntrace.pb"), new byte[] {1});

            succeeded(tools.explorer(
                    "view", "-d", "session", "--ingest-only", "--data-path", "store", "--display-name", "run"));

            assertThat(names(folder.resolve("store/profiles/global/run@latest")))
                    .containsExactly("SystemProfileMetadata");
        }
    }
}
