package dev.neurontest.profile;

import dev.neurontest.internal.profile.summary.SummaryTable;
import dev.neurontest.internal.profile.table.ParquetColumns;
import dev.neurontest.internal.profile.table.ParquetSession;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Reader of the tables of one profile. DuckDB computes the sums and returns only a few rows for any number of events. */
final class EventTables {

    private static final String INSTRUCTIONS = "Instruction";
    private static final String PACKETS = "DmaPacket";
    private static final String TRANSFERS = "DmaPacketAggregated";
    private static final int MOST_WARNINGS = 100;

    /**
     * The query for sums. A negative number of spilled bytes counts as unknown. The query uses the compiled name if the instruction has
     * no opcode, or if only the compiled name is that of a transpose.
     */
    private static final String SUMS = """
            WITH events AS (
                SELECT {columns}, {compiled} AS compiled, {duration} AS duration, {saved} AS saved, {loaded} AS loaded FROM {table}),
            sums AS (
                SELECT CASE {by} END AS property, coalesce({names}, NULL) AS name, compiled, {step} AS step, count(*) AS events,
                    sum(duration) AS total, max(duration) AS longest,
                    sum(CASE WHEN saved >= 0 THEN saved END) AS saved, sum(CASE WHEN loaded >= 0 THEN loaded END) AS loaded
                FROM events WHERE duration BETWEEN 0 AND {longest} GROUP BY GROUPING SETS ({sets})),
            named AS (
                SELECT *, left(CASE WHEN contains(lower(compiled), '{transpose}') AND NOT contains(lower(coalesce(name, '')), '{transpose}')
                    THEN compiled ELSE coalesce(name, compiled, '{none}') END, {cut}) AS shown
                FROM sums)
            SELECT property, shown, sum(events), sum(total), sum(saved), sum(loaded), max(longest), list(step), list(events)
            FROM named GROUP BY property, shown ORDER BY 4 DESC, 2""";

    /** Number of leading bits that all durations of one histogram step share. */
    private static final int EXACT_BITS = 8;

    private static final String STEP = step();

    /** The columns of {@code Metadata} that a comparison depends on, and their names in {@code about}. */
    private static final Map<String, String> METADATA = Map.of(
            "instance_type", "instance",
            "explorer_version", "explorer",
            "compiler_version", "compiler",
            "runtime_version", "runtime",
            "driver_version", "driver",
            "profile_schema_version", "schema");

    private final ParquetSession session;
    private final boolean percentiles;
    private final Map<Grouping, Map<String, EventRow>> rows = new EnumMap<>(Grouping.class);
    private final List<String> notices = new ArrayList<>();
    private final Histogram histogram = new Histogram(EventRow.LONGEST, EventTally.DIGITS);

    private EventTables(ParquetSession session, boolean percentiles) {
        this.session = session;
        this.percentiles = percentiles;
    }

    static ProfileEvents read(ProfileTables tables, boolean percentiles) {
        try (ParquetSession session = tables.session()) {
            return new EventTables(session, percentiles).read(tables);
        }
    }

    private ProfileEvents read(ProfileTables tables) {
        ParquetColumns instruction = new ParquetColumns(session, INSTRUCTIONS);
        sum(INSTRUCTIONS, instruction, instructions(instruction, percentiles));
        unusable(INSTRUCTIONS, "--ignore-instruction-trace", Grouping.ENGINE);
        notices.addAll(instruction.notices());
        transfers();
        ProfileSummary summary = summary();
        SortedMap<String, String> about = new TreeMap<>();
        METADATA.forEach((column, name) -> summary.text(column).ifPresent(text -> about.put(name, text)));
        warnings();
        List<EventRow> all =
                rows.values().stream().flatMap(each -> each.values().stream()).toList();
        notices.addAll(ProfileEvents.summedTogether(all));
        return new ProfileEvents(
                tables.folder(),
                about,
                number(summary.number("total_time"), 9),
                EventRow.sum(
                        number(summary.number("spill_save_bytes"), 0), number(summary.number("spill_reload_bytes"), 0)),
                all,
                notices);
    }

