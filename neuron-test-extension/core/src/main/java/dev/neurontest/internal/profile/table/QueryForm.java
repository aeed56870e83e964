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
    /** Text that is no SQL. DuckDB's own message of it shows the place. */
    MISTAKE,
    /** Nothing, several statements, or one that may do something else than read. */
    OTHER;

    /** DuckDB serializes SELECT alone, but an INSERT may stand inside of one. */
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
     * Checks a query before there are any tables.
     *
     * @param sql the query
     * @return why it is no SELECT; empty when it is one, or where DuckDB is not there
     */
    public static Optional<String> mistakeIn(String sql) {
        try (Connection connection = DuckDb.open()) {
            QueryForm form = of(connection, sql);
            if (form == OTHER) {
                return Optional.of(
                        "only one SELECT may be asked, and this is something else: " + ParquetSession.shown(sql));
            }
            return form == MISTAKE
                    ? Optional.of("the query cannot be read:\n" + mistake(connection, sql))
                    : Optional.empty();
        } catch (SQLException | TablesException unable) {
            // The query itself fails with the same.
            return Optional.empty();
        }
    }

    /** Returns what DuckDB prints of a text that it cannot parse, with the place. */
    private static String mistake(Connection connection, String sql) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return VisibleText.of(statement.toString());
        } catch (SQLException mistake) {
            return VisibleText.of(String.valueOf(mistake.getMessage()));
        }
    }
}
