package dev.neurontest.internal.profile.table;

import dev.neurontest.internal.text.DurationText;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.internal.text.PathText;
import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.TableColumn;
import dev.neurontest.profile.TableRows;
import dev.neurontest.profile.TablesException;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Tables of one profile while several queries read them. Each table is a view over its files. No other file can be read or written: the
 * files are listed one by one, all other external access is disabled, and this configuration is locked before the first query.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ParquetSession implements AutoCloseable {

    /** Maximum memory of a query, outside the heap. A query that needs more fails with a message. */
    private static final String MEMORY = "512MB";

    private static final String SCHEMA = "SchemaFields";
    private static final List<String> OF_SCHEMA =
            List.of("table_name", "field_name", "field_type", "field_format", "field_unit");
    private static final String VERSION = "profile_schema_version";
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    /**
     * DuckDB's excerpt of the failed statement. It is removed from the message of a broken table, because users did not write that
     * statement.
     */
    private static final Pattern ITS_STATEMENT = Pattern.compile("(?s)\\s*LINE \\d+:.*");

    private static final long CANCELLED_WITHIN = 100;

    private static final Pattern AGGREGATE = Pattern.compile(
            "(?i)(?:sum|min|max|avg|mean|median|any_value|first|last|quantile(?:_cont|_disc)?)\\((?:\\w+\\.)?\"?(\\w+)\"?(?:,.*)?\\)");

    private static final Pattern WILDCARD = Pattern.compile("[*?\\[]");

    private final ParquetFolder folder;
    private final Connection connection;
    private final Map<String, String> broken = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private @Nullable Optional<String> schemaVersion;
    private final Map<String, Optional<Unit>> units = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    private ParquetSession(ParquetFolder folder, Connection connection) {
        this.folder = folder;
        this.connection = connection;
    }

    /**
     * Opens the tables of a folder.
     *
     * @param withSchema true to read the table of schema fields too, which takes as long as everything else
     */
    public static ParquetSession open(ParquetFolder folder, boolean withSchema) {
        if (folder.tables().isEmpty()) {
            throw new TablesException(
                    TablesException.Kind.NO_TABLE,
                    "%s contains no table. Expected the folder that the profiler's view wrote with --output-format parquet --ingest-only."
                            .formatted(folder.folder()),
                    null);
        }
        try {
            ParquetSession session = new ParquetSession(folder, DuckDb.open());
            try {
                session.prepare();
                if (withSchema) {
                    session.takeSchema();
                }
                return session;
            } catch (SQLException | RuntimeException e) {
                session.close();
                throw e;
            }
        } catch (SQLException e) {
            throw new TablesException(
                    TablesException.Kind.BROKEN,
                    "The tables in %s cannot be opened: %s".formatted(folder.folder(), messageOf(e)),
                    e);
        }
    }

    private void prepare() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET allowed_paths = "
                    + literals(folder.tables().values().stream()
                            .flatMap(List::stream)
                            .flatMap(file -> Stream.of(path(file), pattern(file)))
                            .distinct()));
            statement.execute("SET memory_limit = '" + MEMORY + "'");
            statement.execute("SET temp_directory = ''");
            statement.execute("SET enable_external_access = false");
            statement.execute("SET lock_configuration = true");
        }
        for (String table : folder.tables().keySet()) {
            try {
                execute(view(table, ""));
            } catch (SQLException e) {
                broken.put(table, ITS_STATEMENT.matcher(messageOf(e)).replaceFirst(""));
            }
        }
    }

    /**
     * Reads the tool's schema: the units, and the tables and columns that were not written. Queries then find these empty instead of
     * failing. Without the schema table, absent tables and columns are unknown.
     */
    private void takeSchema() throws SQLException {
        if (!folder.tables().containsKey(SCHEMA) || broken.containsKey(SCHEMA)) {
            return;
        }
        if (!columns(SCHEMA).stream().map(TableColumn::name).toList().containsAll(OF_SCHEMA)) {
            return;
        }
        Map<String, Map<String, String>> tables = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (List<@Nullable Object> row : rows("SELECT %s FROM SchemaFields".formatted(String.join(", ", OF_SCHEMA)))
                .rows()) {
            String column = String.valueOf(row.get(1));
            tables.computeIfAbsent(String.valueOf(row.get(0)), table -> new LinkedHashMap<>())
                    .put(column, type(row.get(2) + " " + row.get(3)));
            unitOf(String.valueOf(row.get(4))).ifPresent(unit -> units.put(column, Optional.of(unit)));
        }
        Map<String, Set<String>> presentColumns = columnsByTable();
        StringBuilder views = new StringBuilder();
        for (Map.Entry<String, Map<String, String>> table : tables.entrySet()) {
            Set<String> present = presentColumns.getOrDefault(table.getKey(), Set.of());
            String absent = table.getValue().entrySet().stream()
                    .filter(column -> !present.contains(column.getKey()))
                    .map(column -> "NULL::%s AS %s".formatted(column.getValue(), quoted(column.getKey())))
                    .collect(Collectors.joining(", "));
            if (!absent.isEmpty() && !broken.containsKey(table.getKey())) {
                views.append(view(table.getKey(), absent)).append(";\n");
            }
        }
        if (!views.isEmpty()) {
            execute(views.toString());
        }
    }

    private Map<String, Set<String>> columnsByTable() {
        Map<String, Set<String>> columns = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        rows("SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal")
                .rows()
                .forEach(row -> columns.computeIfAbsent(
                                String.valueOf(row.get(0)), table -> new TreeSet<>(String.CASE_INSENSITIVE_ORDER))
                        .add(String.valueOf(row.get(1))));
        return columns;
    }

    /** Returns SQL that creates a view over the files of a table, if there are any, with additional columns that are always NULL. */
    private String view(String table, String absent) {
        List<Path> files = folder.tables().getOrDefault(table, List.of());
        return files.isEmpty()
                ? "CREATE VIEW %s AS SELECT %s WHERE false".formatted(quoted(table), absent)
                : "CREATE OR REPLACE VIEW %s AS SELECT *%s FROM read_parquet(%s, union_by_name = true)"
                        .formatted(
                                quoted(table),
                                absent.isEmpty() ? "" : ", " + absent,
                                literals(files.stream().map(ParquetSession::pattern)));
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String type(String schemaType) {
        String type = schemaType.toLowerCase(Locale.ROOT);
        if (type.contains("array") || type.contains("list")) {
            return "VARCHAR[]";
        }
        if (type.contains("number") || type.contains("float") || type.contains("double")) {
            return "DOUBLE";
        }
        return type.contains("int") ? "BIGINT" : type.contains("bool") ? "BOOLEAN" : "VARCHAR";
    }

    private static Optional<Unit> unitOf(String schemaUnit) {
        return Stream.of(Unit.values())
                .filter(unit -> unit.symbol().equals(schemaUnit) || unit.name().equalsIgnoreCase(schemaUnit))
                .findFirst()
                .or(() -> schemaUnit.equals("percent") ? Optional.of(Unit.FRACTION) : Optional.empty());
    }

    /** Returns the name of a table or column in double quotes for SQL. */
    public static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    private static String literals(Stream<String> texts) {
        return texts.map(text -> "'" + text.replace("'", "''") + "'")
                .collect(Collectors.joining(", ", "[", "]::VARCHAR[]"));
    }

    private static String path(Path file) {
        return file.toAbsolutePath().toString();
    }

    /**
     * Returns the pattern that matches only the given file. DuckDB treats every path as a pattern, such as a folder named {@code test[1]}.
     */
    private static String pattern(Path file) {
        return WILDCARD.matcher(path(file)).replaceAll("[$0]");
    }

    /**
     * Checks whether a table exists and can be opened.
     *
     * @throws TablesException when the table exists and is broken
     */
    public boolean has(String table) {
        if (broken.containsKey(table)) {
            throw new TablesException(
                    TablesException.Kind.BROKEN,
                    "The table %s in %s cannot be read: %s View the trace again; a view that was killed leaves such a file."
                            .formatted(table, folder.folder(), broken.get(table)),
                    null);
        }
        return folder.tables().containsKey(table);
    }

    /**
     * Returns the version of the schema of the tables.
     *
     * @return for example {@code 7.4.0}; empty when the tables do not contain it
     * @throws TablesException when the table {@code Metadata} is broken
     */
    public Optional<String> schemaVersion() {
        if (schemaVersion == null) {
            schemaVersion = columns("Metadata").stream()
                            .anyMatch(column -> column.name().equals(VERSION))
                    ? rows("SELECT %s FROM Metadata WHERE %1$s <> '' LIMIT 1".formatted(VERSION)).rows().stream()
                            .map(row -> String.valueOf(row.get(0)))
                            .findFirst()
                    : Optional.empty();
        }
        return schemaVersion;
    }

    /**
     * Returns the columns of a table.
     *
     * @return the columns in the order of the file; empty when the table is absent
     */
    public List<TableColumn> columns(String table) {
        return has(table)
                ? rows(
                                "SELECT column_name, data_type FROM duckdb_columns() WHERE lower(table_name) = lower(?) ORDER BY column_index",
                                table)
                        .rows()
                        .stream()
                        .map(row -> new TableColumn(
                                String.valueOf(row.get(0)),
                                String.valueOf(row.get(1)),
                                unit(String.valueOf(row.get(0)))))
                        .toList()
                : List.of();
    }

    /**
     * Creates the exception for a column with another type than in the tool's schema.
     *
     * @param expected the expected type, in words
     */
    public TablesException mistyped(String table, TableColumn column, String expected) {
        return new TablesException(
                TablesException.Kind.BROKEN,
                "The column %s of the table %s in %s has the type %s. Expected %s, as the profiler's schema has it. View the trace again, or query the tables yourself."
                        .formatted(
                                VisibleText.line(column.name()),
                                VisibleText.line(table),
                                folder.folder(),
                                column.type(),
                                expected),
                null);
    }

    /**
     * Creates the exception for a table that contains a value outside its own statistics. DuckDB left out a condition because of these
     * statistics.
     */
    public TablesException contradictory(String table, Object value) {
        return new TablesException(
                TablesException.Kind.BROKEN,
                "The table %s in %s contradicts itself: it contains the value %s, which its statistics exclude. Its file was changed after it was written; view the trace again."
                        .formatted(VisibleText.line(table), folder.folder(), VisibleText.line(value.toString())),
                null);
    }

    /**
     * Runs a query of a user, which can be any text.
     *
     * @return at most {@link TableRows#MOST} rows
     * @throws TablesException when the text is not one SELECT, has a mistake, or needs too much memory or time
     */
    public TableRows query(String sql) {
        try {
            if (QueryForm.of(connection, sql) == QueryForm.OTHER) {
                throw unanswered(
                        TablesException.Kind.REFUSED,
                        sql,
                        "Only one SELECT is accepted, but this is something else.",
                        null);
            }
        } catch (SQLException e) {
            throw failed(sql, e);
        }
        return rows(sql);
    }

    /**
     * Runs a query of this project.
     *
     * @param sql SQL with a question mark for each parameter
     * @return at most {@link TableRows#MOST} rows
     * @throws TablesException when the query fails
     */
    public TableRows rows(String sql, Object... parameters) {
        return answer(sql, sql, parameters, results -> read(sql, results));
    }

    /**
     * Runs a query of this project with any number of rows.
     *
     * @param subject description of the query, for the message when it fails
     * @param sql SQL with a question mark for each parameter
     * @param row receives each row, in another thread: values as in {@link TableRows}, and lists
     * @throws TablesException when the query fails
     */
    public void each(String subject, String sql, Consumer<List<@Nullable Object>> row, Object... parameters) {
        answer(subject, sql, parameters, results -> {
            int columns = results.getMetaData().getColumnCount();
            while (results.next()) {
                List<@Nullable Object> values = new ArrayList<>(columns);
                for (int at = 1; at <= columns; at++) {
                    Object value = results.getObject(at);
                    values.add(value instanceof Array list ? List.of((Object[]) list.getArray()) : value(value));
                }
                row.accept(values);
            }
            return true;
        });
    }

    /** Function that reads the rows of a result. */
    private interface Reading<T> {
        T read(ResultSet results) throws SQLException;
    }

    private <T> T answer(String subject, String sql, Object[] parameters, Reading<T> reading) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int at = 0; at < parameters.length; at++) {
                statement.setObject(at + 1, parameters[at]);
            }
            return bounded(subject, statement, () -> {
                try (ResultSet results = statement.executeQuery()) {
                    return reading.read(results);
                }
            });
        } catch (SQLException e) {
            throw failed(subject, e);
        }
    }

    /** Runs a query with a deadline. The query runs in another thread, because the library ignores interrupts. */
    private <T> T bounded(String sql, PreparedStatement statement, Callable<T> reading) throws SQLException {
        FutureTask<T> task = new FutureTask<>(reading);
        Thread thread = new Thread(task, "neuron-test-tables");
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException failed) {
                throw failed;
            }
            if (e.getCause() instanceof RuntimeException failed) {
                throw failed;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            end(statement, thread);
            throw limit(sql, "it takes longer than %s".formatted(DurationText.of(DEADLINE)), e);
        } catch (InterruptedException e) {
            end(statement, thread);
            Thread.currentThread().interrupt();
            throw limit(sql, "the test was interrupted", e);
        }
    }

    /** Ends a statement: cancels it and waits for its thread. The statement must not be closed while the thread uses it. */
    private static void end(Statement statement, Thread thread) throws SQLException {
        boolean interrupted = false;
        while (thread.isAlive()) {
            statement.cancel();
            try {
                thread.join(CANCELLED_WITHIN);
            } catch (InterruptedException repeated) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private TableRows read(String sql, ResultSet results) throws SQLException {
        ResultSetMetaData about = results.getMetaData();
        List<TableColumn> columns = new ArrayList<>();
        for (int at = 1; at <= about.getColumnCount(); at++) {
            columns.add(new TableColumn(
                    about.getColumnLabel(at), about.getColumnTypeName(at), unit(about.getColumnLabel(at))));
        }
        List<List<@Nullable Object>> rows = new ArrayList<>();
        boolean more = results.next();
        while (more && rows.size() < TableRows.MOST) {
            List<@Nullable Object> row = new ArrayList<>(columns.size());
            for (int at = 1; at <= columns.size(); at++) {
                row.add(value(results.getObject(at)));
            }
            rows.add(row);
            more = results.next();
        }
        return new TableRows(sql, columns, rows, more);
    }

    /** Converts a value; lists and structures become texts. */
    private static @Nullable Object value(@Nullable Object value) {
        return value == null || value instanceof Number || value instanceof Boolean ? value : value.toString();
    }

    /**
     * Returns the unit of a column: by the schema of the tables, or else by the ending of the name. An aggregate has the unit of its
     * column.
     */
    private Optional<Unit> unit(String label) {
        Matcher aggregate = AGGREGATE.matcher(label);
        String column = aggregate.matches() ? aggregate.group(1) : label;
        return units.getOrDefault(column, Unit.byEnding(column));
    }

    private TablesException failed(String sql, SQLException e) {
        String message = messageOf(e);
        if (message.startsWith("Permission Error") || message.contains("configuration has been locked")) {
            return unanswered(
                    TablesException.Kind.REFUSED,
                    sql,
                    "A query can read only the tables of this profile. " + message,
                    null);
        }
        if (message.startsWith("Out of Memory")) {
            return limit(sql, "it needs more than %s of memory".formatted(MEMORY), e);
        }
        if (message.startsWith("Catalog Error") && message.contains("Table with name")) {
            String named = message.replaceFirst("(?s).*?Table with name (\\S+) does not exist.*", "$1");
            has(named);
            return unanswered(
                    TablesException.Kind.NO_TABLE,
                    sql,
                    "%s%nEmpty tables are not written. The tables are %s."
                            .formatted(message, ListText.of(folder.tables().keySet())),
                    null);
        }
        boolean mistake = Stream.of("Parser", "Binder", "Catalog", "Conversion", "Out of Range", "Not implemented")
                .anyMatch(kind -> message.startsWith(kind + " Error"));
        return mistake
                ? unanswered(TablesException.Kind.QUERY, sql, message, null)
                : unanswered(TablesException.Kind.BROKEN, sql, message, e);
    }

    private TablesException limit(String sql, String reason, Exception cause) {
        return unanswered(
                TablesException.Kind.LIMIT,
                sql,
                "The query was ended: %s. Request less, for example with GROUP BY a column with fewer values."
                        .formatted(reason),
                cause);
    }

    /** Creates an exception for a failed query. The message begins with the reason, because paths are long and a report shows few lines. */
    private TablesException unanswered(
            TablesException.Kind kind, String sql, String reason, @Nullable Exception cause) {
        return new TablesException(
                kind, "%s%nQuery: %s%nTables: %s".formatted(reason, shown(sql), PathText.of(folder.folder())), cause);
    }

    static String shown(String sql) {
        return sql.isBlank() ? "(nothing)" : VisibleText.of(sql.strip());
    }

    private static String messageOf(SQLException e) {
        return VisibleText.of(String.valueOf(e.getMessage()));
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
