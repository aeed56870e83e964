package dev.neurontest.internal.profile.table;

import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.profile.TablesException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** The form of a user's query. DuckDB parses it, and binds it to empty tables. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum QueryForm {
    /** One SELECT, the only form that is answered. */
    SELECT,
    /** Text that is not SQL. The message from DuckDB shows the place of the mistake. */
    MISTAKE,
    /** An empty text, several statements, or a statement that might write. */
    OTHER;

    /** Query that parses another query. DuckDB serializes only SELECT statements, but a SELECT can contain an INSERT. */
    private static final String PARSE = """
            SELECT s ->> 'error', s ->> 'error_type', json_array_length(s, '$.statements'),
                regexp_matches(s::VARCHAR, '"type":"[A-Z_]*(INSERT|UPDATE|DELETE|MERGE)[A-Z_]*_NODE"')
            FROM (SELECT json_serialize_sql(?) AS s)""";

    private static final Pattern NO_TABLE = Pattern.compile("^Catalog Error: Table with name (\\S+) does not exist!");

    private static final Pattern NO_COLUMN = Pattern.compile(
            "^Binder Error: (?:Referenced column \"([^\"]+)\" not found in FROM clause|Table \"[^\"]*\" does not have a column named \"([^\"]+)\")");

    /**
     * A name in a query that no table or column has.
     *
     * @param kind {@code table} or {@code column}
     */
    public record UnknownName(String kind, String name) {}

    static QueryForm of(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(PARSE)) {
            statement.setString(1, sql);
            try (ResultSet parsed = statement.executeQuery()) {
                parsed.next();
                if (parsed.getBoolean(1)) {
                    return "parser".equals(parsed.getString(2)) ? MISTAKE : OTHER;
                }
                return parsed.getInt(3) == 1 && !parsed.getBoolean(4) ? SELECT : OTHER;
            }
        }
    }

    /**
     * Checks a query before any tables exist.
     *
     * @return the reason why the query is not a SELECT; empty when it is one, or when DuckDB is not available
     */
    public static Optional<String> mistakeIn(String sql) {
        try (Connection connection = DuckDb.open()) {
            QueryForm form = of(connection, sql);
            if (form == OTHER) {
                return Optional.of(
                        "only one SELECT is accepted, but this is something else: " + ParquetSession.shown(sql));
            }
            return form == MISTAKE
                    ? Optional.of("the query cannot be read:\n" + mistake(connection, sql))
                    : Optional.empty();
        } catch (SQLException | TablesException unable) {
            // The query itself will fail for the same reason.
            return Optional.empty();
        }
    }

    /**
     * Finds a name in a query that cannot be there. The query is bound to empty tables with all names that can be there.
     *
     * @param sql one SELECT
     * @param possible returns whether a table or column of this name can be there
     * @return the first such name; empty if there is none, or when DuckDB is not available or reports another mistake
     */
    public static Optional<UnknownName> unknownNameIn(String sql, Predicate<String> possible) {
        Set<String> tables = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        Set<String> columns = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        columns.add("of a table without known columns");
        try (Connection connection = DuckDb.open();
                Statement statement = connection.createStatement()) {
            statement.execute("SET enable_external_access = false");
            boolean more = true;
            while (more) {
                String problem = problem(connection, sql);
                Matcher table = NO_TABLE.matcher(problem);
                Matcher column = NO_COLUMN.matcher(problem);
                more = false;
                if (table.find()) {
                    if (!possible.test(table.group(1))) {
                        return Optional.of(new UnknownName("table", table.group(1)));
                    }
                    more = tables.add(table.group(1));
                } else if (column.find()) {
                    String name = column.group(1) == null ? column.group(2) : column.group(1);
                    if (!possible.test(name)) {
                        return Optional.of(new UnknownName("column", name));
                    }
                    more = columns.add(name);
                }
                for (String each : tables) {
                    statement.execute("CREATE OR REPLACE TABLE %s (%s)"
                            .formatted(
                                    ParquetSession.quoted(each),
                                    columns.stream()
                                            .map(name -> ParquetSession.quoted(name) + " BIGINT")
                                            .collect(Collectors.joining(", "))));
                }
            }
        } catch (SQLException | TablesException unable) {
            // The query itself will report what it cannot do.
        }
        return Optional.empty();
    }

    private static String problem(Connection connection, String sql) {
        try {
            connection.prepareStatement(sql).close();
            return "";
        } catch (SQLException mistake) {
            return String.valueOf(mistake.getMessage());
        }
    }

    /** Returns DuckDB's message for a text that it cannot parse, with the place of the mistake. */
    private static String mistake(Connection connection, String sql) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return VisibleText.of(statement.toString());
        } catch (SQLException mistake) {
            return VisibleText.of(String.valueOf(mistake.getMessage()));
        }
    }
}
