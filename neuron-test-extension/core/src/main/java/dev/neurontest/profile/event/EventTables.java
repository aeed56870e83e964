package dev.neurontest.profile.event;

import dev.neurontest.profile.event.EventQuery.Condition;
import dev.neurontest.profile.event.EventQuery.Field;
import dev.neurontest.profile.event.EventSums.Grouping;
import dev.neurontest.profile.table.ProfileTables;
import dev.neurontest.profile.table.TableColumns;
import dev.neurontest.profile.table.TableRows;
import dev.neurontest.profile.table.TableSession;
import dev.neurontest.profile.table.TablesException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads the tables of one profile. Their own reader sums them, so that few rows come back however many there are. */
final class EventTables {

    static final String INSTRUCTIONS = "Instruction";
    private static final String PACKETS = "DmaPacket";
    private static final String TRANSFERS = "DmaPacketAggregated";

    /** What has few different texts in a program. */
    private static final Set<Field> FEW = EnumSet.of(Field.ENGINE, Field.OPCODE, Field.COMPILER_OPCODE);

    private static final Map<Grouping, Field> FIELDS = new EnumMap<>(Map.of(
            Grouping.ENGINE, Field.ENGINE,
            Grouping.OPCODE, Field.OPCODE,
            Grouping.LAYER, Field.LAYER,
            Grouping.LINE, Field.LINE));

    private final Path folder;
    private final Map<String, EventQuery> queries;
    private final int keptLongest;
    private final EventConditions conditions;
    private final List<String> notices = new ArrayList<>();

    EventTables(Path folder, Map<String, EventQuery> queries, int keptLongest) {
        this.folder = folder;
        this.queries = queries;
        this.keptLongest = keptLongest;
        this.conditions = new EventConditions(queries.values());
    }

    ProfileEvents read() {
        try {
            return read(ProfileTables.of(folder));
        } catch (TablesException e) {
            throw ProfileEventsException.unreadable(e, nothing());
        }
    }

    ProfileEvents read(ProfileTables tables) {
        try (TableSession session = tables.session()) {
            return read(session);
        } catch (TablesException e) {
            throw ProfileEventsException.unreadable(e, nothing());
        }
    }

    private ProfileEvents nothing() {
        Map<String, EventSummary> found = new LinkedHashMap<>();
        queries.keySet().forEach(name -> found.put(name, none("query " + name)));
        return new ProfileEvents(new EventContent(
                folder,
                none("instructions"),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Set.of(),
                none("DMA transfers"),
                Map.of(),
                List.of(),
                keptLongest,
                queries,
                Collections.unmodifiableMap(found),
                Map.of(),
                List.of(),
                List.of()));
    }

    private static EventSummary none(String what) {
        return EventTally.narrow().summary(what);
    }

    private ProfileEvents read(TableSession session) {
        TableColumns columns = new TableColumns(session, INSTRUCTIONS);
        EventSums instructions = EventSums.of(session, instructions(columns));
        notices.addAll(instructions.faults("--ignore-instruction-trace").notices());
        Set<Field> complete = EnumSet.noneOf(Field.class);
        FIELDS.forEach((grouping, field) -> {
            List<String> said = instructions.notices(grouping);
            notices.addAll(said);
            if (said.isEmpty()) {
                complete.add(field);
            }
        });
        List<InstructionEvent> longest = longest(session, columns);
        notices.addAll(columns.notices());
        EventSums transfers = transfers(session);
        Map<String, EventSummary> found = new LinkedHashMap<>();
        queries.forEach(
                (name, query) -> found.put(name, instructions.matching("query " + name, conditions.compile(query))));
        Map<String, Double> numbers = summary(session);
        List<String> warnings = warnings(session);
        return new ProfileEvents(new EventContent(
                folder,
                instructions.all("instructions"),
                instructions.summaries(Grouping.ENGINE),
                instructions.summaries(Grouping.OPCODE),
                instructions.summaries(Grouping.LAYER),
                instructions.summaries(Grouping.LINE),
                absent(columns),
                complete,
                transfers.all("DMA transfers"),
                transfers.summaries(Grouping.QUEUE),
                longest,
                keptLongest,
                queries,
                Collections.unmodifiableMap(found),
                numbers,
                warnings,
                List.copyOf(notices)));
    }

