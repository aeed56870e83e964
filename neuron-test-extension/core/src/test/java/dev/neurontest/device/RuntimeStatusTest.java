package dev.neurontest.device;

import static dev.neurontest.device.RuntimeStatus.Kind.ENVIRONMENT;
import static dev.neurontest.device.RuntimeStatus.Kind.HARDWARE;
import static dev.neurontest.device.RuntimeStatus.Kind.KERNEL;
import static dev.neurontest.device.RuntimeStatus.Kind.OTHER;
import static dev.neurontest.device.RuntimeStatus.Kind.SUCCESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RuntimeStatusTest {

    /** The classes of the facts; every other code is {@link RuntimeStatus.Kind#OTHER}. */
    private static final Map<RuntimeStatus.Kind, List<Integer>> KINDS = Map.of(
            SUCCESS, List.of(0),
            KERNEL, List.of(1002, 1003, 1006, 5),
            ENVIRONMENT, List.of(2, 4, 9, 13),
            HARDWARE, List.of(6, 101, 1200, 1201, 1202, 1203, 1204, 1205));

    private record Fact(int code, String name) {}

    private static Stream<Fact> facts() {
        JsonNode facts = JsonMapper.shared()
                .readTree(RuntimeStatusTest.class.getResourceAsStream("/dev/neurontest/fake/layouts.json"));
        return StreamSupport.stream(facts.get("nrtStatus").spliterator(), false)
                .map(fact -> new Fact(fact.get("code").asInt(), fact.get("name").asString()));
    }

    @Test
    void knowsTheCodesOfTheHeaderAndNoOthers() {
        // given
        List<Integer> codes = facts().map(Fact::code).toList();

        // then
        assertThat(codes).hasSize(28).doesNotHaveDuplicates().contains(0, 101, 1006, 1206);
        for (int code = -1; code <= 2000; code++) {
            assertThat(RuntimeStatus.of(code).isKnown()).as("code %d", code).isEqualTo(codes.contains(code));
        }
    }

    @ParameterizedTest
    @MethodSource("facts")
    void isFoundByNumberAndByName(Fact fact) {
        // given
        RuntimeStatus status = RuntimeStatus.of(fact.code);

        // then
        assertThat(status.name()).isEqualTo(fact.name);
        assertThat(status).hasToString(fact.name + " (" + fact.code + ")");
        assertThat(status.meaning()).isNotBlank();
        assertThat(RuntimeStatus.of(fact.name)).isEqualTo(status);
        assertThat(RuntimeStatus.of(fact.name.substring("NRT_".length()))).isEqualTo(status);
        assertThat(RuntimeStatus.of(Integer.toString(fact.code))).isEqualTo(status);
    }

    @ParameterizedTest
    @MethodSource("facts")
    void saysWhoHasToAct(Fact fact) {
        // given
        RuntimeStatus.Kind expected = KINDS.entrySet().stream()
                .filter(kind -> kind.getValue().contains(fact.code))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(OTHER);

        // then
        assertThat(RuntimeStatus.of(fact.code).kind()).isEqualTo(expected);
    }

    @Test
    void isFoundByTheShorterNamesOfLogsAndCounters() {
        // then
        assertThat(RuntimeStatus.of("HW_ERR_HBM_UE").code()).isEqualTo(1201);
        assertThat(RuntimeStatus.of("oob").code()).isEqualTo(1006);
        assertThat(RuntimeStatus.of("nrt_exec_oob").code()).isEqualTo(1006);
    }

    @Test
    void keepsAnUnknownNumber() {
        // given
        RuntimeStatus status = RuntimeStatus.of(4711);

        // then
        assertThat(status.name()).isEqualTo("4711");
        assertThat(status).hasToString("NRT_STATUS 4711").isEqualTo(RuntimeStatus.of("4711"));
        assertThat(status.kind()).isEqualTo(OTHER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "NRT_", "NRT_STATE_START", "TIMEOUTS", "12345678901", "-1"})
    void refusesWhatIsNeitherNameNorNumber(String text) {
        // then
        assertThat(RuntimeStatus.find(text)).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RuntimeStatus.of(text))
                .withMessage(
                        "\"%s\" is no NRT_STATUS: expected a name of nrt_status.h such as NRT_TIMEOUT, or its number"
                                .formatted(text));
    }
}
