package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.profile.table.TableFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** A comparison of the same events as full JSON and as tables. */
class EventFormatsTest {

    private static final List<String> TEXTS = Arrays.asList(
            null,
            "",
            "MATMUL",
            "MatMul",
            "Transpose",
            "my TRANSPOSED",
            "it's \"quoted\"; drop view Instruction; --",
            "a\\b\nc\td",
            "model/layers.1/self_attn",
            "STRASSE straße ſ K İ ı é É \u0130",
            "\uD83D\uDE00",
            "(none)",
            "(others)",
            "x".repeat(256),
            "x".repeat(256) + "1",
            "x".repeat(256) + "2",
            "{names} $1 ? %s");

    private static final List<String> COLUMNS = List.of(
            "engine",
            "opcode",
            "compiler_opcode",
            "tensor_instruction_type",
            "layer",
            "nki_source_location",
            "bir_debug_info_source_location");

    @TempDir
    Path folder;

    private final Random random = new Random(11);
    private final List<Map<String, @Nullable Object>> instructions = new ArrayList<>();
    private final List<Map<String, @Nullable Object>> transfers = new ArrayList<>();

    @Test
    void fullJsonAndTablesGiveSameRows() throws IOException {
        // given
        makeEvents(500);

        // when
        ProfileEvents json = ProfileEvents.read(json());
        ProfileEvents tables = ProfileEvents.read(tables());

        // then
        assertThat(tables.rows()).isEqualTo(json.rows());
        assertThat(tables.executionNanos()).isEqualTo(json.executionNanos());
        assertThat(json.count(Grouping.ENGINE)).isGreaterThan(300);
        assertThat(json.rows(Grouping.LINE)).hasSizeGreaterThan(5);
    }

    private void makeEvents(int count) {
        for (int id = 0; id < count; id++) {
            Map<String, @Nullable Object> event = new LinkedHashMap<>();
            event.put("start_ts", (long) id);
            event.put("duration_ns", duration());
            COLUMNS.forEach(column -> event.put(column, TEXTS.get(random.nextInt(TEXTS.size()))));
            event.put("spill_save_bytes", random.nextBoolean() ? (Object) (random.nextInt(9) - 1L) : null);
            event.put("spill_reload_bytes", random.nextBoolean() ? (Object) (random.nextInt(9) - 1L) : null);
            instructions.add(event);
            Map<String, @Nullable Object> transfer = new LinkedHashMap<>();
            transfer.put("duration_ns", duration());
            transfer.put("queue_name", TEXTS.get(random.nextInt(TEXTS.size())));
            transfers.add(transfer);
        }
    }

    /** Returns a duration: often the same ones, of all sizes, some of them invalid. */
    private @Nullable Long duration() {
        return switch (random.nextInt(12)) {
            case 0 -> null;
            case 1 -> -5L;
            case 2 -> EventRow.LONGEST + 1;
            case 3 -> EventRow.LONGEST;
            case 4 -> 0L;
            case 5 -> (1L << random.nextInt(46)) - 1;
            case 6 -> 1L << random.nextInt(46);
            default -> (long) Math.exp(random.nextDouble() * 30);
        };
    }

    private Path json() throws IOException {
        Map<String, String> names = Map.of(
                "start_ts", "timestamp", "duration_ns", "duration", "engine", "label", "queue_name", "dma_queue");
        return Files.writeString(
                folder.resolve("ntff.json"),
                JsonMapper.shared()
                        .writeValueAsString(Map.of(
                                "instruction", renamed(instructions, names),
                                "dma", renamed(transfers, names),
                                "summary", List.of(Map.of("total_time", 0.017, "trace_count", 3)),
                                "warnings", List.of(Map.of("category", "Missing Data", "message", "it's lost")))));
    }

    private static List<Map<String, @Nullable Object>> renamed(
            List<Map<String, @Nullable Object>> events, Map<String, String> names) {
        return events.stream()
                .map(event -> {
                    Map<String, @Nullable Object> renamed = new LinkedHashMap<>();
                    event.forEach((name, value) -> renamed.put(names.getOrDefault(name, name), value));
                    return renamed;
                })
                .toList();
    }

    private Path tables() throws IOException {
        Path tables = Files.createDirectory(folder.resolve("tables of 'it'"));
        int half = instructions.size() / 2;
        write(tables, "Instruction_0", instructions.subList(0, half));
        write(tables, "Instruction_1", instructions.subList(half, instructions.size()));
        write(tables, "DmaPacket", transfers);
        TableFixture.write(
                tables, "Summary", "select 0.017::float as total_time, 3::bigint as trace_count, null::double as x");
        TableFixture.write(tables, "Warning", "select 'it''s lost' as message, 'Missing Data' as category");
        return tables;
    }

    private static void write(Path tables, String file, List<Map<String, @Nullable Object>> events) {
        List<String> names = List.copyOf(events.get(0).keySet());
        String columns = IntStream.range(0, names.size())
                .mapToObj(column -> "c%s::%s as %s"
                        .formatted(
                                column,
                                names.get(column).matches(".*_(ts|ns|bytes)") ? "BIGINT" : "VARCHAR",
                                names.get(column)))
                .collect(Collectors.joining(", "));
        String rows = events.stream()
                .map(event -> event.values().stream()
                        .map(EventFormatsTest::literal)
                        .collect(Collectors.joining(", ", "(", ")")))
                .collect(Collectors.joining(", "));
        TableFixture.write(
                tables,
                file,
                "select %s from (values %s) t(%s)"
                        .formatted(
                                columns,
                                rows,
                                IntStream.range(0, names.size())
                                        .mapToObj(column -> "c" + column)
                                        .collect(Collectors.joining(", "))));
    }

    private static String literal(@Nullable Object value) {
        return value instanceof String text ? "'" + text.replace("'", "''") + "'" : String.valueOf(value);
    }
}
