package dev.neurontest.internal.profile.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.patience.Patience;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the schema that a tool prints, with the stand-in tools of a fake host. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the tools are shell scripts")
class ToolSchemaIT {

    private static Optional<ToolSchema> schema(String explorer, String profile) {
        try (FakeNeuronHost fake =
                FakeNeuronHost.builder().instance("trn1.2xlarge").start()) {
            fake.directory();
            fake.profiler().tool("neuron-explorer", explorer);
            fake.profiler().tool("neuron-profile", profile);
            ProfilerTool tool = ProfilerTool.find(
                    new ProfilerTool.Search(fake.directory(), Optional.empty(), "", Map.of(), Patience.LIMIT));
            return ToolSchema.of(tool, Map.of(), Patience.LIMIT);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.31.9.0", "2.32.7.0", "2.33.38.0", "2.34.1.0"})
    void containsTablesAndColumns(String version) {
        // when
        ToolSchema schema = schema("working " + version, "absent").orElseThrow();

        // then
        assertThat(schema.contains("OpcodeSummary")).isTrue();
        assertThat(schema.contains("opcodesummary")).isTrue();
        assertThat(schema.contains("duration_ns")).isTrue();
        assertThat(schema.contains("duration")).isTrue(); // the table Throttle has it
        assertThat(schema.contains("duraton_ns")).isFalse();
        assertThat(schema.nearest("INSTUCTION")).contains("Instruction");
        assertThat(schema.nearest("something else")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"working 2.30.5.0, absent", "absent, working 2.25.145.0"})
    void isUnknownForOlderTool(String explorer, String profile) {
        assertThat(schema(explorer, profile)).isEmpty();
    }

    @Test
    void isUnknownWhenTextIsSomethingElse() {
        assertThat(ToolSchema.parse("Usage:\n  neuron-explorer [OPTIONS] COMMAND\n"))
                .isEmpty();
        assertThat(ToolSchema.parse("openapi: 4.0.0\ntable: Instruction\nfield: duration_ns"))
                .isEmpty();
    }
}
