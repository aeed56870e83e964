package dev.neurontest.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.counter.rule.Attribution;
import dev.neurontest.counter.rule.CounterRules;
import dev.neurontest.counter.tree.CounterScope;
import dev.neurontest.counter.tree.ScopeFixture;
import dev.neurontest.counter.tree.TreeFixture;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RecordedCountersTest {

    private static final String CORE = "neuron0/neuron_core1 ";

    private final TreeFixture tree = TreeFixture.host(1, 2);

    @Test
    void hasTheDocumentedShape() {
        // given
        CounterScope scope = ScopeFixture.of(tree, 2, 1);

        // when
        CounterDiff diff = ScopeFixture.diff(
                scope,
                () -> tree.count(CORE + "status/hw_error", 3)
                        .put("neuron0/neuron_core0 status/success", "12\n")
                        .put("neuron0 hardware/mem_ecc_uncorrected", "\"x\"\n"));

        // then
        assertThat(diff.toJson())
                .isEqualTo(
                        "{\"version\":2,\"kind\":\"counters\",\"host\":\"fixture\",\"cores\":[\"neuron0/neuron_core1\"],"
                                + "\"moved\":[{\"place\":\"neuron0/neuron_core1\",\"counter\":\"status/hw_error\",\"field\":\"total\","
                                + "\"unit\":\"count\",\"kind\":\"status\",\"movement\":\"rose\",\"error\":true,\"before\":0,\"after\":3,\"delta\":3,\"text\":\"+3\",\"remark\":\"\","
                                + "\"location\":\"/sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/status/hw_error/total\"}],"
                                + "\"foreign\":[{\"place\":\"neuron0/neuron_core0\",\"counter\":\"status/success\",\"field\":\"total\","
                                + "\"unit\":\"count\",\"kind\":\"status\",\"movement\":\"rose\",\"error\":false,\"before\":0,\"after\":12,\"delta\":12,\"text\":\"+12\",\"remark\":\"\","
                                + "\"location\":\"/sys/devices/virtual/neuron_device/neuron0/neuron_core0/stats/status/success/total\"}],"
                                + "\"unreadable\":[{\"place\":\"neuron0\",\"counter\":\"hardware/mem_ecc_uncorrected\",\"field\":\"value\","
                                + "\"moment\":\"after\",\"location\":\"/sys/devices/virtual/neuron_device/neuron0/stats/hardware/mem_ecc_uncorrected\","
                                + "\"content\":\"\\\"x\\\"\\n\",\"message\":\"/sys/devices/virtual/neuron_device/neuron0/stats/hardware/mem_ecc_uncorrected holds \\\"\\\\\\\"x\\\\\\\"\\\\n\\\", expected an unsigned number. Read it again (cat /sys/devices/virtual/neuron_device/neuron0/stats/hardware/mem_ecc_uncorrected); if it stays like that, report it with the driver version.\"}],"
                                + "\"settled\":true,\"settlingMillis\":0,\"heldBack\":{},\"stillOpen\":{},\"neighbours\":[]}");
    }

    @Test
    void marksWhatNeighboursShare() {
        // given
        CounterScope scope = ScopeFixture.of(tree, 2, 1);

        // when
        CounterDiff diff = ScopeFixture.diff(
                scope,
                List.of("FooTest > bar() (pid 12) on neuron0/neuron_core0"),
                () -> tree.count(CORE + "status/hw_error", 3)
                        .count("neuron0/neuron_core0 status/success", 12)
                        .put("neuron0 hardware/mem_ecc_uncorrected", "1\n"));

        // then
        JsonNode json = JsonMapper.shared().readTree(diff.toJson());
        assertThat(json.get("version").asInt()).isEqualTo(2);
        assertThat(json.get("neighbours").toString())
                .isEqualTo("[\"FooTest > bar() (pid 12) on neuron0/neuron_core0\"]");
        assertThat(json.get("moved"))
                .extracting(
                        change -> change.get("counter").asString(),
                        change -> change.path("attribution").asString(""))
                .containsExactly(tuple("status/hw_error", ""), tuple("hardware/mem_ecc_uncorrected", "shared"));
        assertThat(json.get("foreign")).noneMatch(change -> change.has("attribution"));
    }

    @Test
    void keepsAllBitsOfNumbers() {
        // given
        CounterScope scope = ScopeFixture.of(tree, 2, 1);

        // when
        CounterDiff diff = ScopeFixture.diff(scope, () -> tree.count(CORE + "other_info/flop_count", -1));

        // then
        JsonNode moved =
                JsonMapper.shared().readTree(diff.toJson()).get("moved").get(0);
        assertThat(moved.get("after").bigIntegerValue()).isEqualTo(new BigInteger("18446744073709551615"));
        assertThat(moved.get("unit").asString()).isEqualTo("operations");
    }

    @Test
    void saysWhoHoldsCountsBack() {
        // given
        CounterScope scope = ScopeFixture.held(tree, Map.of(0, List.of("a (pid 1)", "b (pid 2)")), 2, 1);

        // when
        JsonNode json =
                JsonMapper.shared().readTree(ScopeFixture.diff(scope, () -> {}).toJson());

        // then
        assertThat(json.get("heldBack").toString()).isEqualTo("{\"neuron0\":[\"a (pid 1)\",\"b (pid 2)\"]}");
    }

    @Test
    void saysWhoStillHasADeviceOpen() {
        // given
        CounterScope scope = ScopeFixture.of(tree, 2, 1);
        CounterRecorder recorder = CounterRecorder.start(
                scope, Settling.IN_PROCESS, List::of, () -> Map.of(0, List.of("a (pid 1)", "b (pid 2)")));

        // when
        JsonNode json = JsonMapper.shared().readTree(recorder.stop().toJson());

        // then
        assertThat(json.get("stillOpen").toString()).isEqualTo("{\"neuron0\":[\"a (pid 1)\",\"b (pid 2)\"]}");
        assertThat(json.get("heldBack").toString()).isEqualTo("{}");
    }

    @Test
    void keepsAnErrorBesideANeighbourUndecided() {
        // given
        CounterScope scope = ScopeFixture.of(tree, 2, 1);
        CounterRules rules =
                CounterRules.builder().attribution(Attribution.TOLERANT).build();

        // when
        CounterDiff diff = ScopeFixture.diff(
                scope,
                List.of("notebook (pid 12) on neuron0/neuron_core0"),
                () -> tree.put("neuron0 hardware/mem_ecc_uncorrected", "1\n"));

        // then
        assertThat(diff.judged(rules.judge(diff)).toJson()).contains("\"verdict\":\"undecided\"");
    }

    @Test
    void keepsAnErrorAfterAReloadUndecided() {
        // given
        CounterScope scope = ScopeFixture.of(tree, 2, 1);

        // when
        CounterDiff diff = ScopeFixture.diff(scope, () -> tree.reload().count(CORE + "status/timeout", 2));

        // then
        assertThat(diff.judged(CounterRules.DEFAULT.judge(diff)).toJson()).contains("\"verdict\":\"undecided\"");
    }
}
