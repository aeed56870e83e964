package dev.neurontest.fake.internal.profiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Tables read by DuckDB, which shares no code with the stand-in. */
public final class TablesFixture implements AutoCloseable {

    private final Connection connection;

    public TablesFixture() throws SQLException {
        connection = DriverManager.getConnection("jdbc:duckdb:");
    }

    /** Returns the SQL for a file, or for all parts of a table. */
    public static String from(Path file) {
        return "read_parquet('" + file + "', union_by_name = true)";
    }

    /** Returns the SQL for all parts of a table of a folder. */
    public static String from(Path folder, String table) {
        return Files.exists(folder.resolve(table + ".parquet"))
                ? from(folder.resolve(table + ".parquet"))
                : from(folder.resolve(table + "_[0-9]*.parquet"));
    }

    /** Returns the rows, each by column. */
    public List<Map<String, Object>> rows(String sql) throws SQLException {
        List<Map<String, Object>> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                Map<String, Object> row = new LinkedHashMap<>();
                for (int i = 1; i <= columns; i++) {
                    row.put(result.getMetaData().getColumnName(i), result.getObject(i));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    /** Returns the first column of the only row. */
    public Object value(String sql) throws SQLException {
        List<Map<String, Object>> rows = rows(sql);
        if (rows.size() != 1) {
            throw new AssertionError(sql + " gives " + rows.size() + " rows");
        }
        return rows.get(0).values().iterator().next();
    }

    /** Returns the names of the Parquet files without their suffix. */
    public static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return List.copyOf(new TreeSet<>(
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".parquet"))
                            .map(name -> name.substring(0, name.length() - ".parquet".length()))
                            .toList()));
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
