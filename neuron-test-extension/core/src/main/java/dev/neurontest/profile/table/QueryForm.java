package dev.neurontest.profile.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** What a query of a user is. DuckDB parses it, and does nothing else with it. */
enum QueryForm {
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
}