    /** Returns the SQL for the sums of instructions. */
    static String instructions(ParquetColumns columns, boolean percentiles) {
        Map<Grouping, String> names = new EnumMap<>(Map.of(
                Grouping.LINE,
                coalesce(columns.text("nki_source_location"), columns.text("bir_debug_info_source_location")),
                Grouping.LAYER,
                columns.text("layer"),
                Grouping.OPCODE,
                columns.text("opcode"),
                Grouping.ENGINE,
                columns.text("engine")));
        return sql(
                INSTRUCTIONS,
                names,
                columns.integer("duration_ns"),
                List.of(compiled(columns), columns.integer("spill_save_bytes"), columns.integer("spill_reload_bytes")),
                percentiles);
    }

    /** Returns the SQL for the compiler's opcode, or for the type of an instruction that transposes: its opcode is MATMUL. */
    private static String compiled(ParquetColumns columns) {
        String type = columns.text("tensor_instruction_type");
        return "CASE WHEN contains(lower(%1$s), '%2$s') THEN %1$s ELSE %3$s END"
                .formatted(type, EventQuery.TRANSPOSE, columns.text("compiler_opcode"));
    }

    /** Reads packets, like those in the full JSON. If a profile has no packets, it reads the aggregated transfers. */
    private void transfers() {
        boolean packets = session.has(PACKETS) || !session.has(TRANSFERS);
        String table = packets ? PACKETS : TRANSFERS;
        if (!packets) {
            notices.add(
                    "DmaPacket: the table is missing. The transfers are those of DmaPacketAggregated, each of one or more packets.");
        }
        ParquetColumns columns = new ParquetColumns(session, table);
        String queue = coalesce(columns.text("queue_name"), columns.integer("queue_idx") + "::VARCHAR");
        sum(
                table,
                columns,
                sql(
                        table,
                        Map.of(Grouping.QUEUE, queue),
                        columns.integer("duration_ns"),
                        List.of("NULL::VARCHAR", "NULL::BIGINT", "NULL::BIGINT"),
                        percentiles));
        unusable(table, "--ignore-dma-trace", Grouping.QUEUE);
        notices.addAll(columns.notices());
    }

    private static String coalesce(String preferred, String fallback) {
        return "coalesce(%s, %s)".formatted(preferred, fallback);
    }

    private void sum(String table, ParquetColumns columns, String sql) {
        if (columns.isThere()) {
            session.each("the times of the events in the table %s".formatted(table), sql, row -> take(table, row));
        }
    }

    private static String sql(
            String table, Map<Grouping, String> names, String duration, List<String> others, boolean percentiles) {
        return SUMS.replace("{columns}", joined(names, ", ", "%2$s AS %1$s"))
                .replace("{by}", joined(names, " ", "WHEN grouping(%1$s) = 0 THEN '%1$s'"))
                .replace("{names}", joined(names, ", ", "%1$s"))
                .replace("{sets}", sets(names.keySet(), percentiles))
                .replace("{step}", percentiles ? STEP : "0")
                .replace("{duration}", duration)
                .replace("{compiled}", others.get(0))
                .replace("{saved}", others.get(1))
                .replace("{loaded}", others.get(2))
                .replace("{table}", table)
                .replace("{none}", EventRow.NONE)
                .replace("{transpose}", EventQuery.TRANSPOSE)
                .replace("{cut}", Integer.toString(EventRow.LONGEST_NAME))
                .replace("{longest}", Long.toString(EventRow.LONGEST));
    }

    private static String sets(Set<Grouping> groupings, boolean percentiles) {
        return groupings.stream()
                .map(by -> "(%s%s%s)"
                        .formatted(
                                by,
                                by == Grouping.OPCODE || by == Grouping.QUEUE ? ", compiled" : "",
                                percentiles ? ", step" : ""))
                .collect(Collectors.joining(", "));
    }

    private static String joined(Map<Grouping, String> names, String separator, String form) {
        return names.entrySet().stream()
                .map(each -> form.formatted(each.getKey().name(), each.getValue()))
                .collect(Collectors.joining(separator));
    }

