package dev.neurontest.profile.event;

import dev.neurontest.profile.table.TableSession;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The durations in one table, summed by its reader in one pass: by each of some groupings, and there by the steps of the histogram. One row
 * comes back for each name.
 */
final class EventSums {

    /** What an instruction or transfer can be summed by. */
    enum Grouping {
        ENGINE("engine", 100),
        OPCODE("opcode", 1_000),
        LAYER("layer", 5_000),
        LINE("source line", 5_000),
        QUEUE("dma_queue", 1_000),
        /** The conditions of the queries that it meets, one bit each. */
        MET("conditions", Integer.MAX_VALUE);

        private final String text;
        private final int most;

        Grouping(String text, int most) {
            this.text = text;
            this.most = most;
        }

        /** Few names of each are summed by all of these at once, which is quicker; there are too many layers and lines for that. */
        private boolean hasFewNames() {
            return this != LAYER && this != LINE;
        }

        private String byItself() {
            return ", (%s, step)".formatted(this);
        }
    }

    /**
     * What is summed.
     *
     * @param duration SQL for nanoseconds
     * @param saved SQL for bytes
     * @param loaded SQL for bytes
     * @param names SQL for what each grouping looks at
     * @param parameters of that SQL
     */
    record Source(
            String table,
            String duration,
            String saved,
            String loaded,
            Map<Grouping, String> names,
            List<String> parameters) {}

    /**
     * Steps have the begin of those of the histogram, which tells that many leading bits apart. Durations without use have steps below
     * zero. An instruction that spills less than nothing does not say how much.
     */
    private static final String SQL = """
            WITH events AS (
                SELECT {names}, {duration} AS duration, {saved} AS saved, {loaded} AS loaded FROM {table}),
            placed AS (
                SELECT *, CASE
                        WHEN duration BETWEEN 0 AND {longest} THEN
                            (duration >> greatest(0, floor(log2(greatest(1, duration)))::INTEGER - 7))
                                << greatest(0, floor(log2(greatest(1, duration)))::INTEGER - 7)
                        WHEN duration IS NULL THEN {absent}
                        WHEN duration < 0 THEN {negative}
                        ELSE {tooLong} END AS step
                FROM events),
            sums AS MATERIALIZED (
                SELECT {groupings}, step, count(*) AS events, sum(duration) AS total, min(duration) AS shortest, max(duration) AS longest,
                    sum(CASE WHEN saved >= 0 THEN saved END) AS saved, sum(CASE WHEN loaded >= 0 THEN loaded END) AS loaded, {by}
                FROM placed GROUP BY GROUPING SETS (({few}, step){many})),
            named AS (
                {named}
                UNION ALL SELECT '{faults}', 100, step::VARCHAR, step, events, total, shortest, longest, saved, loaded
                FROM sums WHERE by_{first} AND step < 0),
            ranked AS (
                SELECT what, name, name IN ('{none}', '{others}') OR most >= row_number() OVER (
                    PARTITION BY what, name IN ('{none}', '{others}') ORDER BY sum(total) DESC, name) AS kept
                FROM named GROUP BY what, most, name)
            SELECT what, CASE WHEN kept THEN name ELSE '{others}' END AS shown, sum(events), sum(total), min(shortest), max(longest),
                sum(saved), sum(loaded), list(step), list(events)
            FROM named JOIN ranked USING (what, name) GROUP BY what, shown""";

    private static final String NAMED = """
            SELECT '{what}' AS what, {most} AS most, coalesce({what}::VARCHAR, '{none}') AS name, step, events, total, shortest, longest,
                saved, loaded
            FROM sums WHERE by_{what} AND step >= 0""";

    private static final String FAULTS = "faults";
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

    private final TableSession session;
    private final Source source;
    private final Map<String, Map<String, EventTally>> tallies = new HashMap<>();
    private final Map<Long, Long> unusable = new HashMap<>();

    private EventSums(TableSession session, Source source) {
        this.session = session;
        this.source = source;
    }

    static EventSums of(TableSession session, Source source) {
        EventSums sums = new EventSums(session, source);
        if (session.has(source.table())) {
            session.each(
                    "how long each event of the table %s took".formatted(source.table()),
                    sql(source),
                    sums::take,
                    source.parameters().toArray());
        }
        return sums;
    }

    static String sql(Source source) {
        List<Grouping> groupings = List.copyOf(source.names().keySet());
        return SQL.replace("{named}", joined(groupings.stream().map(EventSums::named), "\nUNION ALL "))
                .replace("{names}", joined(groupings.stream().map(grouping -> name(grouping, source)), ", "))
                .replace("{groupings}", joined(groupings.stream(), ", "))
                .replace("{by}", joined(groupings.stream().map("grouping(%1$s) = 0 AS by_%1$s"::formatted), ", "))
                .replace("{few}", joined(groupings.stream().filter(Grouping::hasFewNames), ", "))
                .replace(
                        "{many}",
                        joined(
                                groupings.stream()
                                        .filter(grouping -> !grouping.hasFewNames())
                                        .map(Grouping::byItself),
                                ""))
                .replace("{first}", groupings.get(0).name())
                .replace("{faults}", FAULTS)
                .replace("{none}", EventNames.NONE)
                .replace("{others}", EventNames.OTHERS)
                .replace("{longest}", Long.toString(EventTally.LONGEST))
                .replace("{absent}", Long.toString(EventNumbers.ABSENT))
                .replace("{negative}", Long.toString(EventNumbers.NEGATIVE))
                .replace("{tooLong}", Long.toString(Long.MIN_VALUE + 1))
                .replace("{duration}", source.duration())
                .replace("{saved}", source.saved())
                .replace("{loaded}", source.loaded())
                .replace("{table}", source.table());
    }

