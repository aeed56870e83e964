package dev.neurontest.fake.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the driver notifies, in which order, and what never: sysfs.md sections 2.1, 2.5 and 3.5. */
class NotificationTest {

    private static final String TENSORS = "neuron0/neuron_core0 device_mem/tensors ";

    private final List<String> notified = new ArrayList<>();

    private final DriverFixture host = DriverFixture.deferred("trn1.32xlarge");
    private final StoredCounter tensors = host.core(0, 0).deviceMemory(DeviceCategory.TENSORS);

    @BeforeEach
    void listen() {
        listen(host);
    }

    private DriverFixture listen(DriverFixture to) {
        to.driver.addNotificationListener(new NotificationListener() {
            @Override
            public void notified(NotifiedFile file) {
                notified.add(file.toString());
            }

            @Override
            public void removed(Device device) {
                notified.add(device + " removed");
            }
        });
        return to;
    }

    private static void switchOn(DriverFixture of) {
        of.driver.writeNotifyDelay("0".getBytes(StandardCharsets.US_ASCII));
    }

    // ---- order

    @Test
    void increaseNotifiesPeakIfItGrewThenTotalThenPresent() {
        switchOn(host);

        tensors.increase(8);

        assertThat(notified).containsExactly(TENSORS + "peak", TENSORS + "total", TENSORS + "present");
    }

    @Test
    void allValuesAreThereWhenTheFirstFileIsNotified() {
        switchOn(host);
        List<String> fields = new ArrayList<>();
        host.driver.addNotificationListener(new NotificationListener() {
            @Override
            public void notified(NotifiedFile file) {
                fields.add(DriverFixture.fields(tensors));
            }

            @Override
            public void removed(Device device) {}
        });

        // when
        tensors.increase(8);

        // then
        assertThat(fields).containsExactly("8/8/8", "8/8/8", "8/8/8");
    }

    @Test
    void allocationNotifiesTheCoresSumBeforeItsCategory() {
        RuntimeProcess process = host.open(host.core(0, 0));
        switchOn(host);

        // when
        Allocation allocation = process.allocate(host.core(0, 0), DeviceCategory.TENSORS, 1);

        // then
        String sum = "neuron0/neuron_core0 device_mem ";
        assertThat(notified)
                .containsExactly(
                        sum + "peak",
                        sum + "total",
                        sum + "present",
                        TENSORS + "peak",
                        TENSORS + "total",
                        TENSORS + "present");

        // when
        notified.clear();
        process.free(allocation);

        // then
        assertThat(notified).containsExactly(TENSORS + "total", TENSORS + "present", sum + "total", sum + "present");
    }

    // ---- the flag

    /** Something of everything that happens to a host. */
    private static void live(DriverFixture of) {
        Core core = of.core(0, 0);
        RuntimeProcess process = of.open(core);
        process.allocate(core, DeviceCategory.TENSORS, 1);
        process.allocate(core, HostCategory.DMA_BUFFERS, 1);
        process.execute(core, ExecutionCounter.SUCCESS, true, 2, 10, 10);
        process.end(false);
        core.counter(ExecutionCounter.SUCCESS).clear(Field.TOTAL);
        core.device().addEcc(EccRegister.SRAM_UNCORRECTED, 1);
        core.device().attributeWritten("info/serial_number");
        core.device().requestReset();
        core.device().draw(5000);
    }

    // ---- the datastore

    // ---- registers

    // ---- removal

    @Test
    void removalIsToldOnceAndComingBackIsNot() {
        Device device = host.core(2, 0).device();

        device.remove();
        device.loseToFault();
        device.remove();

        assertThat(notified).containsExactly("neuron2 removed");
        assertThat(device.removals()).isEqualTo(1);

        // when
        device.restore();
        device.returnFromFault();

        // then
        assertThat(notified).hasSize(1);
        assertThat(device.removals()).isEqualTo(1);
    }

    // ---- faults

    @Test
    void faultThatMovesAFieldNotifiesItAsAWriteWould() {
        DriverFixture live = listen(DriverFixture.live("trn2.3xlarge"));
        switchOn(host);
        switchOn(live);

        tensors.shift(Field.TOTAL, -8);
        live.core(0, 0).counter(ExecutionCounter.SUCCESS).shift(Field.TOTAL, 8);

        assertThat(notified).containsExactly(TENSORS + "total", "neuron0/neuron_core0 success total");
    }
}