    EventSums.Source instructions(TableColumns columns) {
        Map<Field, String> fields = new EnumMap<>(Map.of(
                Field.ENGINE, columns.text("engine"),
                Field.OPCODE, "coalesce(%s, %s)".formatted(columns.text("opcode"), columns.text("compiler_opcode")),
                Field.COMPILER_OPCODE, columns.text("compiler_opcode"),
                Field.LAYER, columns.text("layer"),
                Field.LINE,
                        "coalesce(%s, %s)"
                                .formatted(
                                        columns.text("nki_source_location"),
                                        columns.text("bir_debug_info_source_location")),
                Field.HLO_NAME, columns.text("hlo_name")));
        Map<Grouping, String> names = new EnumMap<>(Grouping.class);
        FIELDS.forEach((grouping, field) -> names.put(grouping, fields.get(field)));
        names.put(
                Grouping.MET,
                IntStream.range(0, conditions.all().size())
                        .mapToObj(bit -> met(conditions.all().get(bit), fields, bit))
                        .collect(Collectors.joining(" | ", "(", ")")));
        return new EventSums.Source(
                INSTRUCTIONS,
                columns.integer("duration_ns"),
                columns.integer("spill_save_bytes"),
                columns.integer("spill_reload_bytes"),
                columns.quoted("engine", "opcode", "compiler_opcode"),
                names,
                conditions.all().stream().allMatch(condition -> FEW.contains(condition.field()))
                        ? Set.of(Grouping.ENGINE, Grouping.OPCODE, Grouping.MET)
                        : Set.of(Grouping.ENGINE, Grouping.OPCODE),
                conditions.all().stream().map(Condition::text).toList());
    }

    /** As {@link Condition#isMetBy} compares, which is by the lower case of the upper case of each letter. */
    private static String met(Condition condition, Map<Field, String> fields, int bit) {
        return "CASE WHEN %s THEN '%s'::BIGINT ELSE 0 END"
                .formatted(
                        (condition.whole() ? "%s = ?" : "contains(lower(upper(%s)), lower(upper(?)))")
                                .formatted(fields.get(condition.field())),
                        1L << bit);
    }

    /** What nothing can be known of, because its columns are not there: no answer is none, and not that there is no such instruction. */
    private static Map<Field, String> absent(TableColumns columns) {
        Map<Field, String> absent = new EnumMap<>(Field.class);
        if (columns.isThere()) {
            Map<Field, List<String>> names = Map.of(
                    Field.ENGINE, List.of("engine"),
                    Field.OPCODE, List.of("opcode", "compiler_opcode"),
                    Field.LAYER, List.of("layer"),
                    Field.LINE, List.of("nki_source_location", "bir_debug_info_source_location"),
                    Field.HLO_NAME, List.of("hlo_name"));
            names.forEach((field, of) -> {
                if (of.stream().noneMatch(columns::has)) {
                    absent.put(field, "the table %s has no column %s".formatted(INSTRUCTIONS, String.join(" or ", of)));
                }
            });
        }
        return absent;
    }

    private List<InstructionEvent> longest(TableSession session, TableColumns columns) {
        if (!columns.isThere()) {
            return List.of();
        }
        TableRows rows = session.rows(longest(columns));
        return rows.rows().stream().map(EventTables::event).toList();
    }

    /** SQL for the longest. */
    String longest(TableColumns columns) {
        // Texts are only looked at of those that are long enough.
        return """
                SELECT {start} AS start, {duration} AS duration, {engine}, coalesce({opcode}, {compiler}), {layer},
                    left({hlo}, {kept}), left({operands}, {kept}) FROM {table}
                WHERE duration BETWEEN (
                    SELECT min(d) FROM (SELECT {duration} AS d FROM {table} WHERE d BETWEEN 0 AND {longest} ORDER BY d DESC LIMIT {limit}))
                AND {longest} ORDER BY duration DESC, start, {id} LIMIT {limit}""".replace("{start}", columns.integer("start_ts"))
                .replace("{duration}", columns.integer("duration_ns"))
                .replace("{engine}", columns.text("engine"))
                .replace("{opcode}", columns.text("opcode"))
                .replace("{compiler}", columns.text("compiler_opcode"))
                .replace("{layer}", columns.text("layer"))
                .replace("{hlo}", columns.text("hlo_name"))
                .replace("{operands}", columns.text("operands"))
                .replace("{id}", columns.integer("id"))
                .replace("{kept}", Integer.toString(EventCharacters.KEPT + 1))
                .replace("{table}", INSTRUCTIONS)
                .replace("{longest}", Long.toString(EventTally.LONGEST))
                .replace("{limit}", Integer.toString(keptLongest));
    }

