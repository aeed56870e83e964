package dev.neurontest.benchmark;

import dev.neurontest.profile.EventStatements;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * A JMH profiler that runs the same statements over plain JDBC after each iteration, with DuckDB's own settings, and reads every
 * value: the lower bound for reading the table.
 */
public final class BareQuery implements InternalProfiler {

    static final String MILLIS = "bare";
    static final String RESIDENT = "resident";

    /** The memory after the first reading, before this query runs. */
    private double resident = Double.NaN;

    /** Creates the profiler; JMH does so in each JVM. */
    public BareQuery() {}

    @Override
    public String getDescription() {
        return "The same statements in a program of its own, and the memory that the process has had after the first reading";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        // Closes the connection: the benchmark starts without one, too.
    }

    @Override
    public Collection<ScalarResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        if (Double.isNaN(resident)) {
            resident = mostResident();
        }
        String sql = EventStatements.of(TableBenchmark.folder());
        long start = System.nanoTime();
        long values = values(sql);
        double millis = (System.nanoTime() - start) / 1e6;
        if (values == 0) {
            throw new IllegalStateException("the table is empty, which is no measure of anything");
        }
        return List.of(
                new ScalarResult(MILLIS, millis, "ms/op", AggregationPolicy.AVG),
                new ScalarResult(RESIDENT, resident, "MiB", AggregationPolicy.MAX));
    }

    private static long values(String sql) {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement view = connection.createStatement()) {
            view.execute("CREATE VIEW Instruction AS SELECT * FROM read_parquet('%s')"
                    .formatted(TableBenchmark.folder().resolve("Instruction.parquet")));
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                return values(statement);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long values(PreparedStatement statement) throws SQLException {
        long values = 0;
        try (ResultSet results = statement.executeQuery()) {
            int columns = results.getMetaData().getColumnCount();
            while (results.next()) {
                for (int column = 1; column <= columns; column++) {
                    values += results.getObject(column) instanceof Array list ? ((Object[]) list.getArray()).length : 1;
                }
            }
        }
        return values;
    }

    /** Returns the largest resident memory of this process so far, heap and native memory. */
    private static double mostResident() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1_024)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
