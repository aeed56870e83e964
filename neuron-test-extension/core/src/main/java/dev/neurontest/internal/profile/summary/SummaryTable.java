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
 * What the tables of a trace say of it as a whole: the numbers that {@code summary-json} prints stand in {@code Summary}, texts in
 * {@code Metadata}, and throttling in {@code ThrottleSummary}. A table or column that is not there is absent, and so is NULL.
 *
 * @param summaries one for each row of {@code Summary}; at least one
 * @param problems why they are not to be believed although they can be read
 * @param uuid of the NEFF, as the tables have it
 * @param warnings of the tool
 * @param errors what the device reported as an error meanwhile
 * @param notices what could not be looked at, because the tables are of a schema that has another name for it
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

    /** What {@code summary-json} prints too, and by what a reader of the tables knows how to. */
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

    /** Warnings repeat a few texts. */
    private static final int MOST_WARNINGS = 1000;

    private static final int LONGEST_LINE = 400;

    /**
     * Keeps its own copies.
     *
     * @param summaries one for each row
     * @param problems why they are not to be believed
     * @param uuid of the NEFF
     * @param warnings of the tool
     * @param errors of the device
     * @param notices what could not be looked at
     */
    public SummaryTable {
        summaries = List.copyOf(summaries);
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
        errors = List.copyOf(errors);
        notices = List.copyOf(notices);
    }

    /**
     * Opens every table, and reads those that tell of the whole.
     *
     * @param tables of one trace
     * @return what they say
     * @throws TablesException when there is no {@code Summary} or no {@code Instruction}, or one of the tables cannot be opened
     * @throws SummaryException when {@code Summary} holds nothing
     */
    public static SummaryTable read(ProfileTables tables) {
        try (ParquetSession session = tables.require(NEEDED).files()) {
            tables.names().forEach(session::has);
            return new Reading(session).read();
        }
    }

    /**
     * Reads what the tables tell of the whole.
     *
     * @param session of one trace
     * @return one for each row of {@code Summary}; one with what other tables tell where there is none
     * @throws TablesException when a table cannot be read
     */
    public static List<ProfileSummary> summaries(ParquetSession session) {
        return new Reading(session).summaries();
    }

    /** One look at the tables. */
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

        /** A number, a text, or null for what is neither. A text in place of a number is read as the tools write numbers elsewhere. */
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

        /** The digits that were meant: 0.001 as FLOAT is 0.0010000000474974513. */
        private static double number(Number number) {
            return number instanceof Float single ? Double.parseDouble(single.toString()) : number.doubleValue();
        }

        /**
         * By the names that the summary has for it. What is left of the peak under a limit is not the limit itself: it only tells whether
         * there was one. The row of all limits counts where there is no other one of its core.
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
                            (some, other) -> some instanceof Double one && one > share.get() ? some : other);
                }
                boolean isUnlimited = row.number("max_achievable_util_with_throttling_percent")
                        .filter(left -> left >= 1)
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

        /** Whether several rows are of several executions is not known of the tool; where the counts agree they are taken for that. */
        private void compareWithExecutions(int rows) {
            if (rows == 1) {
                return;
            }
            String executions = session.has("ExecutionInfo")
                    ? session.rows("SELECT count(*) FROM ExecutionInfo").text(0, 0)
                    : "no table";
            if (!executions.equals(Integer.toString(rows))) {
                problems.add("Summary has %s rows where one is expected, and ExecutionInfo tells of %s executions"
                        .formatted(rows, executions));
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
                notices.add("The table %s was not looked at: %s".formatted(table, e.getMessage()));
                return List.of();
            }
        }
    }

    /** A row whose columns have names. */
    private record Row(TableRows rows, int at) {

        static List<Row> all(TableRows rows) {
            List<Row> all = new ArrayList<>();
            for (int at = 0; at < rows.rows().size(); at++) {
                all.add(new Row(rows, at));
            }
            return all;
        }

        Optional<String> text(String column) {
            int where = rows.column(column);
            return where < 0
                    ? Optional.empty()
                    : Optional.of(rows.text(at, where)).filter(text -> !text.isEmpty());
        }

        Optional<Double> number(String column) {
            return text(column).filter(SummaryNumber::isNumber).map(Double::valueOf);
        }
    }
}
