package dev.neurontest.fake.internal.profiler.view;

import static dev.neurontest.fake.internal.profiler.TablesFixture.from;
import static dev.neurontest.fake.internal.profiler.TablesFixture.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.internal.profiler.TablesFixture;
import dev.neurontest.fake.internal.profiler.ToolFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * A comparison of two independent readers for every table: DuckDB, and hyparquet, which .ci/run installs if there is
 * npm.
 */
class HyparquetIT {

    private static final Path HYPARQUET =
            Path.of("target/hyparquet/node_modules/hyparquet").toAbsolutePath();

    @TempDir
    private Path folder;

    @Test
    void readsTheSameRowsAsDuckDb() throws Exception {
        assumeThat(HYPARQUET.resolve("src/index.js"))
                .as("npm install --prefix fake-sysfs/target/hyparquet hyparquet has put it there")
                .isRegularFile();
        Path tables = writeTables();
        List<String> names = names(tables);
        List<String> command = new ArrayList<>(List.of("node", "src/test/node/tables.mjs", HYPARQUET.toString()));
        names.forEach(name -> command.add(tables.resolve(name + ".parquet").toString()));

        Process node = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String[] lines = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\n");

        assertThat(node.waitFor()).isZero();
        assertThat(lines).hasSameSizeAs(names).hasSizeGreaterThan(10);
        try (TablesFixture duckDb = new TablesFixture()) {
            for (int i = 0; i < lines.length; i++) {
                JsonNode rows = new ObjectMapper().readTree(lines[i]);
                List<Map<String, Object>> expected =
                        duckDb.rows("SELECT * FROM " + from(tables.resolve(names.get(i) + ".parquet")));
                assertThat(rows).as(names.get(i)).hasSize(expected.size());
                for (int row = 0; row < expected.size(); row++) {
                    isSame(names.get(i) + " row " + row, rows.get(row), expected.get(row));
                }
            }
        }
    }

    private Path writeTables() throws IOException {
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("trn2.3xlarge").start()) {
            ToolFixture tools = new ToolFixture(host, folder);
            host.profiler()
                    .script("throttle", 0.4)
                    .script("warning", "Missing Data", "Größe")
                    .script("hardware-error", "DMA abort");
            Path session = Files.createDirectory(folder.resolve("session"));
            FakeNeff.builder().write(session.resolve("m.neff"));
            Files.write(session.resolve("ntrace.pb"), new byte[] {1});
            Files.write(session.resolve("cpu_util.pb"), new byte[] {1});
            Files.write(session.resolve("host_mem.pb"), new byte[] {1});
            assertThat(tools.explorer("capture", "-n", "session/m.neff", "-s", "session/p.ntff")
                            .exitCode())
                    .isZero();
            assertThat(tools.explorer("view", "-d", "session", "--output-file", "tables", "--ingest-only")
                            .exitCode())
                    .isZero();
        }
        return folder.resolve("tables");
    }

    private static void isSame(String where, JsonNode actual, Map<String, Object> expected) {
        assertThat(actual.propertyNames()).as(where).containsExactlyInAnyOrderElementsOf(expected.keySet());
        expected.forEach((column, value) -> assertThat(plain(actual.get(column), value))
                .as(where + ", " + column)
                .isEqualTo(value));
    }

    /** Returns a value of hyparquet as DuckDB's type for the same column. */
    private static @Nullable Object plain(JsonNode value, @Nullable Object like) {
        if (value.isNull()) {
            return null;
        }
        if (like instanceof Long) {
            return Long.valueOf(value.asString());
        }
        if (like instanceof Integer) {
            return value.intValue();
        }
        if (like instanceof Float) {
            return (float) value.doubleValue();
        }
        if (like instanceof Double) {
            return value.doubleValue();
        }
        return like instanceof Boolean ? (Object) value.booleanValue() : value.asString();
    }
}
