package dev.neurontest.profile.event;

import dev.neurontest.profile.table.TableSession;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The durations in one table, summed by its reader by each of some groupings, and there by the steps of the histogram. One row comes
 * back for each name.
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
    }

    /**
     * What is summed.
     *
     * @param duration SQL for nanoseconds
     * @param saved SQL for bytes
     * @param loaded SQL for bytes
     * @param few columns that have few different texts: what needs no other is summed from the sums by these
     * @param names SQL for what each grouping looks at
     * @param ofFew the groupings that look at those columns alone
     * @param parameters of that SQL
     */
    record Source(
            String table,
            String duration,
            String saved,
            String loaded,
            List<String> few,
            Map<Grouping, String> names,
            Set<Grouping> ofFew,
            List<String> parameters) {}

    /** An instruction that spills less than nothing does not say how much. */
    private static final String SQL = """
            WITH few AS MATERIALIZED (
                SELECT {few}step, count(*) AS events, sum(duration) AS total, min(duration) AS shortest, max(duration) AS longest,
                    sum(CASE WHEN saved >= 0 THEN saved END) AS saved, sum(CASE WHEN loaded >= 0 THEN loaded END) AS loaded
                FROM (SELECT {few}duration, saved, loaded, {step} AS step
                    FROM (SELECT *, {duration} AS duration, {saved} AS saved, {loaded} AS loaded FROM {table}))
                GROUP BY {few}step),
            named AS (
                {named}
                UNION ALL SELECT '{faults}', 100, step::VARCHAR, step, events, total, shortest, longest, saved, loaded
                FROM few WHERE step < 0),
            ranked AS (
                SELECT what, name, name IN ('{none}', '{others}') OR most >= row_number() OVER (
                    PARTITION BY what, name IN ('{none}', '{others}') ORDER BY sum(total) DESC, name) AS kept
                FROM named GROUP BY what, most, name)
            SELECT what, CASE WHEN kept THEN name ELSE '{others}' END AS shown, sum(events), sum(total), min(shortest), max(longest),
                sum(saved), sum(loaded), list(step), list(events)
            FROM named JOIN ranked USING (what, name) GROUP BY what, shown""";

    private static final String OF_FEW = """
            SELECT '{what}' AS what, {most} AS most, coalesce({cut}, '{none}') AS name, step, sum(events) AS events, sum(total) AS total,
                min(shortest) AS shortest, max(longest) AS longest, sum(saved) AS saved, sum(loaded) AS loaded
            FROM (SELECT *, {name} AS text FROM few) WHERE step >= 0 GROUP BY name, step""";

    private static final String OF_MANY = """
            SELECT '{what}' AS what, {most} AS most, coalesce({cut}, '{none}') AS name, step, count(*) AS events, sum(duration) AS total,
                min(duration) AS shortest, max(duration) AS longest, sum(CASE WHEN saved >= 0 THEN saved END) AS saved,
                sum(CASE WHEN loaded >= 0 THEN loaded END) AS loaded
            FROM (SELECT text, duration, saved, loaded, {step} AS step
                FROM (SELECT {name} AS text, {duration} AS duration, {saved} AS saved, {loaded} AS loaded FROM {table}))
            WHERE step >= 0 GROUP BY name, step""";

    /** Cut where it is long: to look at its bytes is quick. */
    private static final String CUT =
            "CASE WHEN strlen(text) > %1$s THEN left(text, %1$s) ELSE text END".formatted(EventNames.LONGEST_NAME);

    private static final String STEP = step();

    private static final String FAULTS = "faults";
    private static final int EXACT_BITS = 8;
    private static final long TOO_LONG = Long.MIN_VALUE + 1;
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
        return SQL.replace(
                        "{named}",
                        source.names().keySet().stream()
                                .map(grouping -> named(grouping, source))
                                .collect(Collectors.joining("\nUNION ALL ")))
                .replace(
                        "{few}",
                        source.few().stream().map(column -> column + ", ").collect(Collectors.joining()))
                .replace("{step}", STEP)
                .replace("{faults}", FAULTS)
                .replace("{none}", EventNames.NONE)
                .replace("{others}", EventNames.OTHERS)
                .replace("{duration}", source.duration())
                .replace("{saved}", source.saved())
                .replace("{loaded}", source.loaded())
                .replace("{table}", source.table());
    }

    private static String named(Grouping grouping, Source source) {
        return (source.ofFew().contains(grouping) ? OF_FEW : OF_MANY)
                .replace("{what}", grouping.name())
                .replace("{most}", Integer.toString(grouping.most))
                .replace("{cut}", grouping == Grouping.MET ? "text::VARCHAR" : CUT)
                .replace("{name}", source.names().get(grouping));
    }

    /**
     * SQL for the begin of the step of the histogram that a duration is in, which tells its first eight bits apart; below zero for what is
     * no duration. Most are short, so that few comparisons are made; a logarithm takes longer.
     */
    private static String step() {
        StringBuilder step = new StringBuilder(
                "CASE WHEN duration IS NULL THEN %s WHEN duration < 0 THEN %s WHEN duration > %s THEN %s"
                        .formatted(EventNumbers.ABSENT, EventNumbers.NEGATIVE, EventTally.LONGEST, TOO_LONG));
        long exact = 1L << EXACT_BITS;
        step.append(" WHEN duration < %s THEN duration".formatted(exact));
        for (int bit = 1; exact << bit - 1 <= EventTally.LONGEST; bit++) {
            step.append(" WHEN duration < %s THEN duration & %s".formatted(exact << bit, -1L << bit));
        }
        return step.append(" END").toString();
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
        unusable.forEach((duration, count) -> faults.add(duration == TOO_LONG ? Long.MAX_VALUE : duration, count));
        return faults;
    }

    /** What of a grouping is not kept apart, which is none when each name is all of what it stands for. */
    List<String> notices(Grouping grouping) {
        List<String> notices = new ArrayList<>();
        EventTally others = tallies(grouping).get(EventNames.OTHERS);
        if (others != null) {
            notices.add(String.format(
                    Locale.ROOT,
                    "%s: only the %,d names with most time are kept apart; %,d records with others are summed as %s.",
                    grouping.text,
                    grouping.most,
                    others.count(),
                    EventNames.OTHERS));
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
        return number(session.rows("SELECT count(*) FROM %s WHERE length(%s) > %s"
                                .formatted(source.table(), name, EventNames.LONGEST_NAME))
                        .rows()
                        .get(0)
                        .get(0))
                .longValue();
    }
}
