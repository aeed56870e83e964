package dev.neurontest.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.counter.Attribution;
import dev.neurontest.counter.CounterDeltaExpectation;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.internal.counter.ParsedCounters.Change;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.ScopeFixture;
import dev.neurontest.internal.counter.tree.TreeFixture;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ParsedCountersTest {

    private static final String CORE = "neuron0/neuron_core1 ";

    private final TreeFixture tree = TreeFixture.host(1, 2);

    @Test
    void matchesDocumentedJson() {
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
                                + "\"settled\":true,\"settlingMillis\":0,\"deferredBy\":{},\"stillOpen\":{},\"neighbours\":[],\"restarted\":\"\"}");
    }

    @Test
    void marksCountersSharedWithNeighbours() {
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
    void namesProcessesThatDeferCountsOrKeepDeviceOpen() {
        // given
        Map<Integer, List<String>> owners = Map.of(0, List.of("a (pid 1)", "b (pid 2)"));
        CounterScope held = ScopeFixture.held(tree, owners, 2, 1);
        CounterScope live = ScopeFixture.of(tree, 2, 1);

        // when
        String late = ScopeFixture.diff(held, () -> {}).toJson();
        String open = CounterRecorder.start(live, SettleOptions.IN_PROCESS, () -> ConcurrentUsers.NONE, () -> owners)
                .stop()
                .toJson();

        // then
        assertThat(late).contains("\"deferredBy\":{\"neuron0\":[\"a (pid 1)\",\"b (pid 2)\"]},\"stillOpen\":{}");
        assertThat(open).contains("\"deferredBy\":{},\"stillOpen\":{\"neuron0\":[\"a (pid 1)\",\"b (pid 2)\"]}");
    }

    @Test
    void tolerantErrorWithNeighbourIsUndecided() {
        // given
        CounterScope scope = ScopeFixture.of(tree, 2, 1);
        CounterExpectations rules =
                CounterExpectations.builder().attribution(Attribution.TOLERANT).build();

        // when
        CounterDiff diff = ScopeFixture.diff(
                scope,
                List.of("notebook (pid 12) on neuron0/neuron_core0"),
                () -> tree.put("neuron0 hardware/mem_ecc_uncorrected", "1\n"));

        // then
        assertThat(diff.judged(rules.judge(diff)).toJson()).contains("\"verdict\":\"undecided\"");
    }

    @Test
    void errorAfterDriverReloadIsUndecided() {
        // given
        CounterScope scope = ScopeFixture.of(tree, 2, 1);

        // when
        CounterDiff diff = ScopeFixture.diff(scope, () -> tree.reload().count(CORE + "status/timeout", 2));

        // then
        assertThat(diff.judged(CounterExpectations.DEFAULT.judge(diff)).toJson())
                .contains("\"verdict\":\"undecided\"");
    }

    @Test
    void keepsVerdictsOfViolatedAndAllowedCounters() {
        // given
        CounterScope scope = ScopeFixture.of(tree, 2, 1);
        CounterExpectations rules = CounterExpectations.builder()
                .allow("timeout")
                .expect(CounterDeltaExpectation.by("success", 1))
                .build();
        tree.count(CORE + "status/hw_error", 1).count(CORE + "status/timeout", 9);

        // when
        CounterDiff diff = ScopeFixture.diff(
                scope,
                () -> tree.count(CORE + "status/hw_error", 3)
                        .count(CORE + "status/success", 2)
                        .count(CORE + "status/timeout", 2)
                        .set(TreeFixture.DEVICES + "neuron0/neuron_core1/stats/memory_usage/device_mem/peak", "8192\n")
                        .set(
                                TreeFixture.DEVICES + "neuron0/stats/hardware/health_status/unhealthy_components",
                                "hbm\n"));
        ParsedCounters recorded = ParsedCounters.of(diff.judged(rules.judge(diff)));

        // then
        assertThat(recorded.moved())
                .extracting(
                        Change::subject,
                        Change::change,
                        Change::start,
                        change -> change.verdict().orElse(""),
                        Change::isBad)
                .containsExactly(
                        tuple(CORE + "status/hw_error", "+2", 1L, "violated", true),
                        tuple(CORE + "status/success", "+2", 0L, "violated", true),
                        tuple(
                                CORE + "status/timeout",
                                "at least +2 (decreased: written to, or driver reloaded)",
                                0L,
                                "allowed",
                                true),
                        tuple(CORE + "memory_usage/device_mem/peak", "+8 KiB", 0L, "", false));
        assertThat(recorded.answered(true))
                .extracting(Change::counter)
                .containsExactly("status/hw_error", "status/success", "status/timeout");
        assertThat(recorded.answeredHealth(true)).containsExactly("neuron0");
    }
}
