package dev.neurontest.fake;

import static dev.neurontest.fake.HostFixture.DEVICES;
import static dev.neurontest.fake.HostFixture.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class NrtStatusTest {

    @Test
    void namesAndCodesAreThoseOfTheFacts() {
        assertThat(Arrays.stream(NrtStatus.values()).map(status -> status.name() + " " + status.code()))
                .containsExactlyElementsOf(FactsFixture.nrtStatus().stream()
                        .map(fact -> FactsFixture.text(fact, "name") + " "
                                + fact.get("code").asInt())
                        .toList());
    }

    static Stream<Arguments> everyStatusInEveryLayout() {
        return FactsFixture.nrtStatus().stream()
                .flatMap(fact -> FactsFixture.layoutNames().stream()
                        .map(layout -> Arguments.of(FactsFixture.text(fact, "name"), layout)));
    }

    @ParameterizedTest(name = "{0} in {1}")
    @MethodSource("everyStatusInEveryLayout")
    void executionMovesTheStatusCounterOfTheFactsAndNoOther(String name, String layout) throws IOException {
        JsonNode counters = FactsFixture.nrtStatus().stream()
                .filter(fact -> FactsFixture.text(fact, "name").equals(name))
                .findFirst()
                .orElseThrow()
                .get("counters");
        // Newer drivers count as driver-2.x does.
        JsonNode expected = counters.get(layout.startsWith("docs") ? layout : "driver-2.x");
        try (FakeNeuronHost host = FakeNeuronHost.builder().layout(layout).start()) {
            // when
            try (FakeProcess process = host.openProcess(host.device(0).core(1))) {
                process.execute(host.device(0).core(1), NrtStatus.of(name), 3);
            }

            // then
            List<String> moved = new ArrayList<>();
            for (String counter : host.tree().list(DEVICES + "neuron0/neuron_core1/stats/status")) {
                String total = read(host, "neuron0/neuron_core1/stats/status/" + counter + "/total");
                if (!total.equals("0\n")) {
                    assertThat(total).isEqualTo("3\n");
                    moved.add(counter);
                }
            }
            assertThat(moved).isEqualTo(expected.isNull() ? List.of() : List.of(expected.asString()));
        }
    }

    @Test
    void statusIsFoundByNameAndByNumber() {
        assertThat(NrtStatus.of(1006)).isEqualTo(NrtStatus.NRT_EXEC_OOB);
        assertThat(NrtStatus.of("5")).isEqualTo(NrtStatus.NRT_TIMEOUT);
        assertThat(NrtStatus.of("NRT_TIMEOUT")).isEqualTo(NrtStatus.NRT_TIMEOUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"8", "12", "-1", "TIMEOUT", ""})
    void unknownStatusIsRefused(String text) {
        assertThatThrownBy(() -> NrtStatus.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\"");
    }
}
