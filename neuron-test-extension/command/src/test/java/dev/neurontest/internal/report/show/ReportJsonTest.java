package dev.neurontest.internal.report.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.ReportFixture;
import dev.neurontest.internal.report.RunFixture;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.ShardedRunFixture;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ObjectNode;

class ReportJsonTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private static ObjectNode schema() throws IOException {
        try (InputStream in = RunReport.class.getResourceAsStream("neuron-report.schema.json")) {
            assertThat(in).isNotNull();
            return (ObjectNode) JSON.readTree(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /**
     * Returns the schema with undescribed members forbidden. Other versions may add members, but this version must
     * describe its own.
     */
    private static Schema strict() throws IOException {
        ObjectNode schema = schema();
        describing(schema, "").forEach(object -> {
            if (object.has("properties")) {
                object.put("additionalProperties", false);
            }
        });
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(schema.toString());
    }

    private static List<ObjectNode> describing(JsonNode node, String in) {
        List<ObjectNode> found = new ArrayList<>();
        if (node instanceof ObjectNode object) {
            if (!in.equals("properties")) {
                found.add(object);
            }
            object.forEachEntry((name, child) -> found.addAll(describing(child, in.equals("properties") ? "" : name)));
        }
        return found;
    }

    private static String json(RunReport report, List<GateOutcome> gates) throws IOException {
        StringWriter out = new StringWriter();
        ReportJson.write(report, gates, Optional.empty(), out);
        return out.toString();
    }

    private static List<String> errors(String json) throws IOException {
        return strict().validate(json, InputFormat.JSON).stream()
                .map(Error::toString)
                .toList();
    }

    @Test
    void fullReportMatchesSchema() throws IOException {
        // given
        RunReport report = ReportFixture.everything(folder);

        // then
        assertThat(errors(json(report, List.of(ReportFixture.FAILED, ReportFixture.PASSED))))
                .isEmpty();
    }

    @Test
    void emptyReportMatchesSchema() throws IOException {
        // given
        RunReport nothing = new RunReport(List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

        // then
        assertThat(errors(json(nothing, List.of()))).isEmpty();
    }

    @Test
    void shardedReportMatchesSchemaAndNamesAttempts() throws IOException {
        // when
        String json = json(ShardedRunFixture.report(), List.of());

        // then
        assertThat(errors(json)).isEmpty();
        JsonNode first = JSON.readTree(json).get("shards").get(0);
        assertThat(first.toString()).isEqualTo("""
                {"shard":1,"count":2,"restarts":0,"job":"Slurm job 7","machine":"n1","platform":{"kind":"real","host":"/","choice":"auto",\
                "origin":"default","instanceType":"trn2.48xlarge","driverVersion":"2.30.51.0","devices":16,"cores":64,"lnc":2},"jvms":[0],\
                "started":"2026-11-21T02:10:00Z","ended":"2026-11-21T02:11:00Z","finished":false,"timings":["aaaa"],"codes":["c0de"],\
                "timed":true,"tookNanos":60000000000,"host":"trn2.48xlarge (real), driver 2.30.51.0, 16 devices with 64 cores, LNC 2","tests":0,"startedAgain":true}""");
        assertThat(JSON.readTree(json).get("shards")).hasSize(3);
    }

    @Test
    void validatorFindsDeviationsFromSchema() throws IOException {
        // given
        ObjectNode json = (ObjectNode) JSON.readTree(json(ReportFixture.everything(folder), List.of()));

        // when
        json.put("undescribed", 1);
        ((ObjectNode) json.get("tests").get(0)).put("outcome", "green");
        ((ObjectNode) json.get("tests").get(0).get("comparisons").get(0)).remove("margin");

        // then
        assertThat(errors(json.toString()))
                .hasSize(3)
                .anyMatch(error -> error.contains("undescribed"))
                .anyMatch(error -> error.contains("/tests/0/outcome"))
                .anyMatch(error -> error.contains("margin"));
    }

    @Test
    void everyMemberOfSchemaHasDescription() throws IOException {
        // then
        List<JsonNode> members = new ArrayList<>();
        describing(schema(), "").stream()
                .filter(object -> object.has("properties"))
                .forEach(object -> object.get("properties").forEach(members::add));
        assertThat(members)
                .hasSizeGreaterThan(100)
                .allSatisfy(member ->
                        assertThat(member.path("description").asString()).endsWith("."));
    }

    @Test
    void numbersCausesAndMarksMistakes() throws IOException {
        // when
        String text = json(new RunFixture().alike(30).report(), List.of());

        // then
        assertThat(errors(text)).isEmpty();
        Map<Integer, Long> failures = new TreeMap<>();
        Map<Integer, Long> mistakes = new TreeMap<>();
        JSON.readTree(text)
                .get("tests")
                .forEach(test -> (test.path("mistake").asBoolean(false) ? mistakes : failures)
                        .merge(test.get("group").asInt(), 1L, Long::sum));
        assertThat(failures).isEqualTo(Map.of(1, 30L));
        assertThat(mistakes).isEqualTo(Map.of(2, 2L));
    }

    @Test
    void hasGatesOutcomesRecordingsAndComparisons() throws IOException {
        // when
        JsonNode json = JSON.readTree(json(ReportFixture.everything(folder), List.of(ReportFixture.FAILED)));

        // then
        assertThat(json.get("passed").asBoolean()).isFalse();
        assertThat(json.at("/summary/outcomes/lost").asInt()).isEqualTo(1);
        assertThat(json.at("/tests/0/outcome").asString()).isEqualTo("failed");
        assertThat(json.at("/tests/0/recordings/0/recording/moved/0").asString())
                .isEqualTo("18446744073709551615");
        assertThat(json.at("/tests/0/comparisons/0/ratio/value").asDouble()).isEqualTo(1.071);
        assertThat(json.at("/tests/0/rerun").asString()).isEqualTo("mvn test -Dtest=com.acme.BertTest#t");
        assertThat(json.at("/hostErrors/0/delta").asInt()).isEqualTo(3);
    }

    @Test
    void replacesExistingFile() throws IOException {
        // given
        RunReport report = ReportFixture.everything(folder);
        Path file = Files.writeString(folder.resolve("neuron-report.json"), "x".repeat(1_000_000));

        // when
        ReportJson.write(report, List.of(), Optional.empty(), file);

        // then
        assertThat(file).hasContent(json(report, List.of()).strip());
    }

    @Test
    void doesNotFollowSymbolicLink() throws IOException {
        // given
        Path target = Files.writeString(folder.resolve("target"), "mine");
        Path file = Files.createSymbolicLink(folder.resolve("neuron-report.json"), target);

        // when
        ReportJson.write(ReportFixture.everything(folder.resolve("runs")), List.of(), Optional.empty(), file);

        // then
        assertThat(target).hasContent("mine");
        assertThat(Files.isSymbolicLink(file)).isFalse();
    }

    @Test
    void rethrowsErrorOfWriter() throws IOException {
        // given
        RunReport report = ReportFixture.everything(folder);
        IOException full = new IOException("No space left on device");
        Writer disk = new Writer() {
            @Override
            public void write(char[] characters, int offset, int length) throws IOException {
                throw full;
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };

        // then
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> ReportJson.write(report, List.of(), Optional.empty(), disk))
                .isSameAs(full);
    }
}
