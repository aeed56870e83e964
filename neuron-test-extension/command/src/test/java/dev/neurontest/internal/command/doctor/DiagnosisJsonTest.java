package dev.neurontest.internal.command.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ObjectNode;

class DiagnosisJsonTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    private static ObjectNode schema() throws IOException {
        try (InputStream in = DiagnosisText.class.getResourceAsStream("neuron-diagnosis.schema.json")) {
            assertThat(in).isNotNull();
            return (ObjectNode) JSON.readTree(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static ObjectNode finding(ObjectNode schema) {
        return (ObjectNode) schema.get("properties").get("findings").get("items");
    }

    private static List<String> words(ObjectNode schema, String member) {
        return finding(schema)
                .get("properties")
                .get(member)
                .get("enum")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    /**
     * Validates with undescribed members forbidden. Other versions may add members, but this version must describe its
     * own.
     */
    private static List<String> errors(String json) throws IOException {
        ObjectNode schema = schema();
        schema.put("additionalProperties", false);
        finding(schema).put("additionalProperties", false);
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(schema.toString())
                .validate(json, InputFormat.JSON)
                .stream()
                .map(Error::toString)
                .toList();
    }

    private Diagnosis diagnosis(String platform) {
        Map<String, String> values = Map.of(
                Setting.PLATFORM.name(),
                platform,
                Setting.PROFILER.name(),
                folder.resolve("none").toString());
        return Doctor.examine(
                Settings.of(name -> Optional.ofNullable(values.get(name))),
                Map.of("CI", "true"),
                25,
                false,
                Optional.empty());
    }

    @Test
    void jsonOfHostMatchesSchema() throws IOException {
        // then
        assertThat(errors(DiagnosisText.json(diagnosis("fake:trn1.2xlarge@driver-2.29"))))
                .isEmpty();
    }

    @Test
    void jsonWithoutHostMatchesSchema() throws IOException {
        // when
        String json = DiagnosisText.json(diagnosis("root:" + folder));

        // then
        assertThat(errors(json)).isEmpty();
        assertThat(json).contains("\"well\":false", "\"level\":\"fail\",\"code\":\"impossible-host\"");
    }

    @Test
    void validatorFindsDeviationsFromSchema() throws IOException {
        // given
        String json = DiagnosisText.json(diagnosis("root:" + folder));

        // then
        assertThat(errors(json.replace("\"impossible-host\"", "\"no-idea\"")))
                .singleElement()
                .asString()
                .contains("code");
        assertThat(errors(json.replace("\"code\":\"impossible-host\",", "")))
                .singleElement()
                .asString()
                .contains("code");
        assertThat(errors(json.replace("\"well\"", "\"good\""))).hasSize(2);
        assertThat(errors(json.replace("\"level\":\"ok\"", "\"level\":\"ok\",\"code\":\"impossible-host\"")))
                .isNotEmpty();
    }

    @Test
    void schemaListsExactlyAllCodes() throws IOException {
        // then
        assertThat(words(schema(), "code"))
                .containsExactlyElementsOf(
                        Arrays.stream(Code.values()).map(Code::toString).toList());
        assertThat(words(schema(), "area"))
                .containsAll(Arrays.stream(Code.values()).map(Code::area).toList());
    }
}
