package dev.neurontest.fake;

import static dev.neurontest.fake.HostFixture.DEVICES;
import static dev.neurontest.fake.HostFixture.counter;
import static dev.neurontest.fake.HostFixture.host;
import static dev.neurontest.fake.HostFixture.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultTest {

    private static final String CORE = "neuron0/neuron_core1";
    private static final String SUCCESS = "stats/status/success/total";

    @AutoClose
    private final FakeNeuronHost host = host("trn2.3xlarge", "driver-2.x");

    private final FakeDevice device = host.device(0);
    private final FakeCore core = host.core(CORE);

    // ---- a reader of a file

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void readsBeforeTheFaultAreUnaffected(int reads) throws IOException {
        FakeFault fault = core.fault(Fault.errno(SUCCESS, Errno.EIO).afterReads(reads));

        for (int i = 0; i < reads; i++) {
            assertThat(read(host, CORE + "/" + SUCCESS)).isEqualTo("0\n");
            // reads of other files do not count
            assertThat(read(host, CORE + "/stats/status/failure/total")).isEqualTo("0\n");
        }
        assertThat(fault.triggered()).isFalse();
        assertThatThrownBy(() -> read(host, CORE + "/" + SUCCESS)).isInstanceOf(FakeErrnoException.class);
        assertThat(fault.triggered()).isTrue();
    }

    @Test
    void delayedFaultHasNoEffectBeforeItsReads() throws IOException {
        // when
        device.fault(Fault.empty("core_count").afterReads(1));
        device.fault(Fault.ecc("mem_uncorrected", 2).afterReads(1));

        // then: not even for a moment
        assertThat(host.journal())
                .anySatisfy(
                        entry -> assertThat(entry).endsWith("fault nothing in core_count (neuron0) waits for 1 reads"))
                .noneMatch(entry -> entry.contains("begins"));
        assertThat(read(host, "neuron0/stats/hardware/mem_ecc_uncorrected")).isEqualTo("0\n");
    }

    @Test
    void readOfASlowFileCanBeInterrupted() {
        core.fault(Fault.slow(SUCCESS, Duration.ofDays(1)));

        // when
        Thread.currentThread().interrupt();

        // then
        assertThatIOException()
                .isThrownBy(() -> read(host, CORE + "/" + SUCCESS))
                .withMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    // ---- the state

    @Test
    void statusFaultUsesTheCounterNameOfTheLayout() throws IOException {
        try (FakeNeuronHost older = host("trn1.2xlarge", "docs-2025")) {
            older.core(CORE).fault(Fault.statusRises("infer_failed_to_queue", 1));

            assertThat(counter(older, CORE + "/stats/status/infer_failed_to_queue"))
                    .isEqualTo("1/1");
            assertThatThrownBy(() -> older.core(CORE).fault(Fault.statusRises("execute_failed_to_queue", 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(DEVICES + CORE + "/stats/status/execute_failed_to_queue");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void eccRiseBelowOneIsRefused(long count) throws IOException {
        assertThatThrownBy(() -> device.ecc("mem_uncorrected", count))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("mem_ecc_uncorrected of neuron0 can only rise by 1 or more, not by " + count);
        assertThatThrownBy(() -> device.fault(Fault.ecc("mem_uncorrected", count)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("by 1 or more, not by " + count);
        assertThat(read(host, "neuron0/stats/hardware/mem_ecc_uncorrected")).isEqualTo("0\n");
    }

    @Test
    void eccCounterMissingFromTheLayoutIsRefused() {
        assertThatThrownBy(() -> device.ecc("mem_corrected", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("driver-2.x")
                .hasMessageContaining("mem_ecc_corrected");
        assertThatThrownBy(() -> device.fault(Fault.ecc("mem", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sram_uncorrected, mem_uncorrected");
    }

    @Test
    void healthFilesFollowEccErrors() throws IOException {
        try (FakeNeuronHost newest = host("trn2.3xlarge", "driver-2.30");
                FakeNeuronHost middle = host("trn2.3xlarge", "driver-2.28")) {
            String health = "neuron0/stats/hardware/health_status/";
            assertThat(read(newest, health + "unhealthy_components")).isEqualTo("\n");

            // when
            newest.device(0).ecc("mem_uncorrected", 3);
            newest.device(0).ecc("mem_corrected", 9);
            newest.device(0).ecc("sram_uncorrected", 1);
            middle.device(0).ecc("mem_uncorrected", 3);

            // then
            assertThat(read(newest, health + "unhealthy_components")).isEqualTo("hbm,sram\n");
            assertThat(read(newest, health + "hw_error_event")).isEqualTo("2\n");
            assertThat(read(middle, health + "hbm_ecc_err_count")).isEqualTo("3\n");
            assertThat(read(middle, health + "sram_ecc_err_count")).isEqualTo("0\n");
        }
    }

    @Test
    void faultOnComputedPresentIsRefused() {
        try (FakeNeuronHost newest = host("trn1.2xlarge", "driver-2.30")) {
            assertThatThrownBy(() -> newest.core(CORE).fault(Fault.cleared("stats/status/success/present")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("computed at each read");
        }
    }

    // ---- scope

    @Test
    void faultOfTheHostNamesFilesFromTheRoot() throws IOException {
        host.fault(Fault.garbage("sys/module/neuron/version", "unknown\n"));

        assertThat(new String(host.tree().read("sys/module/neuron/version"), StandardCharsets.UTF_8))
                .isEqualTo("unknown\n");
    }

    @Test
    void faultOfWrongScopeOrMissingFileIsRefused() {
        assertThatThrownBy(() -> host.fault(Fault.ecc("mem_uncorrected", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of a device, not of the host");
        assertThatThrownBy(() -> core.fault(Fault.ecc("mem_uncorrected", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not of neuron0/neuron_core1");
        assertThatThrownBy(() -> device.fault(Fault.statusRises("success", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of a core, not of neuron0");
        assertThatThrownBy(() -> core.fault(Fault.statusRises("success", 0)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> device.fault(Fault.empty("core_cuont")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(DEVICES + "neuron0/core_cuont");
        assertThatThrownBy(() -> device.fault(Fault.cleared("core_count")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("counter");
        assertThatThrownBy(() -> device.fault(Fault.empty("stats"))).isInstanceOf(IllegalArgumentException.class);
        FakeProcess process = host.openProcess(core);
        assertThatThrownBy(() -> host.fault(Fault.empty("proc/" + process.pid() + "/comm")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("exists only as long as its process");
        assertThatThrownBy(() -> host.fault(Fault.errno("dev/neuron0", Errno.EBUSY)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("dev/neuron0 is not a file of sysfs");
        assertThatThrownBy(() -> host.fault(Fault.empty("proc/devices")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("proc/devices is not a file of sysfs");
        // and nothing is left of them
        assertThat(host.journal()).noneMatch(entry -> entry.contains("fault"));
    }

    @Test
    void resetAllEndsFaultsButKeepsDeviceRemoved() throws IOException {
        try (FakeNeuronHost large = host("trn1.32xlarge", "driver-2.30")) {
            large.device(1).remove();
            large.device(3).fault(Fault.garbage("core_count", "x"));
            large.device(4).fault(Fault.empty("core_count").afterReads(5));

            // when
            large.resetAll();

            // then
            assertThat(large.device(1).present()).isFalse();
            assertThat(read(large, "neuron3/core_count")).isEqualTo("2");
            assertThat(large.journal())
                    .filteredOn(entry -> entry.contains("fault ") && entry.endsWith(" ends"))
                    .hasSize(2);
        }
    }

    @Test
    void journalRecordsFaults() {
        core.fault(Fault.statusRises("hw_error", 1)).close();

        assertThat(host.journal())
                .anySatisfy(entry -> assertThat(entry).endsWith("fault hw_error rises by 1 (" + CORE + ") begins"))
                .anySatisfy(entry -> assertThat(entry).endsWith(CORE + " hw_error up: total 1, present 1"))
                .anySatisfy(entry -> assertThat(entry).endsWith("fault hw_error rises by 1 (" + CORE + ") ends"));
    }
}
