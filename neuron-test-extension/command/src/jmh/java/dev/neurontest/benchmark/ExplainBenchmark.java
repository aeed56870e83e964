package dev.neurontest.benchmark;

import dev.neurontest.internal.profile.explain.Explanation;
import dev.neurontest.internal.profile.explain.InstructionEventSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** A benchmark that explains one large profile by another in a fresh JVM, compared with a plain JDBC program. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(5)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
public class ExplainBenchmark {

    static final int HEAP_MEGABYTES = 256;

    static final String FOLDER = "benchmark.explain";

    static final String BEFORE = "before";
    static final String AFTER = "after";

    private static final String SUMS = """
            SELECT engine, opcode, layer, nki_source_location, count(*), sum(duration_ns), sum(spill_save_bytes + spill_reload_bytes)
            FROM read_parquet('%s/Instruction*.parquet')
            GROUP BY GROUPING SETS ((engine), (opcode), (layer), (nki_source_location))""";

    private static Path folder(String name) {
        return Path.of(System.getProperty(FOLDER)).resolve(name);
    }

    @Benchmark
    public String explain() {
        SmallHeap.require(HEAP_MEGABYTES);
        return Explanation.of(
                        InstructionEventSource.find(folder(BEFORE)).events(),
                        InstructionEventSource.find(folder(AFTER)).events())
                .toText();
    }

    /** Computes the sums of both profiles by JDBC. */
    @Benchmark
    public long sums() throws SQLException {
        SmallHeap.require(HEAP_MEGABYTES);
        long rows = 0;
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            for (String name : new String[] {BEFORE, AFTER}) {
                try (ResultSet found = statement.executeQuery(SUMS.formatted(folder(name)))) {
                    while (found.next()) {
                        rows += found.getLong(6) > 0 ? 1 : 0;
                    }
                }
            }
        }
        return rows;
    }
}
