package dev.neurontest.internal.profile.report;

import dev.neurontest.internal.profile.table.ParquetColumns;
import dev.neurontest.internal.profile.table.ParquetSession;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.EventRow;
import dev.neurontest.profile.Grouping;
import dev.neurontest.profile.ProfileEvents;
import dev.neurontest.profile.ProfileTables;
import dev.neurontest.profile.TableColumn;
import dev.neurontest.profile.TableRows;
import dev.neurontest.profile.TablesException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A summary of the tables of one execution for readers of a report: problems, memory usage, and the source lines that take the time. Each
 * part is bounded.
 *
 * @param folder folder of the tables
 * @param schema version of the schema; empty when the tables do not contain it
 * @param parts the parts with content
 * @param nothing titles of the empty parts
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ParquetDigest(Path folder, String schema, List<Part> parts, List<String> nothing) {

    private static final int MOST = 10;

    /**
     * One part of the digest.
     *
     * @param rows a text, then its value, then further columns; empty when the tables could not be read
     * @param trouble reason why the tables could not be read; empty when they could
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Part(String title, Optional<TableRows> rows, String trouble) {

        /** A labelled line of a chart. */
        public record Line(String label, OptionalDouble share, String value) {}

        /** Returns a line of a chart for each row. The share is one of the whole where the tables contain it, else of the largest value. */
        public List<Line> lines() {
            return rows.stream()
                    .flatMap(table -> IntStream.range(0, table.rows().size()).mapToObj(row -> line(table, row)))
                    .toList();
        }

        private static Line line(TableRows table, int row) {
            int share = table.column("share_percent");
            int measure = share < 0 ? 1 : share;
            double whole = share < 0
                    ? IntStream.range(0, table.rows().size())
                            .mapToDouble(each -> table.number(each, 1).orElse(0))
                            .max()
                            .orElse(0)
                    : 1;
            OptionalDouble value = table.number(row, measure);
            boolean isMeasured = table.columns().get(measure).unit().isPresent() && whole > 0 && value.isPresent();
            return new Line(
                    TableRows.shown(
                            table.rows().get(row).get(0), table.columns().get(0)),
                    isMeasured ? OptionalDouble.of(value.getAsDouble() / whole) : OptionalDouble.empty(),
                    IntStream.range(1, table.columns().size())
                            .mapToObj(at -> shown(table, row, at))
                            .collect(Collectors.joining(", ")));
        }

        private static String shown(TableRows table, int row, int column) {
            TableColumn of = table.columns().get(column);
            String value = TableRows.shown(table.rows().get(row).get(column), of);
            return of.unit().isPresent() || of.type().equals("VARCHAR")
                    ? value
                    : CountText.of(
                            (long) table.number(row, column).orElse(0),
                            of.name().replaceFirst("s$", ""));
        }
    }

    /**
     * Reads a digest. A part that cannot be read contains the reason, and does not affect other parts.
     *
     * @param tables tables of one execution
     */
    public static ParquetDigest of(ProfileTables tables) {
        try (ParquetSession session = tables.session()) {
            return new Reading(session).digest(tables);
        } catch (TablesException unreadable) {
            return trouble(tables.folder(), unreadable);
        }
    }

    /** Creates a digest of tables that cannot be opened. */
    public static ParquetDigest trouble(Path folder, TablesException unreadable) {
        return new ParquetDigest(
                folder,
                "",
                List.of(new Part("Tables", Optional.empty(), String.valueOf(unreadable.getMessage()))),
                List.of());
    }

    /** Reader of the parts, one after the other. */
    private static final class Reading {

        private final ParquetSession session;
        private final List<Part> parts = new ArrayList<>();
        private final List<String> nothing = new ArrayList<>();

        Reading(ParquetSession session) {
            this.session = session;
        }

        ParquetDigest digest(ProfileTables tables) {
            part("Warnings", () -> session.rows("""
                    SELECT concat_ws(': ', category, message), count(*) AS times FROM Warning
                    GROUP BY ALL ORDER BY 2 DESC, 1 LIMIT %s""".formatted(MOST)));
            part("Hardware errors", () -> session.rows("""
                    SELECT description, count(*) AS times FROM Error WHERE lower(type) = 'errors'
                    GROUP BY ALL ORDER BY 2 DESC, 1 LIMIT %s""".formatted(MOST)));
            part("Throttling", () -> session.rows("""
                    SELECT concat('core ', nc_idx, ', ', throttle_type,
                            ', held to ' || round(100 * max_achievable_util_with_throttling_percent) || ' %% of the peak'),
                        throttle_active_time_percent AS share_percent
                    FROM ThrottleSummary WHERE coalesce(throttle_active_time_percent, 1) > 0 ORDER BY 2 DESC, 1 LIMIT %s""".formatted(MOST)));
            part("HBM by usage", () -> session.rows("""
                    SELECT usage_type, max(usage_bytes) AS usage_bytes FROM HbmUsageSummaryByType
                    WHERE usage_bytes > 0 GROUP BY ALL ORDER BY 2 DESC, 1 LIMIT %s""".formatted(MOST)));
            part("Largest tensors", () -> session.rows("""
                    SELECT variable_name, size AS size_bytes, type, shape FROM TensorInfo
                    ORDER BY 2 DESC NULLS LAST, 1 LIMIT %s""".formatted(MOST)));
            part("Memory on the chip at its peak", this::onChip);
            part("SBUF over time", () -> overTime("SbufUsage"));
            part("PSUM over time", () -> overTime("PsumUsage"));
            part("Source lines by time", () -> lines(ProfileEvents.sums(tables)));
            return new ParquetDigest(tables.folder(), version(), parts, nothing);
        }

        private static @Nullable TableRows lines(ProfileEvents events) {
            if (events.count(Grouping.LINE) == 0) {
                return null;
            }
            long all = Math.max(1, events.nanos(Grouping.LINE));
            return new TableRows(
                    "",
                    Stream.of("line", "duration_ns", "share_percent", "instructions")
                            .map(name -> new TableColumn(name, "BIGINT", Unit.byEnding(name)))
                            .toList(),
                    events.rows(Grouping.LINE).stream()
                            .filter(EventRow::isNamed)
                            .limit(MOST)
                            .map(row -> List.<@Nullable Object>of(
                                    row.name(), row.nanos(), (double) row.nanos() / all, row.count()))
                            .toList(),
                    false);
        }

        private String version() {
            try {
                return session.schemaVersion().orElse("");
            } catch (TablesException unreadable) {
                return "";
            }
        }

        private @Nullable TableRows onChip() {
            String both = Stream.of("Sbuf", "Psum")
                    .filter(memory -> session.has(memory + "Usage"))
                    .map(memory -> "SELECT '%s' AS memory, max(avg_util_percent) AS share_percent FROM %sUsage"
                            .formatted(memory.toUpperCase(Locale.ROOT), memory))
                    .collect(Collectors.joining(" UNION ALL "));
            return both.isEmpty() ? null : session.rows(both);
        }

        /** Returns the peak in each tenth of the execution. */
        private @Nullable TableRows overTime(String table) {
            ParquetColumns columns = new ParquetColumns(session, table);
            return columns.has("timestamp") && columns.has("avg_util_percent")
                    ? session.rows("""
                            SELECT concat(tenth * 10, ' to ', tenth * 10 + 10, ' %% of the time') AS time,
                                max(avg_util_percent) AS share_percent
                            FROM (SELECT (timestamp - min(timestamp) OVER ()) * 10
                                    // (1 + max(timestamp) OVER () - min(timestamp) OVER ()) AS tenth, avg_util_percent FROM %s)
                            WHERE avg_util_percent IS NOT NULL GROUP BY tenth ORDER BY tenth""".formatted(table))
                    : null;
        }

        private void part(String title, Supplier<@Nullable TableRows> query) {
            try {
                TableRows table = query.get();
                if (table != null && table.rows().isEmpty()) {
                    nothing.add(title.toLowerCase(Locale.ROOT));
                } else if (table != null) {
                    parts.add(new Part(title, Optional.of(table), ""));
                }
            } catch (TablesException unreadable) {
                if (unreadable.kind() != TablesException.Kind.NO_TABLE) {
                    parts.add(new Part(title, Optional.empty(), String.valueOf(unreadable.getMessage())));
                }
            }
        }
    }

    /**
     * Returns a sentence with the empty parts.
     *
     * @return empty when no part is empty
     */
    public String nothingOf() {
        return nothing.isEmpty() ? "" : "Not in the tables: " + String.join(", ", nothing) + ".";
    }

    /** Returns the digest as tables of text. */
    public String toText() {
        StringBuilder text = new StringBuilder(
                "Contents of the tables: %s%s\n".formatted(folder, schema.isEmpty() ? "" : " (schema " + schema + ")"));
        if (!nothing.isEmpty()) {
            text.append(nothingOf()).append('\n');
        }
        for (Part part : parts) {
            text.append('\n').append(part.title()).append('\n');
            text.append(
                    part.rows().map(rows -> rows.toText(MOST)).orElse("could not be read: " + part.trouble() + "\n"));
        }
        return text.toString();
    }
}