    /**
     * Returns an SQL expression for the start of the histogram step of a duration. Most durations are short and need few comparisons. A
     * logarithm is slower.
     */
    private static String step() {
        long exact = 1L << EXACT_BITS;
        StringBuilder step = new StringBuilder("CASE WHEN duration < %s THEN duration".formatted(exact));
        for (int bit = 1; exact << bit - 1 <= EventRow.LONGEST; bit++) {
            step.append(" WHEN duration < %s THEN duration & %s".formatted(exact << bit, -1L << bit));
        }
        return step.append(" END").toString();
    }

    /** Adds the total of a name. Rows arrive in descending order of time. */
    private void take(String table, List<@Nullable Object> row) {
        Grouping by = Grouping.valueOf(String.valueOf(row.get(0)));
        BigDecimal longest = decimal(row.get(6));
        if (longest.signum() < 0 || longest.compareTo(BigDecimal.valueOf(EventRow.LONGEST)) > 0) {
            throw session.contradictory(table, longest);
        }
        EventRow sum = new EventRow(
                by,
                EventRow.cut(String.valueOf(row.get(1))),
                whole(decimal(row.get(3))),
                decimal(row.get(2)).longValue(),
                EventRow.sum(bytes(row.get(4)), bytes(row.get(5))),
                percentiles
                        ? Optional.of(percentiles((List<?>) row.get(7), (List<?>) row.get(8), longest.longValue()))
                        : Optional.empty());
        Map<String, EventRow> ofGrouping = rows.computeIfAbsent(by, none -> new LinkedHashMap<>());
        boolean isKept = !sum.isNamed() || ofGrouping.containsKey(sum.name()) || ofGrouping.size() < by.most();
        ofGrouping.merge(
                isKept ? sum.name() : EventRow.OTHERS, isKept ? sum : sum.named(EventRow.OTHERS), EventRow::plus);
    }

    /** Counts the steps in a histogram with the same steps. */
    private EventRow.Percentiles percentiles(List<?> steps, List<?> events, long longest) {
        histogram.reset();
        for (int at = 0; at < steps.size(); at++) {
            histogram.recordValueWithCount(
                    decimal(steps.get(at)).longValue(), decimal(events.get(at)).longValue());
        }
        return EventTally.percentiles(histogram, longest);
    }

    private void unusable(String table, String flag, Grouping by) {
        long records = session.has(table)
                ? (long) session.rows("SELECT count(*) FROM " + table)
                        .number(0, 0)
                        .orElse(0)
                : 0;
        long usable = rows.getOrDefault(by, Map.of()).values().stream()
                .mapToLong(EventRow::count)
                .sum();
        notices.addAll(ProfileEvents.unusable(table, flag, records, records - usable));
    }

    private ProfileSummary summary() {
        List<ProfileSummary> summaries = SummaryTable.summaries(session);
        if (!session.has("Summary")) {
            notices.add("Summary: the table is missing.");
        } else if (summaries.size() > 1) {
            notices.add("Summary: the first of several rows is used.");
        }
        return summaries.get(0);
    }

    private void warnings() {
        ParquetColumns columns = new ParquetColumns(session, "Warning");
        if (columns.isThere()) {
            session.rows("SELECT DISTINCT left(concat_ws(': ', %s, %s), 1000) FROM Warning ORDER BY 1 LIMIT %s"
                            .formatted(columns.text("category"), columns.text("message"), MOST_WARNINGS))
                    .rows()
                    .forEach(row -> notices.add("The tool warns: " + row.get(0)));
        }
    }

    private static BigDecimal decimal(@Nullable Object value) {
        return new BigDecimal(String.valueOf(value));
    }

    private static long whole(BigDecimal number) {
        return number.min(BigDecimal.valueOf(EventRow.MOST)).longValue();
    }

    private static OptionalLong bytes(@Nullable Object value) {
        return value == null ? OptionalLong.empty() : OptionalLong.of(whole(decimal(value)));
    }

    private static OptionalLong number(OptionalDouble value, int digits) {
        return value.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(whole(BigDecimal.valueOf(value.getAsDouble()).movePointRight(digits)));
    }
}
