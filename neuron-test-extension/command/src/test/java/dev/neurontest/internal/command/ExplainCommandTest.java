package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.neurontest.internal.profile.KeptEvents;
import dev.neurontest.internal.profile.table.TableFixture;
import dev.neurontest.profile.EventsFixture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ObjectNode;

class ExplainCommandTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    /** Writes two instructions. The first one has the given number of microseconds. */
    private Path fullJson(String name, int micros) throws IOException {
        return Files.writeString(folder.resolve(name), """
                {"instruction": [
                  {"timestamp": 1, "duration": %s, "label": "Tensor", "opcode": "MATMUL", "layer": "m/attention"},
                  {"timestamp": 2, "duration": 20000, "label": "Vector", "opcode": "COPY", "layer": "m/norm"}],
                 "summary": [{"total_time": %s}]}
                """.formatted(micros * 1000, (micros + 5) / 1e6));
    }

    private Path tables(String name, String factor) throws IOException {
        Path tables = Files.createDirectories(folder.resolve(name));
        TableFixture.write(
                tables,
                "Instruction",
                "select range * 10 as start_ts, 'Tensor' as engine, 'MATMUL' as opcode, 'm/attention' as layer,"
                        + " 'attention.py:' || (100 + range %% 2) as nki_source_location, (10 + (range %% 2) * %s)::bigint as duration_ns from range(100)"
                                .formatted(factor)
                                .replace("%%", "%"));
        TableFixture.write(tables, "Metadata", "select '7.4.0' as profile_schema_version");
        TableFixture.write(
                tables, "Summary", "select %se-7::double as total_time".formatted(10 + Integer.parseInt(factor)));
        return tables;
    }

    private Path kept(String name) throws IOException {
        return Files.writeString(
                folder.resolve(name),
                KeptEvents.write(EventsFixture.events()
                        .execution(35)
                        .layer("m/attention", 30, 1)
                        .layer("m/norm", 20, 1)
                        .engine("Tensor", 30, 1)
                        .engine("Vector", 20, 1)
                        .made()));
    }

    @Test
    void readsProfileTables() throws IOException {
        // when
        CommandFixture explained = CommandFixture.run(
                "explain", tables("a", "2").toString(), tables("b", "8").toString());

        // then
        assertThat(explained.err()).isEmpty();
        assertThat(explained.out())
                .startsWith(
                        "Slower by 600 ns (50 %): attention.py:101 took 300 ns more, which is 100 % of all growth.\n");
    }

    @Test
    void namesLayerThatBecameSlower() throws IOException {
        // when
        CommandFixture explained = CommandFixture.run(
                "explain",
                fullJson("before.json", 30).toString(),
                fullJson("after.json", 40).toString());

        // then
        assertThat(explained.status()).isZero();
        assertThat(explained.err()).isEmpty();
        assertThat(explained.out())
                .startsWith(
                        "Slower by 10 \u00b5s (29 %): m/attention took 10 \u00b5s more, which is 100 % of all growth.\n")
                .contains("By engine: 10 \u00b5s of growth, no shrinkage.");
    }

    @Test
    void acceptsEventsStoredWithBaseline() throws IOException {
        // when
        CommandFixture explained = CommandFixture.run(
                "explain",
                kept("BertTest.0a1b.events.json").toString(),
                fullJson("after.json", 40).toString());

        // then
        assertThat(explained.out()).startsWith("Slower by 10 \u00b5s (29 %): m/attention");
    }

    @Test
    void writesAPage() throws IOException {
        // when
        Path page = folder.resolve("why.html");
        CommandFixture explained = CommandFixture.run(
                "explain",
                fullJson("before.json", 30).toString(),
                fullJson("after.json", 40).toString(),
                "--html",
                page.toString());

        // then
        assertThat(explained.out()).endsWith("page: " + page + "\n");
        assertThat(page).content().contains("slower</span>", "class=\"icicle\"");
    }

    @Test
    void refusesFileWithoutEvents() throws IOException {
        // given
        Path empty = Files.writeString(folder.resolve("empty.json"), "{}");

        // when
        CommandFixture explained = CommandFixture.run(
                "explain", empty.toString(), fullJson("after.json", 40).toString());

        // then
        assertThat(explained.status()).isEqualTo(2);
        assertThat(explained.err()).contains("empty.json contains no instruction and no transfer. Expected the folder");
    }

    @Test
    void namesProfilesOfAmbiguousFolder() throws IOException {
        // given
        Path one = kept("A.events.json");
        Path other = kept("B.events.json");

        // when
        CommandFixture explained = CommandFixture.run("explain", folder.toString(), folder.toString());

        // then
        assertThat(explained.status()).isEqualTo(2);
        assertThat(explained.out()).isEmpty();
        assertThat(explained.err())
                .isEqualTo("%s contains the events of 2 profiles. Choose one of them:\n  %s\n  %s\n"
                        .formatted(folder, one, other));
    }

    @Test
    void findsNewestDuckDbJarInFolderOfCommand() throws IOException {
        // given
        Path own = Files.writeString(folder.resolve("neuron-test.jar"), "");
        Files.writeString(folder.resolve("duckdb_jdbc-2.0.0.1.jar"), "");
        Path newest = Files.writeString(folder.resolve("duckdb_jdbc-2.1.0.0.jar"), "");

        // then
        assertThat(DuckDbOption.jarNextTo(own)).contains(newest);
        assertThat(DuckDbOption.jarNextTo(folder)).isEmpty();
    }

    private static ObjectNode schema() throws IOException {
        try (InputStream in = ExplainCommand.class.getResourceAsStream("neuron-explanation.schema.json")) {
            assertThat(in).isNotNull();
            return (ObjectNode) JSON.readTree(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** Forbids members that the schema does not describe, because this version must describe all of its members. */
    private static void close(JsonNode schema) {
        if (schema instanceof ObjectNode object && object.has("properties")) {
            object.put("additionalProperties", false);
        }
        schema.forEach(ExplainCommandTest::close);
    }

    private static List<String> errors(String json) throws IOException {
        ObjectNode schema = schema();
        close(schema);
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(schema.toString())
                .validate(json, InputFormat.JSON)
                .stream()
                .map(Error::toString)
                .toList();
    }

    @Test
    void jsonMatchesSchema() throws IOException {
        // when
        String json = CommandFixture.run(
                        "explain",
                        fullJson("before.json", 30).toString(),
                        fullJson("after.json", 40).toString(),
                        "--json")
                .out();

        // then
        assertThat(errors(json)).isEmpty();
        assertThat(errors(json.replace("\"slower\"", "\"late\"")))
                .singleElement()
                .asString()
                .contains("answer");
        assertThat(errors(json.replace("\"changeNs\"", "\"change\""))).isNotEmpty();
    }
}
