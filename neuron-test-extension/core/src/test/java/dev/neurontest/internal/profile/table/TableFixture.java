package dev.neurontest.internal.profile.table;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Tables for tests, written by DuckDB instead of the stand-in. */
public final class TableFixture {

    private TableFixture() {}

    /**
     * Writes a table.
     *
     * @param folder an existing folder
     * @param file the name without {@code .parquet}, such as {@code Instruction_0}
     * @param select the content, such as {@code select 1::bigint as start_ts}
     */
    public static void write(Path folder, String file, String select) {
        try (Connection connection = DuckDb.open();
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (%s) TO '%s' (FORMAT parquet)"
                    .formatted(
                            select, folder.resolve(file + ".parquet").toString().replace("'", "''")));
        } catch (SQLException e) {
            throw new IllegalStateException(select, e);
        }
    }
}
