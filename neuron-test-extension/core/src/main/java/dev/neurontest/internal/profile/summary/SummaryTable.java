package dev.neurontest.internal.profile.summary;

import dev.neurontest.internal.profile.ProfileMetrics;
import dev.neurontest.internal.profile.Throttling;
import dev.neurontest.internal.profile.table.ParquetSession;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.ProfileSummary;
import dev.neurontest.profile.ProfileTables;
import dev.neurontest.profile.TableRows;
import dev.neurontest.profile.TablesException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Summary data in the tables of a trace. The numbers of {@code summary-json} are in {@code Summary}, texts in {@code Metadata}, and
 * throttling in {@code ThrottleSummary}. Absent tables, absent columns and NULL all count as absent.
 *
 * @param summaries one summary for each row of {@code Summary}; at least one
 * @param problems reasons for doubt in the summaries, although they can be read
 * @param uuid UUID of the NEFF in the tables
 * @param warnings warnings of the tool
 * @param errors errors that the device reported during the trace
 * @param notices data that could not be read, because the schema uses another name
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record SummaryTable(
        List<ProfileSummary> summaries,
        List<String> problems,
        Optional<String> uuid,
        List<String> warnings,
        List<String> errors,
        List<String> notices) {

    private static final String SUMMARY = "Summary";
    private static final List<String> NEEDED = List.of(SUMMARY, "Instruction");
    private static final String THROTTLING = "ThrottleSummary";
    private static final String ALL_LIMITS = "all";
    private static final String PARTICIPANTS = "cc_participant_count";

    /** Texts that {@code summary-json} contains too, and the schema version that readers of the tables need. */
    private static final List<String> TEXTS = List.of(
            "instance_type",
            "compiler_version",
            "runtime_version",
            "driver_version",
            "collectives_version",
            "explorer_version",
            "profile_schema_version",
            "num_physical_cores");

    private static final int MOST_LINES = 5;

    /** Maximum number of read warnings. Warnings repeat a few texts. */
    private static final int MOST_WARNINGS = 1000;

    private static final int LONGEST_LINE = 400;

    /** Creates an instance with its own copies. */
    public SummaryTable {
        summaries = List.copyOf(summaries);
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
        errors = List.copyOf(errors);
        notices = List.copyOf(notices);
    }

    /**
     * Opens every table to check it, and reads the tables with data about the whole trace.
     *
     * @param tables tables of one trace
     * @throws TablesException when {@code Summary} or {@code Instruction} is absent, or a table cannot be opened
     * @throws SummaryException when {@code Summary} is empty
     */
    public static SummaryTable read(ProfileTables tables) {
        try (ParquetSession session = tables.require(NEEDED).files()) {
            tables.names().forEach(session::has);
            return new Reading(session).read();
        }
    }

    /**
     * Reads the summaries.
     *
     * @param session tables of one trace
     * @return one summary for each row of {@code Summary}; without rows, one summary with the data of the other tables
     * @throws TablesException when a table cannot be read
     */
    public static List<ProfileSummary> summaries(ParquetSession session) {
        return new Reading(session).summaries();
    }

    /** Reader of the tables of one trace. */
    private static final class Reading {

        private final ParquetSession session;
        private final List<Row> rows;
        private final Optional<Row> header;
        private final List<String> problems = new ArrayList<>();
        private final List<String> notices = new ArrayList<>();

        Reading(ParquetSession session) {
            this.session = session;
            this.rows = rows(SUMMARY);
            this.header = rows("NeffHeader").stream().findFirst();
        }

        private List<Row> rows(String table) {
            return session.has(table) ? Row.all(session.rows("SELECT * FROM " + table)) : List.of();
        }

        List<ProfileSummary> summaries() {
            String key = header.flatMap(row -> row.text("network_name"))
                    .or(() -> header.flatMap(row -> row.text("uuid")))
                    .orElse("");
            Optional<Row> metadata = rows("Metadata").stream().findFirst();
            List<ProfileSummary> summaries = new ArrayList<>();
            for (int at = 0; at < Math.max(1, rows.size()); at++) {
                Map<String, Object> values = new LinkedHashMap<>();
                List<String> oddities = new ArrayList<>();
                if (!rows.isEmpty()) {
                    takeNumbers(rows.get(at), values, oddities);
                }
                metadata.ifPresent(row ->
                        TEXTS.forEach(name -> row.text(name).ifPresent(text -> values.putIfAbsent(name, text))));
                header.flatMap(row -> row.number(PARTICIPANTS))
                        .ifPresent(count -> values.putIfAbsent(PARTICIPANTS, count));
                takeThrottling(values, oddities);
                summaries.add(
                        new ProfileSummary(rows.size() <= 1 ? key : "%s[%s]".formatted(key, at), values, oddities));
            }
            return summaries;
        }

        SummaryTable read() {
            List<ProfileSummary> summaries = summaries();
            if (rows.isEmpty()
                    || summaries.stream()
                            .allMatch(summary ->
                                    summary.values().values().stream().noneMatch(Double.class::isInstance))) {
                throw SummaryException.empty(SUMMARY);
            }
            compareWithExecutions(summaries.size());
            return new SummaryTable(
                    summaries,
                    problems,
                    header.flatMap(row -> row.text("uuid")),
                    lines("Warning", "message", "true", MOST_WARNINGS),
                    lines("Error", "description", "lower(type) = 'errors'", MOST_LINES),
                    notices);
        }

        private static void takeNumbers(Row row, Map<String, Object> values, List<String> oddities) {
            for (int column = 0; column < row.rows().columns().size(); column++) {
                String name = row.rows().columns().get(column).name();
                Object written = row.rows().rows().get(row.at()).get(column);
                Object value = value(name, written);
                if (value != null) {
                    values.put(name, value);
                } else if (written != null) {
                    oddities.add("%s: %s".formatted(name, written));
                }
            }
        }

        /**
         * Returns a number, a text, or null for other values. A text in place of a number is parsed like the numbers in other outputs of
         * the tools.
         */
        private static @Nullable Object value(String name, @Nullable Object written) {
            if (written instanceof Number number) {
                double value = number(number);
                return Double.isFinite(value) ? (Double) value : null;
            }
            if (written == null || !isNumber(name)) {
                return written == null ? null : written.toString();
            }
            String text = written.toString().strip();
            return SummaryNumber.isNumber(text) ? Double.valueOf(text) : null;
        }

        private static boolean isNumber(String name) {
            return ProfileMetrics.find(name)
                    .filter(known -> known.metric().unit() != Unit.TEXT)
                    .isPresent();
        }

        /** Returns the number with the intended digits: 0.001 as FLOAT is 0.0010000000474974513. */
        private static double number(Number number) {
            return number instanceof Float single ? Double.parseDouble(single.toString()) : number.doubleValue();
        }

        /**
         * Reads throttling under the metric names of a summary. The achievable share of the peak under a throttle is not the limit itself:
         * it only shows whether there was one. The row of all throttles counts only for a core without other rows.
         */
        private void takeThrottling(Map<String, Object> values, List<String> oddities) {
            if (!session.has(THROTTLING)) {
                return;
            }
            TableRows rows = session.rows("SELECT * FROM ThrottleSummary");
            for (String needed : List.of("nc_idx", "throttle_type", "throttle_active_time_percent")) {
                if (rows.column(needed) < 0) {
                    oddities.add("throttle_unknown_active_time_nc0_percent: ThrottleSummary has no column " + needed);
                    return;
                }
            }
            Map<String, Boolean> unlimited = new LinkedHashMap<>();
            Set<String> coresWithLimits = new TreeSet<>();
            List<Row> limits = Row.all(rows);
            limits.stream()
                    .filter(row -> !limiter(row).equals(ALL_LIMITS))
                    .forEach(row -> coresWithLimits.add(core(row)));
            for (Row row : limits) {
                if (limiter(row).equals(ALL_LIMITS) && coresWithLimits.contains(core(row))) {
                    continue;
                }
                String metric = "throttle_%s_active_time_nc%s_percent".formatted(limiter(row), core(row));
                Optional<Double> share = row.number("throttle_active_time_percent");
                if (share.isEmpty()) {
                    oddities.add(metric + ": NULL");
                } else {
                    values.merge(
                            metric,
                            share.get(),
                            (former, added) ->
                                    former instanceof Double number && number > share.get() ? former : added);
                }
                boolean isUnlimited = row.number("max_achievable_util_with_throttling_percent")
                        .filter(achievable -> achievable >= 1)
                        .isPresent();
                unlimited.merge(metric, isUnlimited, Boolean::logicalAnd);
            }
            unlimited.forEach((metric, isUnlimited) -> {
                if (isUnlimited) {
                    values.put(Throttling.limit(metric), 1.0);
                }
            });
        }

        private static String limiter(Row row) {
            return row.text("throttle_type")
                    .map(type -> type.toLowerCase(Locale.ROOT)
                            .replaceAll("[^a-z0-9]+", "_")
                            .replaceAll("^_|_$", "")
                            .replaceFirst("^throttle_", ""))
                    .filter(type -> !type.isEmpty())
                    .orElse("unknown");
        }

        private static String core(Row row) {
            return row.text("nc_idx").filter(core -> core.matches("[0-9]+")).orElse("0");
        }

        /**
         * Compares the number of rows with the number of executions. The tool does not document whether several rows mean several
         * executions; equal counts are interpreted that way.
         */
        private void compareWithExecutions(int rows) {
            if (rows == 1) {
                return;
            }
            String executions = session.has("ExecutionInfo")
                    ? session.rows("SELECT count(*) FROM ExecutionInfo").text(0, 0)
                    : "";
            if (!executions.equals(Integer.toString(rows))) {
                problems.add("Summary has %s rows, expected one, and %s"
                        .formatted(
                                rows,
                                executions.isEmpty()
                                        ? "there is no table ExecutionInfo"
                                        : "the number of executions in ExecutionInfo is " + executions));
            }
        }

        private List<String> lines(String table, String column, String condition, int most) {
            if (!session.has(table)) {
                return List.of();
            }
            try {
                return session
                        .rows("SELECT DISTINCT %2$s FROM %1$s WHERE %3$s ORDER BY 1 LIMIT %4$s"
                                .formatted(table, column, condition, most))
                        .rows()
                        .stream()
                        .map(row -> String.valueOf(row.get(0)))
                        .map(line -> line.substring(0, Math.min(LONGEST_LINE, line.length())))
                        .toList();
            } catch (TablesException e) {
                if (e.kind() != TablesException.Kind.QUERY) {
                    throw e;
                }
                notices.add("The table %s was not read: %s".formatted(table, e.getMessage()));
                return List.of();
            }
        }
    }

    /** A row with access by column name. */
    private record Row(TableRows rows, int at) {

        static List<Row> all(TableRows rows) {
            List<Row> all = new ArrayList<>();
            for (int at = 0; at < rows.rows().size(); at++) {
                all.add(new Row(rows, at));
            }
            return all;
        }

        Optional<String> text(String column) {
            int columnIndex = rows.column(column);
            return columnIndex < 0
                    ? Optional.empty()
                    : Optional.of(rows.text(at, columnIndex)).filter(text -> !text.isEmpty());
        }

        Optional<Double> number(String column) {
            return text(column).filter(SummaryNumber::isNumber).map(Double::valueOf);
        }
    }
}
