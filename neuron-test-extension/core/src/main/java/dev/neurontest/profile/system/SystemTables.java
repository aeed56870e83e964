package dev.neurontest.profile.system;

import dev.neurontest.profile.table.ProfileTables;
import dev.neurontest.profile.table.TableColumns;
import dev.neurontest.profile.table.TableRows;
import dev.neurontest.profile.table.TableSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Reads the tables of a system profile. DuckDB does the sums, so that the number of events does not matter here. */
final class SystemTables {

    private static final String EVENTS = "SystemProfileEvents";

    /** What the tools write beside losses of events says nothing of these. */
    private static final Pattern LOSS =
            Pattern.compile("(?i)\\bdropped\\b|\\blost\\b|overflow|truncat|incomplete|partial");

    /**
     * Events with what is needed of them. A source is a word that no page lists: the names of device events begin with {@code nc_}, and
     * only they have a physical core.
     */
    private static final String RAW = """
            WITH named AS (
                SELECT name, start_ts AS first, duration_ns AS took, start_ts + duration_ns AS last,
                    {process_id} AS process, {thread_id} AS thread, {nc_idx} AS nc, {pcore_idx} AS pcore,
                    coalesce({instance_id}, '') AS instance,
                    starts_with(name, 'nc_') OR {pcore_idx} IS NOT NULL
                        OR regexp_matches(lower(coalesce({trace_event_source}, '')), 'hardware|hw|device') AS device
                FROM SystemProfileEvents),
            raw AS (
                SELECT *, CASE WHEN {several} THEN instance || ' ' ELSE '' END || CASE WHEN device
                    THEN 'nc' || coalesce(nc::VARCHAR, '?') || coalesce(' core ' || pcore, '')
                    ELSE 'process ' || coalesce(process::VARCHAR, '?') || ' thread ' || coalesce(thread::VARCHAR, '?')
                    END AS lane
                FROM named)
            """;

    /** Each physical core has an event of the same execution: that one counts which works longest. */
    private static final String ONCE = """
            , cores AS (
                SELECT instance, process, coalesce(nc::VARCHAR, 'p' || pcore) AS core, pcore, sum(took) AS total
                FROM raw WHERE name = 'nc_exec_running' GROUP BY ALL),
            busiest AS (
                SELECT instance, process, core, arg_max(pcore, total) AS pcore FROM cores GROUP BY ALL),
            once AS (
                SELECT raw.* FROM raw LEFT JOIN busiest ON raw.instance = busiest.instance
                    AND raw.process IS NOT DISTINCT FROM busiest.process
                    AND coalesce(raw.nc::VARCHAR, 'p' || raw.pcore) = busiest.core
                WHERE raw.name <> 'nc_exec_running' OR raw.pcore IS NULL OR raw.pcore = busiest.pcore)
            """;

    private static final String TIMES = """
            SELECT name, bool_or(device), count(*), sum(took), quantile_disc(took, 0.5), quantile_disc(took, 0.99), max(took)
            FROM once GROUP BY name ORDER BY 4 DESC, 1""";

    private static final String FULL = """
            SELECT 'nc' || nc || ' of process ' || coalesce(process::VARCHAR, '?'), count(*)
            FROM raw WHERE nc IS NOT NULL GROUP BY instance, process, nc HAVING count(*) >= ? ORDER BY 1""";

    private static final String BARS = """
            , chosen AS (
                SELECT lane, count(*) AS events FROM raw GROUP BY lane ORDER BY bool_or(device) DESC, sum(took) DESC, lane LIMIT ?),
            bounds AS (SELECT min(first) AS low, greatest(max(last) - min(first), 1) AS span FROM raw)
            SELECT lane, device, events, arg_max(name, took), count(*), min(first), max(last),
                CASE WHEN events <= ? THEN first ELSE (first - low) * ? // span END AS piece,
                CASE WHEN events <= ? THEN name ELSE '' END AS single
            FROM raw JOIN chosen USING (lane) CROSS JOIN bounds
            GROUP BY lane, device, events, piece, single ORDER BY lane, max(last) - min(first) DESC""";

    private final ProfileTables tables;
    private final long mostPerCore;

    SystemTables(ProfileTables tables, long mostPerCore) {
        this.tables = tables;
        this.mostPerCore = mostPerCore;
    }

