package dev.neurontest.profile.explain;

import dev.neurontest.process.Redaction;
import dev.neurontest.profile.table.ProfileTables;
import dev.neurontest.profile.table.TableColumns;
import dev.neurontest.profile.table.TableSession;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The sums of the tables of one profile, as {@code ProfileEvents} has them but without percentiles, which take ten times as long.
 *  */
final class TableShares {

    private static final String SUMS = """
            WITH events AS (SELECT %s, %s AS duration, %s AS saved, %s AS loaded FROM %s)
            SELECT CASE %s END, coalesce(%s, '(none)'), count(*), sum(duration),
                sum(CASE WHEN saved >= 0 THEN saved END), sum(CASE WHEN loaded >= 0 THEN loaded END)
            FROM events WHERE duration BETWEEN 0 AND %s GROUP BY GROUPING SETS (%s)""";

    /** What claims to last longer is no duration. */
    private static final long LONGEST = Duration.ofDays(1).toNanos();

    /** As many layers and lines as events keep apart. */
    private static final int MOST_NAMES = 5_000;

    private final TableSession session;
    private final Map<Grouping, Map<String, EventShare>> groups = new EnumMap<>(Grouping.class);

    private TableShares(TableSession session) {
        this.session = session;
    }

    static EventShares of(Path folder, Map<String, String> about) {
        try (TableSession session =
                ProfileTables.of(folder).require(List.of("Summary")).session()) {
            return new TableShares(session).read(about);
        }
    }

    private EventShares read(Map<String, String> about) {
        TableColumns instruction = new TableColumns(session, "Instruction");
        Map<Grouping, String> names = new EnumMap<>(Grouping.class);
        names.put(
                Grouping.LINE,
                first(instruction.text("nki_source_location"), instruction.text("bir_debug_info_source_location")));
        names.put(Grouping.LAYER, instruction.text("layer"));
        names.put(Grouping.OPCODE, first(instruction.text("opcode"), instruction.text("compiler_opcode")));
        names.put(Grouping.ENGINE, instruction.text("engine"));
        sum(
                "Instruction",
                instruction,
                names,
                instruction.integer("spill_save_bytes"),
                instruction.integer("spill_reload_bytes"));
        String transfers = session.has("DmaPacket") ? "DmaPacket" : "DmaPacketAggregated";
        TableColumns dma = new TableColumns(session, transfers);
        String queue = first(dma.text("queue_name"), dma.integer("queue_idx") + "::VARCHAR");
        sum(transfers, dma, new EnumMap<>(Map.of(Grouping.QUEUE, queue)), "NULL::BIGINT", "NULL::BIGINT");
        Map<String, BigDecimal> summary = summary();
        return new EventShares(
                        new TreeMap<>(about),
                        Optional.ofNullable(summary.get("total_time"))
                                .map(seconds -> OptionalLong.of(
                                        Math.round(seconds.movePointRight(9).doubleValue())))
                                .orElse(OptionalLong.empty()),
                        EventShare.bytes(summary.get("spill_save_bytes"), summary.get("spill_reload_bytes")),
                        groups)
                .keeping(MOST_NAMES);
    }

    private void sum(String table, TableColumns columns, Map<Grouping, String> names, String saved, String loaded) {
        if (!columns.isThere()) {
            return;
        }
        String by = String.join(", ", names.keySet().stream().map(Enum::name).toList());
        session.each(
                "what the events of the table %s took".formatted(table),
                SUMS.formatted(
                        String.join(
                                ", ",
                                names.entrySet().stream()
                                        .map(each -> each.getValue() + " AS " + each.getKey())
                                        .toList()),
                        columns.integer("duration_ns"),
                        saved,
                        loaded,
                        table,
                        String.join(
                                " ",
                                names.keySet().stream()
                                        .map("WHEN grouping(%1$s) = 0 THEN '%1$s'"::formatted)
                                        .toList()),
                        by,
                        LONGEST,
                        "(" + by.replace(", ", "), (") + ")"),
                this::take);
    }

    private static String first(String one, String other) {
        return "coalesce(%s, %s)".formatted(one, other);
    }

    private void take(List<@Nullable Object> row) {
        groups.computeIfAbsent(Grouping.valueOf(String.valueOf(row.get(0))), none -> new HashMap<>())
                .merge(
                        Redaction.mask(String.valueOf(row.get(1))),
                        new EventShare(
                                number(row.get(3))
                                        .min(BigDecimal.valueOf(EventShare.MOST))
                                        .longValue(),
                                number(row.get(2)).longValue(),
                                EventShare.bytes(optional(row.get(4)), optional(row.get(5)))),
                        EventShare::plus);
    }

    private static BigDecimal number(@Nullable Object value) {
        return new BigDecimal(String.valueOf(value));
    }

    private static @Nullable BigDecimal optional(@Nullable Object value) {
        return value == null ? null : number(value);
    }

    private Map<String, BigDecimal> summary() {
        Map<String, BigDecimal> numbers = new HashMap<>();
        if (session.has("Summary")) {
            var found = session.rows("SELECT * FROM Summary LIMIT 1");
            for (int at = 0; !found.rows().isEmpty() && at < found.columns().size(); at++) {
                if (found.rows().get(0).get(at) instanceof Number number && Double.isFinite(number.doubleValue())) {
                    numbers.put(found.columns().get(at).name(), new BigDecimal(number.toString()));
                }
            }
        }
        return numbers;
    }
}