    private static String joined(Stream<?> parts, String separator) {
        return parts.map(Object::toString).collect(Collectors.joining(separator));
    }

    private static String named(Grouping grouping) {
        return NAMED.replace("{what}", grouping.name()).replace("{most}", Integer.toString(grouping.most));
    }

    /** Cut where it is long: to look at its bytes is quick. */
    private static String name(Grouping grouping, Source source) {
        String sql = source.names().get(grouping);
        return grouping == Grouping.MET
                ? "%s AS %s".formatted(sql, grouping)
                : "CASE WHEN strlen(%1$s) > %2$d THEN left(%1$s, %2$d) ELSE %1$s END AS %3$s"
                        .formatted(sql, EventNames.LONGEST_NAME, grouping);
    }

    private void take(List<@Nullable Object> row) {
        String name = String.valueOf(row.get(1));
        long events = number(row.get(2)).longValue();
        if (row.get(0).equals(FAULTS)) {
            unusable.put(Long.valueOf(name), events);
            return;
        }
        EventTally tally = EventTally.narrow();
        tally.add(
                events,
                number(row.get(3)),
                duration(row.get(4)),
                duration(row.get(5)),
                EventTally.plus(bytes(row.get(6)), bytes(row.get(7))));
        List<?> steps = (List<?>) row.get(8);
        List<?> counts = (List<?>) row.get(9);
        for (int at = 0; at < steps.size(); at++) {
            tally.addToHistogram(duration(steps.get(at)), ((Number) counts.get(at)).longValue());
        }
        tallies.computeIfAbsent(String.valueOf(row.get(0)), what -> new HashMap<>())
                .put(name, tally);
    }

    private long duration(@Nullable Object value) {
        BigInteger duration = number(value);
        if (duration.signum() < 0 || duration.compareTo(BigInteger.valueOf(EventTally.LONGEST)) > 0) {
            throw session.contradictory(source.table(), duration);
        }
        return duration.longValue();
    }

    private static BigInteger number(@Nullable Object value) {
        return new BigInteger(String.valueOf(value));
    }

    private static long bytes(@Nullable Object value) {
        return value == null ? EventNumbers.ABSENT : number(value).min(MOST).longValue();
    }

    private Map<String, EventTally> tallies(Grouping grouping) {
        return tallies.getOrDefault(grouping.name(), Map.of());
    }

    /** By name, those that took most time first. */
    Map<String, EventSummary> summaries(Grouping grouping) {
        Map<String, EventSummary> summaries = new LinkedHashMap<>();
        tallies(grouping).forEach((name, tally) -> summaries.put(name, tally.summary(grouping.text + " " + name)));
        return EventNames.byTotal(summaries);
    }

    /** All that have a usable duration. */
    EventSummary all(String what) {
        return matching(what, met -> true);
    }

    /** Those that meet such conditions. */
    EventSummary matching(String what, LongPredicate predicate) {
        EventTally tally = EventTally.narrow();
        tallies(Grouping.MET).forEach((met, each) -> {
            if (predicate.test(Long.parseLong(met))) {
                tally.add(each);
            }
        });
        return tally.summary(what);
    }

    /** Those whose duration is of no use. */
    EventFaults faults(String flag) {
        EventFaults faults = new EventFaults(source.table(), flag);
        faults.add(
                0,
                tallies(Grouping.MET).values().stream()
                        .mapToLong(EventTally::count)
                        .sum());
        unusable.forEach(
                (duration, count) -> faults.add(duration == Long.MIN_VALUE + 1 ? Long.MAX_VALUE : duration, count));
        return faults;
    }

    /** What of a grouping is not kept apart, which is none when each name is all of what it stands for. */
    List<String> notices(Grouping grouping) {
        List<String> notices = new ArrayList<>();
        EventTally others = tallies(grouping).get(EventNames.OTHERS);
        if (others != null) {
            notices.add(
                    "%s: only the %,d names with most time are kept apart; %,d records with others are summed as %s."
                            .formatted(grouping.text, grouping.most, others.count(), EventNames.OTHERS));
        }
        if (tallies(grouping).keySet().stream().anyMatch(name -> name.length() >= EventNames.LONGEST_NAME)) {
            long cut = cut(source.names().get(grouping));
            if (cut > 0) {
                notices.add(EventNames.cut(grouping.text, cut));
            }
        }
        return notices;
    }

    private long cut(String name) {
        return number(session.rows("SELECT count(*) FROM %s WHERE length(%s) > %d"
                                .formatted(source.table(), name, EventNames.LONGEST_NAME))
                        .rows()
                        .get(0)
                        .get(0))
                .longValue();
    }
}
