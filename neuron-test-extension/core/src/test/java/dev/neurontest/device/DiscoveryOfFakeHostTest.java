package dev.neurontest.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.counter.FakeHostFixture;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.host.FileTree;
import dev.neurontest.host.NeuronSysfsException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Discovery against hosts that others wrote after the driver. */
class DiscoveryOfFakeHostTest {

    private static FakeNeuronHost start(String instance, String layout) {
        return FakeNeuronHost.builder().instance(instance).layout(layout).start();
    }

    private static NeuronHost discover(FakeNeuronHost fake) {
        return NeuronHost.discover(new FakeHostFixture(fake));
    }

    @ParameterizedTest
    @CsvSource({
        "inf1.xlarge, INF1, 1, 4, 4, IDENTITY",
        "inf1.2xlarge, INF1, 1, 4, 4, IDENTITY",
        "inf1.6xlarge, INF1, 4, 16, 16, IDENTITY",
        "inf1.24xlarge, INF1, 16, 64, 64, IDENTITY",
        "inf2.xlarge, INF2, 1, 2, 2, IDENTITY",
        "inf2.8xlarge, INF2, 1, 2, 2, IDENTITY",
        "inf2.24xlarge, INF2, 6, 12, 12, IDENTITY",
        "inf2.48xlarge, INF2, 12, 24, 24, IDENTITY",
        "trn1.2xlarge, TRN1, 1, 2, 2, IDENTITY",
        "trn1.32xlarge, TRN1, 16, 32, 32, IDENTITY",
        "trn1n.32xlarge, TRN1, 16, 32, 32, IDENTITY",
        "trn2.3xlarge, TRN2, 1, 8, 4, TRN2",
        "trn2.48xlarge, TRN2, 16, 128, 64, TRN2",
        "trn2u.48xlarge, TRN2, 16, 128, 64, TRN2",
        "trn3pd98.3xlarge, TRN3, 1, 8, 4, TRN2",
        "trn3e.24xlarge, TRN3, 4, 32, 16, TRN2",
        "trn3.48xlarge, TRN3, 16, 128, 64, TRN2",
        "trn3p.48xlarge, TRN3, 16, 128, 64, TRN2"
    })
    void findsWhatEveryInstanceTypeHas(
            String instance, Family family, int devices, int physicalCores, int cores, CoreMap map) {
        // given
        try (FakeNeuronHost fake = start(instance, "driver-2.x")) {
            // when
            NeuronHost host = discover(fake);

            // then
            assertThat(host.instanceType()).contains(instance);
            assertThat(host.devices()).hasSize(devices).allSatisfy(device -> {
                assertThat(device.architecture().family()).isEqualTo(family);
                assertThat(device.serialNumber().isPresent()).isEqualTo(family != Family.INF1);
                assertThat(device.ecc().containsKey("mem_ecc_uncorrected")).isEqualTo(family != Family.INF1);
                assertThat(device.resetState()).contains(ResetState.READY);
            });
            assertThat(host.devices())
                    .flatExtracting(NeuronDevice::physicalCores)
                    .hasSize(physicalCores)
                    .doesNotHaveDuplicates();
            assertThat(host.cores()).hasSize(cores);
            assertThat(host.coreMap()).isEqualTo(map);
            assertThat(host.notices()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "docs-2023, DEFERRED, UNREPORTED",
        "docs-2025, DEFERRED, UNREPORTED",
        "driver-2.x, DEFERRED, UNREPORTED",
        "driver-2.28, DEFERRED, UNREPORTED",
        "driver-2.29, DEFERRED, UNREPORTED",
        "driver-2.30, LIVE, HEALTHY"
    })
    void findsWhatEveryLayoutHas(String layout, DatastoreCounters counters, DeviceHealth.State health) {
        // given
        try (FakeNeuronHost fake = start("trn2.3xlarge", layout)) {
            // when
            NeuronHost host = discover(fake);

            // then
            assertThat(host.driverVersion()).map(DriverVersion::text).contains(fake.driverVersion());
            assertThat(host.datastoreCounters()).isEqualTo(counters);
            assertThat(host.cores()).hasSize(4);
            NeuronDevice device = host.devices().get(0);
            assertThat(device.architecture().family()).isEqualTo(Family.TRN2);
            assertThat(device.health().state()).isEqualTo(health);
            assertThat(device.connectedDevices()).isEmpty();
        }
    }

    @Test
    void findsTheSameInFiles() throws IOException {
        // given
        try (FakeNeuronHost fake = start("inf2.xlarge", "driver-2.x")) {
            // when
            NeuronHost host = NeuronHost.discover(FileTree.at(fake.directory()));

            // then
            assertThat(host.instanceType()).contains("inf2.xlarge");
            assertThat(host.cores())
                    .extracting(NeuronCore::name)
                    .containsExactly("neuron0/neuron_core0", "neuron0/neuron_core1");
            assertThat(host.devices().get(0).serialNumber())
                    .contains(fake.device(0).serialNumber());
            assertThat(host.notices()).isEmpty();
        }
    }

    @Test
    void findsTheLinksOfATorus() {
        // given
        try (FakeNeuronHost fake = start("trn1.32xlarge", "driver-2.28")) {
            // when
            NeuronHost host = discover(fake);

            // then
            assertThat(host.devices().get(0).connectedDevices()).containsExactly(1, 3, 4, 12);
            assertThat(host.devices().get(15).connectedDevices()).containsExactly(3, 11, 12, 14);
        }
    }

    @Test
    void leavesOutADeviceThatHasGone() {
        // given
        try (FakeNeuronHost fake = start("inf2.24xlarge", "driver-2.x")) {
            NeuronHost before = discover(fake);
            fake.device(3).remove();

            // when
            NeuronHost after = discover(fake);

            // then
            assertThat(after.devices()).extracting(NeuronDevice::index).containsExactly(0, 1, 2, 4, 5);
            assertThatExceptionOfType(NeuronSysfsException.class)
                    .isThrownBy(() -> before.devices().get(3).connectedDevices())
                    .withMessageContaining("neuron3/connected_devices");
        }
    }

    @Test
    void findsTheOwnersOfADevice() {
        // given
        try (FakeNeuronHost fake = start("inf2.24xlarge", "driver-2.x")) {
            NeuronHost host = discover(fake);
            FakeProcess server = fake.openProcess("server", fake.device(1).core(0));

            // then
            assertThat(host.owners())
                    .containsOnlyKeys(host.devices().get(1))
                    .containsValue(List.of(new ProcessOwner(server.pid(), "server")));

            // when
            server.close();

            // then
            assertThat(host.owners()).isEmpty();
        }
    }
}
