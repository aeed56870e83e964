package dev.neurontest.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs {@link ExplainBenchmark} over tables that are made for it. */
final class Explanations {

    private static final String INSTRUCTIONS = "benchmark.explain.instructions";
    private static final int USUAL_INSTRUCTIONS = 10_000_000;

    /** Statements for a model of 80 layers with six parts each; one layer gets slower and spills more. */
    private static final String TABLE = """
            SELECT (i * 37)::BIGINT AS start_ts, d AS duration_ns,
                ['Tensor', 'Vector', 'Scalar', 'GpSimd', 'Sync'][1 + o %% 5] AS engine,
                ['MATMUL', 'LDWEIGHTS', 'ACTIVATE', 'TENSOR_TENSOR', 'TENSOR_COPY', 'TENSOR_REDUCE', 'TRANSPOSE', 'SEM_WAIT'][1 + o]
                    AS opcode,
                'S[5] (Tensor)++@complete src=fp16@0x' || (i %% 65536) AS operands,
                'model/layers.' || l || '/' || ['q_proj', 'k_proj', 'softmax', 'gate_proj', 'down_proj', 'layernorm'][1 + p] AS layer,
                'models/modeling_llama.py:' || (200 + l * 6 + p) AS nki_source_location,
                (64 * s)::BIGINT AS spill_save_bytes, 64::BIGINT AS spill_reload_bytes, i::BIGINT AS id
            FROM (SELECT *, (40 + (hash(i * 7) %% 900) * s)::BIGINT AS d
                FROM (SELECT *, CASE WHEN l = 3 THEN %d ELSE 1 END AS s
                    FROM (SELECT range AS i, (hash(range) %% 8)::INTEGER AS o, ((range // 2000) %% 80)::INTEGER AS l,
                        ((range // 100) %% 6)::INTEGER AS p FROM range(%d, %d))))""";

    private Explanations() {}

    static void measure(Path folder, Results results) throws IOException, RunnerException {
        Path profiles = Files.createDirectories(folder.resolve("explain"));
        try {
            write(profiles.resolve(ExplainBenchmark.BEFORE), 1);
            write(profiles.resolve(ExplainBenchmark.AFTER), 2);
            double explain = millis(profiles, "explain");
            double sums = millis(profiles, "sums");
            results.time(
                    "explain on two profiles of %,d instructions, first in a JVM with a heap of %d MiB"
                            .formatted(
                                    Integer.getInteger(INSTRUCTIONS, USUAL_INSTRUCTIONS),
                                    ExplainBenchmark.HEAP_MEGABYTES),
                    explain,
                    "explain / sums: %.2f".formatted(explain / sums),
                    "under 3 s");
            results.time("the sums of both by a bare JDBC program", sums, "", "");
        } catch (SQLException unwritten) {
            throw new IOException(unwritten);
        } finally {
            Folders.delete(profiles);
        }
    }

    private static double millis(Path profiles, String method) throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include(ExplainBenchmark.class.getName() + "." + method + "$")
                        .jvmArgs(SmallHeap.option(ExplainBenchmark.HEAP_MEGABYTES))
                        .jvmArgsAppend("-D" + ExplainBenchmark.FOLDER + "=" + profiles.toAbsolutePath())
                        .shouldFailOnError(true)
                        .build())
                .runSingle()
                .getPrimaryResult()
                .getStatistics()
                .getPercentile(50);
    }

    /** Writes a table as two files, as the tools do for a large one. */
    private static void write(Path folder, int slowdown) throws IOException, SQLException {
        Files.createDirectories(folder);
        int instructions = Integer.getInteger(INSTRUCTIONS, USUAL_INSTRUCTIONS);
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            for (int part = 0; part < 2; part++) {
                copy(
                        statement,
                        TABLE.formatted(slowdown, part * (instructions / 2), (part + 1) * (instructions / 2)),
                        folder.resolve("Instruction_" + part + ".parquet"));
            }
            copy(
                    statement,
                    "SELECT %s::FLOAT AS total_time".formatted(slowdown == 1 ? "0.017" : "0.0172"),
                    folder.resolve("Summary.parquet"));
            copy(statement, "SELECT '7.4.0' AS profile_schema_version", folder.resolve("Metadata.parquet"));
        }
    }

    private static void copy(Statement statement, String select, Path file) throws SQLException {
        statement.execute("COPY (%s) TO '%s' (FORMAT parquet)".formatted(select, file.toAbsolutePath()));
    }
}
