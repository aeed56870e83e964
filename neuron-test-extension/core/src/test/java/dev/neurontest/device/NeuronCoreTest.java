package dev.neurontest.device;

import static dev.neurontest.device.HostFixture.Kind.TRN1;
import static dev.neurontest.device.HostFixture.Kind.TRN2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NeuronCoreTest {

    @TempDir
    Path root;

    @Test
    void isNamedAfterItsOnlyPhysicalCore() {
        // given
        NeuronHost host = new HostFixture(root).devices(TRN1, 0, 1).host();

        // then
        assertThat(host.cores().get(3).name()).isEqualTo("neuron1/neuron_core1");
    }

    @Test
    void isNamedByNumberWhenPhysicalCoresDiffer() {
        // given
        HostFixture fixture = new HostFixture(root).devices(TRN2, 0, 1, 2);

        // then
        assertThat(fixture.host().cores().get(8).name())
                .isEqualTo("core 8 (neuron2/neuron_core4, neuron2/neuron_core5)");
        assertThat(NeuronHost.discover(fixture.tree(), LogicalCoreSize.ONE)
                        .cores()
                        .get(8)
                        .name())
                .isEqualTo("core 8 (neuron1/neuron_core2)");
    }

    @Test
    void isPrintedWithoutItsNumber() {
        // given
        NeuronHost host = new HostFixture(root).devices(TRN1, 0, 1).host();

        // then
        assertThat(host.cores()).extracting(NeuronCore::toString).containsOnly("NeuronCore");
        assertThat(host.devices()).extracting(NeuronDevice::toString).containsOnly("NeuronDevice");
        assertThat(host).hasToString("NeuronHost");
    }

    @Test
    void equalsOnlyOnSameHost() {
        // given
        HostFixture fixture = new HostFixture(root).devices(TRN1, 0, 1);
        NeuronHost host = fixture.host();
        NeuronHost other = fixture.host();
        NeuronCore core = host.cores().get(2);

        // then
        assertThat(core)
                .isEqualTo(host.devices().get(1).cores().get(0))
                .hasSameHashCodeAs(host.devices().get(1).cores().get(0))
                .isNotEqualTo(host.cores().get(3))
                .isNotEqualTo(other.cores().get(2));
        assertThat(core.device())
                .isEqualTo(host.devices().get(1))
                .hasSameHashCodeAs(host.devices().get(1))
                .isNotEqualTo(other.devices().get(1));
    }

    @Test
    void physicalCoreHasSysfsDirectory() {
        // then
        assertThat(new PhysicalCore(0, 1).directory())
                .isEqualTo("sys/devices/virtual/neuron_device/neuron0/neuron_core1");
        assertThat(new PhysicalCore(0, 1)).hasToString("neuron0/neuron_core1");
    }

    @Test
    void physicalCoresAreSortedNumerically() {
        // then
        assertThat(List.of(new PhysicalCore(10, 0), new PhysicalCore(2, 7), new PhysicalCore(2, 1)).stream()
                        .sorted())
                .containsExactly(new PhysicalCore(2, 1), new PhysicalCore(2, 7), new PhysicalCore(10, 0));
    }

    @Test
    void hasOneOrTwoPhysicalCores() {
        // then
        assertThat(LogicalCoreSize.of(1)).isEqualTo(LogicalCoreSize.ONE);
        assertThat(LogicalCoreSize.of(2)).isEqualTo(LogicalCoreSize.TWO);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogicalCoreSize.of(4))
                .withMessage("a logical core has 1 or 2 physical cores, not 4");
    }
}
