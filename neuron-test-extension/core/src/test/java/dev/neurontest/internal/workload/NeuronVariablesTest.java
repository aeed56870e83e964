package dev.neurontest.internal.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.LogicalCoreSize;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.workload.NeuronWorkload;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NeuronVariablesTest {

    private static final Map<String, String> INHERITED = Map.of(
            "PATH", "/bin",
            "NEURON_RT_LOG_LEVEL", "DEBUG",
            "NEURON_RT_VISIBLE_CORES", "0-31",
            "NEURON_LOGICAL_NC_CONFIG", "1",
            "NEURON_PROCESS_TAG", "outer",
            "NEURON_RT_ASYNC_EXEC_MAX_INFLIGHT_REQUESTS", "7",
            "NEURON_CC_FLAGS", "-O2");

    @TempDir
    Path root;

    private List<NeuronCore> cores;

    @BeforeEach
    void host() {
        HostFixture fixture = new HostFixture(root).devices(HostFixture.Kind.TRN2, 0, 1, 2, 3);
        cores = NeuronHost.discover(fixture.tree()).cores();
    }

    private Map<String, String> environment(boolean kept, List<NeuronCore> on, Map<String, String> own) {
        return NeuronVariables.environment(kept, on, Optional.of("a test"), Optional.empty(), own)
                .of(INHERITED);
    }

    @Test
    void nameExactlyTheCores() {
        // when
        Map<String, String> environment = environment(false, cores.subList(8, 12), Map.of());

        // then
        assertThat(environment)
                .containsEntry("NEURON_RT_VISIBLE_CORES", "8-11")
                .containsEntry("NEURON_LOGICAL_NC_CONFIG", "2")
                .containsEntry("NEURON_PROCESS_TAG", "a test");
    }

    @Test
    void followTheLogicalCoreSizeOfTheHost() {
        // given
        NeuronHost host = NeuronHost.discover(cores.get(0).device().host().tree(), LogicalCoreSize.ONE);

        // when
        Map<String, String> environment = environment(false, host.cores().subList(16, 24), Map.of());

        // then
        assertThat(environment)
                .containsEntry("NEURON_RT_VISIBLE_CORES", "16-23")
                .containsEntry("NEURON_LOGICAL_NC_CONFIG", "1");
    }

    @Test
    void areInheritedOnlyOnRequest() {
        // when
        Map<String, String> without = environment(false, List.of(), Map.of());
        Map<String, String> with = environment(true, List.of(cores.get(0)), Map.of());

        // then
        assertThat(without)
                .containsOnlyKeys(
                        "PATH",
                        "NEURON_CC_FLAGS",
                        "NEURON_PROCESS_TAG",
                        "NEURON_RT_LOCAL_CORE_DUMP_DIRECTORY",
                        "NEURON_RT_S3_CORE_DUMP_PREFIX");
        assertThat(with)
                .containsEntry("NEURON_RT_LOG_LEVEL", "DEBUG")
                .containsEntry("NEURON_RT_VISIBLE_CORES", "0")
                .containsEntry("NEURON_LOGICAL_NC_CONFIG", "2")
                .containsEntry("NEURON_PROCESS_TAG", "a test")
                .doesNotContainKey("NEURON_RT_ASYNC_EXEC_MAX_INFLIGHT_REQUESTS");
    }

    @Test
    void reportAsynchronousExecution() {
        // given
        Map<String, String> own = Map.of(NeuronVariables.INFLIGHT, "3");

        // then
        assertThat(NeuronVariables.notices(false, INHERITED, Map.of())).isEmpty();
        assertThat(NeuronVariables.notices(true, Map.of(), Map.of())).isEmpty();
        assertThat(NeuronVariables.notices(true, INHERITED, Map.of()))
                .containsExactly(
                        "NEURON_RT_ASYNC_EXEC_MAX_INFLIGHT_REQUESTS of this JVM was not passed on, because with it executions may return before they end, and their statuses and counters arrive late.");
        assertThat(NeuronVariables.notices(false, Map.of(), own))
                .containsExactly(
                        "NEURON_RT_ASYNC_EXEC_MAX_INFLIGHT_REQUESTS=3 was set for it: executions may return before they end, and their statuses and counters arrive late.");
        assertThat(environment(false, List.of(), own)).containsEntry(NeuronVariables.INFLIGHT, "3");
    }

    @Test
    void reportThatLegacyNeffsAreAllowed() {
        // given
        Map<String, String> allowed = Map.of("NEURON_RT_ALLOW_LEGACY_NEFF", "1");

        // then
        assertThat(NeuronVariables.notices(false, Map.of(), allowed))
                .singleElement()
                .satisfies(notice ->
                        assertThat(NeuronVariables.concernsTheGate(notice)).isTrue());
        assertThat(NeuronVariables.notices(true, allowed, Map.of())).hasSize(1);
        assertThat(NeuronVariables.notices(false, allowed, Map.of())).isEmpty();
        assertThat(NeuronVariables.notices(false, Map.of(), Map.of("NEURON_RT_ALLOW_LEGACY_NEFF", "0")))
                .isEmpty();
    }

    @Test
    void reportWhetherDgeNotificationsAreOn() {
        // given
        Map<String, String> on = Map.of("NEURON_RT_ENABLE_DGE_NOTIFICATIONS", "1");

        // then
        assertThat(NeuronVariables.dgeNotifications(false, Map.of(), on)).isTrue();
        assertThat(NeuronVariables.dgeNotifications(true, on, Map.of())).isTrue();
        assertThat(NeuronVariables.dgeNotifications(false, on, Map.of())).isFalse();
        assertThat(NeuronVariables.dgeNotifications(false, Map.of(), Map.of())).isFalse();
    }

    @Test
    void sendTheDumpsOfTheRuntimeToTheFolder() {
        // when
        Map<String, String> environment = NeuronVariables.environment(
                        false, List.of(), Optional.empty(), Optional.of(Path.of("/out/test")), Map.of())
                .of(Map.of());

        // then
        assertThat(environment)
                .containsOnly(
                        Map.entry("NEURON_RT_LOCAL_CORE_DUMP_DIRECTORY", "/out/test/core-dump/dt-%d-cid-%c"),
                        Map.entry("NEURON_RT_DBG_INPUT_DUMP_DIRECTORY", "/out/test/input-dump"),
                        Map.entry("NEURON_RT_INSPECT_OUTPUT_DIR", "/out/test/inspect"),
                        Map.entry("NEURON_RT_OOM_DUMP_DIRECTORY", "/out/test"));
    }

    @Test
    void areOverriddenByUser() {
        // when
        Map<String, String> environment = environment(
                false,
                List.of(),
                Map.of("NEURON_RT_EXEC_TIMEOUT", "10", "NEURON_RT_LOCAL_CORE_DUMP_DIRECTORY", "/mine"));

        // then
        assertThat(environment)
                .containsEntry("NEURON_RT_EXEC_TIMEOUT", "10")
                .containsEntry("NEURON_RT_LOCAL_CORE_DUMP_DIRECTORY", "/mine");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NEURON_RT_VISIBLE_CORES", "NEURON_RT_NUM_CORES"})
    void cannotChangeCoresOfWorkload(String name) {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NeuronWorkload.command("true").environment(name, "0"))
                .withMessage(
                        "%s cannot be set for a workload, it follows from the cores of the workload: call on(cores)."
                                .formatted(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NEURON_LOGICAL_NC_CONFIG", "NEURON_RT_VIRTUAL_CORE_SIZE"})
    void cannotChangeLogicalCoreSize(String name) {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NeuronWorkload.command("true").environment(name, "1"))
                .withMessage(
                        "%s cannot be set for a workload, it follows from the host: use the setting neuron.test.lnc."
                                .formatted(name));
    }

    @Test
    void cutTagTo255Bytes() {
        // given
        String tag = "ä\n".repeat(200);

        // when
        String cut = NeuronVariables.environment(false, List.of(), Optional.of(tag), Optional.empty(), Map.of())
                .of(Map.of())
                .get("NEURON_PROCESS_TAG");

        // then
        assertThat(cut).isEqualTo("ä ".repeat(85));
        assertThat(cut.getBytes(StandardCharsets.UTF_8)).hasSize(255);
    }
}
