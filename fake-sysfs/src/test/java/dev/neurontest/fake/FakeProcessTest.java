package dev.neurontest.fake;

import static dev.neurontest.fake.HostFixture.counter;
import static dev.neurontest.fake.HostFixture.host;
import static dev.neurontest.fake.HostFixture.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FakeProcessTest {

    private static final String CORE = "neuron0/neuron_core1";

    @Test
    void unknownCategoryIsAnsweredWithKnownOnes() {
        try (FakeNeuronHost host = host("trn1.2xlarge", "driver-2.30")) {
            FakeProcess process = host.openProcess(host.core(CORE));

            assertThatThrownBy(() -> process.allocate(host.core(CORE), "tensor", 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"tensor\"")
                    .hasMessageContaining("model_code, tensors, constants");
        }
    }

    @Test
    void categoryMissingFromTheLayoutIsRefused() {
        try (FakeNeuronHost host = host("trn1.2xlarge", "docs-2023")) {
            FakeProcess process = host.openProcess(host.core(CORE));

            assertThatThrownBy(() -> process.allocate(host.core(CORE), "collectives", 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("docs-2023")
                    .hasMessageContaining("device_mem/collectives");
        }
    }

    @Test
    void executionIncreasesTensorEngineCounters() throws IOException {
        try (FakeNeuronHost host = host("trn1.2xlarge", "driver-2.x")) {
            FakeProcess process = host.openProcess(host.core(CORE));

            // when
            process.execute(host.core(CORE), 16);

            // then: a register, so it moves while the process runs
            assertThat(read(host, CORE + "/stats/tensor_engine/pe_cntrs")).isEqualTo("""
                            xrow_grp,mm_active,wl_active,idle
                            0,976,0,22399024
                            1,976,0,22399024
                            2,976,0,22399024
                            3,976,0,22399024
                            """);
        }
    }

    @Test
    void hostListsRunningProcesses() {
        try (FakeNeuronHost host = host("trn1.2xlarge", "driver-2.30")) {
            FakeProcess first = host.openProcess("first", host.core("neuron0/neuron_core0"));
            FakeProcess second = host.openProcess("second", host.core(CORE));
            assertThat(host.processes()).containsExactly(first, second);

            // when
            first.close();

            // then
            assertThat(host.processes()).containsExactly(second);
            assertThat(first.alive()).isFalse();
            assertThat(second).hasToString("second (pid " + second.pid() + ")");
            assertThat(second.cores()).containsExactly(host.core(CORE));
        }
    }

    @Test
    void nameOfCoreIsNoNameOfProcess() {
        try (FakeNeuronHost host = host("trn1.2xlarge", "driver-2.30")) {
            for (Object[] others :
                    List.of(new Object[0], new Object[] {host.device(0).core(0)})) {
                assertThatThrownBy(() -> host.openProcess(CORE, others))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("the name of the process is missing before the core \"" + CORE
                                + "\": openProcess(\"neuron-app\", \"" + CORE + "\")");
            }
            assertThat(host.processes()).isEmpty();
        }
    }

    @Test
    void closingTheHostEndsProcessesAndRefusesUse() {
        FakeNeuronHost host = host("trn1.2xlarge", "driver-2.30");
        FakeProcess process = host.openProcess(host.core(CORE));

        // when
        host.close();
        host.close();

        // then
        assertThat(process.alive()).isFalse();
        assertThatThrownBy(host::directory).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> host.openProcess(host.core(CORE)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("trn1.2xlarge@driver-2.30 is closed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"driver-2.29", "driver-2.30"})
    void removedDeviceRefusesEveryUse(String layout) throws IOException {
        try (FakeNeuronHost host = host("trn1.2xlarge", layout)) {
            // given
            FakeCore core = host.core(CORE);
            FakeProcess process = host.openProcess(core);
            FakeAllocation memory = process.allocate(core, "tensors", 4096);
            host.device(0).remove();

            // when
            List<ThrowingCallable> uses = List.of(
                    () -> process.execute(core),
                    () -> process.load(core, 4096),
                    () -> process.allocate(core, "tensors", 4096),
                    () -> process.allocateHost(core, "tensors", 4096),
                    () -> process.free(memory));

            // then
            assertThat(uses)
                    .allSatisfy(use -> assertThatThrownBy(use)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("neuron0 is not present")
                            .hasMessageContaining("ENODEV"));

            // when
            host.device(0).restore();

            // then: as it was
            assertThat(process.alive()).isTrue();
            assertThat(counter(host, CORE + "/stats/memory_usage/device_mem")).isEqualTo("4096/4096");
            process.free(memory);
            process.close();
            assertThat(counter(host, CORE + "/stats/memory_usage/device_mem")).isEqualTo("0/4096");
            assertThat(counter(host, CORE + "/stats/status/success")).isEqualTo("0/0");
        }
    }

    @Test
    void processOnARemovedDeviceCanEnd() throws IOException {
        try (FakeNeuronHost host = host("trn1.2xlarge", "driver-2.29")) {
            // given
            FakeCore core = host.core(CORE);
            FakeProcess process = host.openProcess(core);
            process.execute(core, 2);
            host.device(0).remove();

            // when
            process.kill();
            host.device(0).restore();

            // then
            assertThat(counter(host, CORE + "/stats/status/success")).isEqualTo("2/2");
        }
    }
}
