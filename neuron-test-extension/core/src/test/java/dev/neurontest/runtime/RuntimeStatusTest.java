package dev.neurontest.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.neurontest.runtime.RuntimeStatus.CoreVerdict;
import dev.neurontest.runtime.RuntimeStatus.Fault;
import dev.neurontest.runtime.RuntimeStatus.Stage;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RuntimeStatusTest {

    private record Fact(int code, String name, Set<String> faults, String core, Set<String> counters) {}

    private static Stream<Fact> facts() {
        JsonNode facts = JsonMapper.shared()
                .readTree(RuntimeStatusTest.class.getResourceAsStream("/dev/neurontest/fake/layouts.json"));
        return StreamSupport.stream(facts.get("nrtStatus").spliterator(), false)
                .map(fact -> new Fact(
                        fact.get("code").asInt(),
                        fact.get("name").asString(),
                        StreamSupport.stream(fact.get("faults").spliterator(), false)
                                .map(JsonNode::asString)
                                .collect(Collectors.toSet()),
                        fact.get("core").asString(),
                        StreamSupport.stream(fact.get("counters").spliterator(), false)
                                .filter(counter -> !counter.isNull())
                                .map(JsonNode::asString)
                                .collect(Collectors.toSet())));
    }

    @Test
    void hasExactlyTheCodesOfTheHeader() {
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
    void hasTheFaultsAndTheVerdictOfTheFacts(Fact fact) {
        // given
        RuntimeStatus status = RuntimeStatus.of(fact.code);

        // then
        assertThat(status.faults())
                .extracting(fault -> fault == Fault.EARLIER_FAILURE ? "as-first-status" : word(fault))
                .containsExactlyInAnyOrderElementsOf(fact.faults);
        assertThat(word(status.core(Stage.UNKNOWN))).isEqualTo(fact.core);
        assertThat(status.isFailure()).isEqualTo(!fact.faults.isEmpty());
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Test
    void isFoundByTheCountersOfTheFacts() {
        // then
        assertThat(facts().filter(fact -> fact.code != 0))
                .allSatisfy(fact -> assertThat(fact.counters)
                        .allSatisfy(counter ->
                                assertThat(RuntimeStatus.ofCounter(counter)).contains(RuntimeStatus.of(fact.code))));
        assertThat(RuntimeStatus.ofCounter("success")).isEmpty();
        assertThat(RuntimeStatus.ofCounter("execute_sw_event_error")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("facts")
    void advisesOnEachFailure(Fact fact) {
        // then
        for (Stage stage : Stage.values()) {
            assertThat(RuntimeStatus.of(fact.code).advice(stage)).matches(fact.faults.isEmpty() ? "" : ".*[.]");
        }
    }

    @Test
    void faultsAndVerdictDependOnStage() {
        // then
        assertThat(RuntimeStatus.of(2).faults(Stage.INIT)).containsExactly(Fault.ENVIRONMENT);
        assertThat(RuntimeStatus.of(2).faults(Stage.LOAD)).containsExactly(Fault.KERNEL, Fault.ENVIRONMENT);
        assertThat(RuntimeStatus.of(2).faults(Stage.EXECUTE)).containsExactly(Fault.INPUTS);
        assertThat(RuntimeStatus.of(6).core(Stage.LOAD)).isEqualTo(CoreVerdict.STAY);
        assertThat(RuntimeStatus.of(6).core(Stage.EXECUTE)).isEqualTo(CoreVerdict.SUSPECT);
    }

    @ParameterizedTest
    @CsvSource({
        "nrt_init,INIT",
        "nrt_load,LOAD",
        "nrt_load_collectives,LOAD",
        "nrt_tensor_allocate,MEMORY",
        "nrt_execute,EXECUTE",
        "nrt_close,UNKNOWN"
    })
    void mapsFunctionToStage(String function, Stage stage) {
        // then
        assertThat(Stage.ofFunction(function)).isEqualTo(stage);
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
        assertThat(status.faults()).isEmpty();
        assertThat(status.core(Stage.EXECUTE)).isEqualTo(CoreVerdict.STAY);
        assertThat(status.isFailure()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "NRT_", "NRT_STATE_START", "TIMEOUTS", "12345678901", "-1"})
    void refusesUnknownNameAndInvalidNumber(String text) {
        // then
        assertThat(RuntimeStatus.find(text)).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RuntimeStatus.of(text))
                .withMessage(
                        "\"%s\" is not an NRT_STATUS: expected a name of nrt_status.h such as NRT_TIMEOUT, or its number"
                                .formatted(text));
    }
}
