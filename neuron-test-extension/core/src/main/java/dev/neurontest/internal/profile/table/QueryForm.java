package dev.neurontest.internal.profile.table;

import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.profile.TablesException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.apiguardian.api.API;

/** The form of a user's query. DuckDB parses it, and does nothing else with it. */
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

    /** Returns DuckDB's message for a text that it cannot parse, with the place of the mistake. */
    private static String mistake(Connection connection, String sql) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return VisibleText.of(statement.toString());
        } catch (SQLException mistake) {
            return VisibleText.of(String.valueOf(mistake.getMessage()));
        }
    }
}