    private static InstructionEvent event(List<@Nullable Object> row) {
        return new InstructionEvent(
                row.get(0) instanceof Number start && start.longValue() >= 0
                        ? OptionalLong.of(start.longValue())
                        : OptionalLong.empty(),
                Duration.ofNanos(((Number) row.get(1)).longValue()),
                name(row.get(2)),
                name(row.get(3)),
                name(row.get(4)),
                EventCharacters.of(text(row.get(5))),
                EventCharacters.of(text(row.get(6))));
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    private static String name(@Nullable Object value) {
        String name = text(value);
        return name.length() <= EventNames.LONGEST_NAME ? name : name.substring(0, EventNames.LONGEST_NAME);
    }

    /** Packets, as the full json has them; where a profile has none, what they were put together to. */
    private EventSums transfers(TableSession session) {
        boolean packets = session.has(PACKETS) || !session.has(TRANSFERS);
        TableColumns columns = new TableColumns(session, packets ? PACKETS : TRANSFERS);
        EventSums sums = EventSums.of(
                session,
                new EventSums.Source(
                        packets ? PACKETS : TRANSFERS,
                        columns.integer("duration_ns"),
                        "NULL::BIGINT",
                        "NULL::BIGINT",
                        columns.quoted("queue_name", "queue_idx"),
                        new EnumMap<>(Map.of(
                                Grouping.QUEUE,
                                "coalesce(%s, %s::VARCHAR)"
                                        .formatted(columns.text("queue_name"), columns.integer("queue_idx")),
                                Grouping.MET,
                                "0")),
                        Set.of(Grouping.QUEUE, Grouping.MET),
                        List.of()));
        notices.addAll(sums.faults("--ignore-dma-trace").notices());
        if (!packets) {
            notices.add(
                    "DmaPacket: the table is not there. The transfers are those of DmaPacketAggregated, each of one or more packets.");
        }
        notices.addAll(sums.notices(Grouping.QUEUE));
        notices.addAll(columns.notices());
        return sums;
    }

    private Map<String, Double> summary(TableSession session) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        if (!session.has("Summary")) {
            notices.add("Summary: the table is not there.");
            return numbers;
        }
        TableRows found = session.rows("SELECT * FROM Summary LIMIT 2");
        if (found.rows().size() > 1) {
            notices.add("Summary: the first of several rows is taken.");
        }
        int unreadable = 0;
        for (int column = 0; !found.rows().isEmpty() && column < found.columns().size(); column++) {
            if (found.rows().get(0).get(column) instanceof Number number) {
                // A float has as many digits as it was written with, and not those of a double.
                double value = Double.parseDouble(number.toString());
                if (!Double.isFinite(value)) {
                    unreadable++;
                } else if (numbers.size() < ProfileEventsParser.MOST_NUMBERS) {
                    numbers.put(found.columns().get(column).name(), value);
                }
            }
        }
        if (unreadable > 0) {
            notices.add(String.format(Locale.ROOT, "Summary: %,d numbers are not finite and left out.", unreadable));
        }
        if (numbers.size() == ProfileEventsParser.MOST_NUMBERS) {
            notices.add(String.format(
                    Locale.ROOT, "Summary: only the first %,d numbers are kept.", ProfileEventsParser.MOST_NUMBERS));
        }
        return Collections.unmodifiableMap(numbers);
    }

    private List<String> warnings(TableSession session) {
        TableColumns columns = new TableColumns(session, "Warning");
        if (!columns.isThere()) {
            return List.of();
        }
        TableRows found = session.rows("SELECT %s, %s, count(*) OVER () FROM Warning LIMIT %s"
                .formatted(columns.text("category"), columns.text("message"), ProfileEventsParser.MOST_WARNINGS));
        notices.addAll(columns.notices());
        if (!found.rows().isEmpty()
                && found.number(0, 2).orElseThrow() > found.rows().size()) {
            notices.add(String.format(
                    Locale.ROOT,
                    "Warning: the first %,d of %,.0f are kept.",
                    found.rows().size(),
                    found.number(0, 2).getAsDouble()));
        }
        return found.rows().stream()
                .map(row -> ProfileEventsParser.warning(
                        ProfileEventsParser.cut(text(row.get(0))), ProfileEventsParser.cut(text(row.get(1)))))
                .filter(warning -> !warning.isEmpty())
                .toList();
    }
}
