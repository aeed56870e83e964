package dev.neurontest.fake.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.internal.driver.instance.InstanceType;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DriverTest {

    private final DriverFixture host = DriverFixture.deferred("trn1.32xlarge");
    private final Driver driver = host.driver;

    @Test
    void processNeedsAtLeastOneCoreAndEachOnce() {
        assertThatThrownBy(host::open).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> host.open(host.core(0, 0), host.core(0, 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("neuron0/neuron_core0");
    }

    @Test
    void openWithARemovedDeviceAcquiresNoCores() {
        // given
        driver.devices().get(1).remove();

        assertThatThrownBy(() -> host.open(host.core(0, 0), host.core(1, 0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("neuron1")
                .hasMessageContaining("ENODEV");
        assertThat(driver.processes()).isEmpty();
        assertThat(host.open(host.core(0, 0)).alive()).isTrue();
    }

    @Test
    void journalKeepsTheLastEntriesInOrder() {
        // given
        Journal journal = driver.journal();

        // when
        for (int i = 0; i < Journal.CAPACITY + 5; i++) {
            journal.add("entry " + i);
        }

        // then
        List<JournalEntry> entries = journal.entries();
        assertThat(entries).hasSize(Journal.CAPACITY);
        assertThat(entries.get(0).what()).isEqualTo("entry 5");
        assertThat(entries.get(entries.size() - 1).toString())
                .isEqualTo("2026-11-21T09:00:10Z entry " + (Journal.CAPACITY + 4));
    }

    @Test
    void journalNamesProcessActionAndCounter() {
        // given
        Core core = host.core(2, 1);
        RuntimeProcess process = host.open(core);
        process.count(core, ExecutionCounter.HW_ERROR, 2);
        process.allocate(core, DeviceCategory.TENSORS, 100);

        // when
        process.end(true);

        // then
        assertThat(driver.journal().entries().stream().map(entry -> entry.what().toString()))
                .containsSubsequence(
                        "trainer (pid 1001) takes [neuron2/neuron_core1]",
                        "trainer (pid 1001) counts neuron2/neuron_core1 hw_error +2 in its datastore",
                        "trainer (pid 1001) makes allocation 1: 4096 bytes of device memory for tensors on"
                                + " neuron2/neuron_core1",
                        "neuron2/neuron_core1 device_mem/tensors up: total 4096, present 4096",
                        "trainer (pid 1001) is killed",
                        "neuron2/neuron_core1 hw_error up: total 2, present 2",
                        "neuron2/neuron_core1 device_mem/tensors down: total 0, present 4096");
    }

    @Test
    void serialNumbersAreFixedAndDiffer() {
        Set<Long> serials = new HashSet<>();
        for (InstanceType type : InstanceType.all()) {
            DriverFixture one = DriverFixture.deferred(type.name());
            DriverFixture another = DriverFixture.deferred(type.name());
            for (Device device : one.driver.devices()) {
                long serial = device.serialNumber();
                serials.add(serial);
                assertThat(serial)
                        .isEqualTo(another.driver.devices().get(device.index()).serialNumber());
                // The driver prints nothing for halves that look like a failed read.
                assertThat(serial >>> 32).isNotIn(0L, 0xdeadbeefL);
                assertThat(serial & 0xFFFFFFFFL).isNotIn(0L, 0xdeadbeefL);
            }
        }
        assertThat(serials)
                .hasSize(InstanceType.all().stream()
                        .mapToInt(InstanceType::devices)
                        .sum());
    }

    @Test
    void repairableErrorsExistSinceArchitectureThree() {
        assertThatThrownBy(() -> driver.devices().get(0).addEcc(EccRegister.MEM_REPAIRABLE_UNCORRECTED, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Trn1");

        Device newer = DriverFixture.live("trn2.3xlarge").driver.devices().get(0);
        newer.addEcc(EccRegister.MEM_REPAIRABLE_UNCORRECTED, 1);
        assertThat(newer.ecc(EccRegister.MEM_REPAIRABLE_UNCORRECTED)).isEqualTo(1);
    }

    @Test
    void unknownInstanceTypeIsRefusedWithSimilarOnes() {
        assertThatThrownBy(() -> InstanceType.named("p5.48xlarge"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "no instance type \"p5.48xlarge\"; did you mean inf2.48xlarge, trn2.48xlarge or trn3.48xlarge?"
                                + " All are listed by fake-sysfs list, or neuron-test fake list");
    }
}
