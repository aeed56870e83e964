package dev.neurontest.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a driver that keeps the names of nodes and moves them, as 2.31 does. */
class MovedNodesTest {

    @TempDir
    Path root;

    private HostFixture fixture;

    @BeforeEach
    void movedHost() {
        fixture = new HostFixture(root)
                .directory("")
                .sysfs("neuron0/about/arch_type", "NDv3\n")
                .sysfs("neuron0/about/instance_type", "Trn2\n")
                .sysfs("neuron0/about/device_name", "Trainium2\n")
                .sysfs("neuron0/about/core_count", "1")
                .sysfs("neuron0/cores/neuron_core0/about/arch_type", "NCv3\n");
    }

    private NeuronDevice device() {
        return fixture.host().devices().get(0);
    }

    @Test
    void findsTheCores() {
        // then
        assertThat(device().physicalCores())
                .containsExactly(
                        new PhysicalCore(0, 0, "sys/devices/virtual/neuron_device/neuron0/cores/neuron_core0"));
        assertThat(device().physicalCores().get(0)).hasToString("neuron0/neuron_core0");
    }

    @Test
    void readsFamily() {
        // then
        assertThat(device().architecture().family()).isEqualTo(Family.TRN2);
        assertThat(fixture.host().notices()).noneMatch(notice -> notice.contains("core_count"));
    }

    @Test
    void readsAttributes() {
        // given
        fixture.sysfs("neuron0/about/serial_number", "9ff5434815c8bd80\n")
                .sysfs("neuron0/links/connected_devices", "3, 1\n")
                .sysfs("neuron0/state/reset", "1\n");

        // then
        assertThat(device().serialNumber()).contains("9ff5434815c8bd80");
        assertThat(device().connectedDevices()).containsExactly(1, 3);
        assertThat(device().resetState()).contains(ResetState.READY);
    }

    @Test
    void readsErrorCounts() {
        // given
        fixture.sysfs("neuron0/errors/mem_ecc_uncorrected", "3\n");

        // then
        assertThat(device().ecc()).isEqualTo(Map.of("mem_ecc_uncorrected", 3L));
    }

    @Test
    void readsHealth() {
        // given
        fixture.sysfs("neuron0/unhealthy_components", "hbm\n")
                .sysfs("neuron0/state/health_status/hw_error_event", "2\n");

        // then
        DeviceHealth health = device().health();
        assertThat(health.state()).isEqualTo(DeviceHealth.State.UNHEALTHY);
        assertThat(health.unhealthyComponents()).isEqualTo(Set.of("hbm"));
        assertThat(health.counts()).containsEntry("hw_error_event", 2L);
    }

    @Test
    void prefersUsualPlaceOfNode() {
        // given
        fixture.sysfs("neuron0/info/serial_number", "9ff5434815c8bd80\n")
                .sysfs("neuron0/about/serial_number", "0000000000000001\n");

        // then
        assertThat(device().serialNumber()).contains("9ff5434815c8bd80");
    }

    @Test
    void namesThePlaceWhereAFileWasFound() {
        // given
        fixture.sysfs("neuron0/about/serial_number", "garbage\n");

        // then
        Assertions.assertThatExceptionOfType(NeuronSysfsException.class)
                .isThrownBy(() -> device().serialNumber())
                .withMessageContaining("neuron0/about/serial_number holds \"garbage\"");
    }

    @Test
    void ignoresNodeFoundInSeveralPlaces() {
        // given
        fixture.sysfs("neuron0/a/serial_number", "9ff5434815c8bd80\n")
                .sysfs("neuron0/b/serial_number", "0000000000000001\n");

        // then
        assertThat(device().serialNumber()).isEmpty();
    }

    @Test
    void followsNoLinkOutOfTheDevice() {
        // given
        fixture.sysfs("elsewhere/mem_ecc_uncorrected", "3\n")
                .link(NeuronHost.DEVICES + "/neuron0/errors", "../elsewhere")
                .link(NeuronHost.DEVICES + "/neuron0/state/mem_ecc_uncorrected", "../../elsewhere/mem_ecc_uncorrected");

        // then
        assertThat(device().ecc()).isEmpty();
    }
}
