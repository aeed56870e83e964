package dev.neurontest.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs {@link TableBenchmark} over a generated table with the names of {@link EventFile}. */
final class Tables {

    private static final String ROWS = "benchmark.tables.rows";
    private static final long USUAL_ROWS = 10_000_000;

    private static final String INSTRUCTIONS = """
            SELECT 10261883214 + range * 57 AS start_ts,
                (40 + exp(5 + 1.2 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())))::BIGINT AS duration_ns, range AS id,
                ['Tensor', 'Vector', 'Scalar', 'GpSimd', 'Sync'][1 + range %% 5] AS engine, opcode, 'BIR_' || opcode AS compiler_opcode,
                'S[5] (Tensor)++@complete acc_flags=3 row_grp=q0 src=fp16@0x' || hex(range %% 65536) || '[1,0,0][3,1,1] 3*128' AS operands,
                'model/layers.' || (range // 2000 %% 80) || '/' || ['self_attn/q_proj', 'self_attn/k_proj', 'self_attn/softmax',
                    'mlp/gate_proj', 'mlp/down_proj', 'input_layernorm'][1 + range // 100 %% 6] AS layer,
                '%%dot.' || (range %% 5000) || ' = dot(%%fusion.1, %%custom-call.44)' AS hlo_name, '' AS nki_source_location,
                'modeling_llama.py:' || (200 + range // 2000 %% 80) AS bir_debug_info_source_location,
                (CASE WHEN range %% 50 = 0 THEN 4096 ELSE 0 END)::BIGINT AS spill_save_bytes, 0::BIGINT AS spill_reload_bytes
            FROM (SELECT range, ['MATMUL', 'LDWEIGHTS', 'ACTIVATE', 'TENSOR_TENSOR', 'TENSOR_COPY', 'TENSOR_REDUCE', 'TRANSPOSE',
                'SEM_WAIT'][1 + range * 7 %% 8] AS opcode FROM range(%d))""";

    private Tables() {}

    static void measure(Path files, Results results) throws IOException, RunnerException {
        Path folder = Files.createDirectory(files.resolve("tables"));
        Path table = folder.resolve("Instruction.parquet");
        long rows = Long.getLong(ROWS, USUAL_ROWS);
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (%s) TO '%s' (FORMAT parquet)".formatted(INSTRUCTIONS.formatted(rows), table));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        measure(folder, rows, Files.size(table), results);
    }

    private static void measure(Path folder, long rows, long bytes, Results results) throws RunnerException {
        RunResult run = new Runner(new OptionsBuilder()
                        .include(TableBenchmark.class.getName() + ".read$")
                        .jvmArgs(SmallHeap.option(TableBenchmark.HEAP_MEGABYTES))
                        .jvmArgsAppend("-D" + TableBenchmark.FOLDER + "=" + folder)
                        .addProfiler(BareQuery.class)
                        .shouldFailOnError(true)
                        .build())
                .runSingle();
        Collection<BenchmarkResult> forks = run.getBenchmarkResults();
        results.time(
                "events of a table of %,d instructions, %,d bytes".formatted(rows, bytes),
                Forks.median(forks, Forks::millis),
                "events / bare: %.2f"
                        .formatted(Forks.median(
                                forks, each -> Forks.millis(each) / Forks.secondary(each, BareQuery.MILLIS))),
                "at most 1.2");
        results.time(
                "the same statements over JDBC",
                Forks.median(forks, each -> Forks.secondary(each, BareQuery.MILLIS)),
                "",
                "");
        results.note("events of a table: the process held at most %.0f MiB, in a JVM with a heap of %d MiB"
                .formatted(
                        run.getSecondaryResults().get(BareQuery.RESIDENT).getScore(), TableBenchmark.HEAP_MEGABYTES));
    }
}