    SystemEvents read() {
        try (TableSession session = tables.session()) {
            List<String> dropped = new ArrayList<>();
            List<String> warnings = new ArrayList<>();
            warnings(session, dropped, warnings);
            HostUse use = use(session);
            if (!session.has(EVENTS)) {
                return new SystemEvents(List.of(), Timeline.EMPTY, use, dropped, warnings);
            }
            // A column that is not there is named by a short query.
            session.rows("SELECT name, start_ts, duration_ns FROM SystemProfileEvents LIMIT 0");
            String raw = raw(session);
            TableRows full = session.rows(raw + FULL, mostPerCore);
            IntStream.range(0, full.rows().size())
                    .forEach(row ->
                            dropped.add(SystemEvents.full(full.text(row, 0), number(full, row, 1), mostPerCore)));
            return new SystemEvents(times(session, raw), timeline(session, raw), use, dropped, warnings);
        }
    }

    private static String raw(TableSession session) {
        TableColumns columns = new TableColumns(session, EVENTS);
        String sql = RAW;
        for (String number : List.of("process_id", "thread_id", "nc_idx", "pcore_idx")) {
            sql = sql.replace("{" + number + "}", columns.integer(number));
        }
        for (String text : List.of("instance_id", "trace_event_source")) {
            sql = sql.replace("{" + text + "}", columns.text(text));
        }
        boolean several = columns.has("instance_id")
                && number(session.rows("SELECT count(DISTINCT instance_id) FROM SystemProfileEvents"), 0, 0) > 1;
        return sql.replace("{several}", Boolean.toString(several));
    }

    private static List<EventTimes> times(TableSession session, String raw) {
        TableRows found = session.rows(raw + ONCE + TIMES);
        return IntStream.range(0, found.rows().size())
                .mapToObj(row -> new EventTimes(
                        found.text(row, 0),
                        Boolean.parseBoolean(found.text(row, 1)),
                        number(found, row, 2),
                        Duration.ofNanos(number(found, row, 3)),
                        Duration.ofNanos(number(found, row, 4)),
                        Duration.ofNanos(number(found, row, 5)),
                        Duration.ofNanos(number(found, row, 6))))
                .toList();
    }

    private static Timeline timeline(TableSession session, String raw) {
        TableRows all = session.rows(raw + "SELECT min(first), max(last), count(DISTINCT lane) FROM raw");
        if (all.number(0, 0).isEmpty()) {
            return Timeline.EMPTY;
        }
        TableRows found =
                session.rows(raw + BARS, Timeline.MOST_LANES, Timeline.MOST_BARS, Timeline.PIECES, Timeline.MOST_BARS);
        Map<String, Timeline.Lane> lanes = new LinkedHashMap<>();
        for (int row = 0; row < found.rows().size(); row++) {
            boolean device = Boolean.parseBoolean(found.text(row, 1));
            long events = number(found, row, 2);
            lanes.computeIfAbsent(
                            found.text(row, 0), lane -> new Timeline.Lane(lane, device, events, new ArrayList<>()))
                    .bars()
                    .add(new Timeline.Bar(
                            found.text(row, 3), number(found, row, 4), number(found, row, 5), number(found, row, 6)));
        }
        return new Timeline(
                number(all, 0, 0), number(all, 0, 1), List.copyOf(lanes.values()), number(all, 0, 2) - lanes.size());
    }

    private static void warnings(TableSession session, List<String> dropped, List<String> others) {
        TableColumns columns = new TableColumns(session, "Warning");
        if (!columns.has("category") || !columns.has("message")) {
            return;
        }
        TableRows found = session.rows("SELECT DISTINCT category, message FROM Warning ORDER BY 1, 2 LIMIT 100");
        for (int row = 0; row < found.rows().size(); row++) {
            String warning = "The tool warns of %s: \"%s\".".formatted(found.text(row, 0), found.text(row, 1));
            (LOSS.matcher(found.text(row, 1)).find() ? dropped : others).add(warning);
        }
    }

    private static HostUse use(TableSession session) {
        OptionalDouble mean = OptionalDouble.empty();
        OptionalDouble most = OptionalDouble.empty();
        OptionalLong memory = OptionalLong.empty();
        if (new TableColumns(session, "CpuUsage").has("util_percent")) {
            TableRows found = session.rows("SELECT avg(util_percent), max(util_percent) FROM CpuUsage");
            mean = found.number(0, 0);
            most = found.number(0, 1);
        }
        if (new TableColumns(session, "HostMemUsage").has("used_bytes")) {
            OptionalDouble bytes =
                    session.rows("SELECT max(used_bytes) FROM HostMemUsage").number(0, 0);
            memory = bytes.isPresent() ? OptionalLong.of((long) bytes.getAsDouble()) : memory;
        }
        return new HostUse(mean, most, memory);
    }

    /** Times are epoch nanoseconds, which a double would round. */
    private static long number(TableRows rows, int row, int column) {
        return rows.rows().get(row).get(column) instanceof Number number ? number.longValue() : 0;
    }
}
