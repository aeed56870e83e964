package dev.neurontest.fake.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the driver notifies, in which order, and what never: sysfs.md sections 2.1, 2.5 and 3.5. */
class NotificationTest {

    private static final String TENSORS = "neuron0/neuron_core0 device_mem/tensors ";

    private final List<String> notified = new ArrayList<>();

    static Stream<DriverFixture> everyDriver() {
        return Stream.of(
                DriverFixture.deferred("trn2.3xlarge"),
                DriverFixture.health("trn2.3xlarge"),
                DriverFixture.live("trn2.3xlarge"));
    }

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
    void increaseBelowThePeakNotifiesTotalAndPresent() {
        tensors.increase(8);
        tensors.decrease(8);
        switchOn(host);

        // when
        tensors.increase(8);

        // then
        assertThat(notified).containsExactly(TENSORS + "total", TENSORS + "present");
    }

    @Test
    void decreaseNotifiesTotalThenPresent() {
        tensors.increase(8);
        switchOn(host);

        // when
        tensors.decrease(4);

        // then
        assertThat(notified).containsExactly(TENSORS + "total", TENSORS + "present");
    }

    @Test
    void changeByNothingNotifiesNothing() {
        switchOn(host);

        tensors.increase(0);
        tensors.decrease(0);
        tensors.raise(0);

        assertThat(notified).isEmpty();
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

    @ParameterizedTest
    @EnumSource(Field.class)
    void writeNotifiesTheWrittenFileAlone(Field field) {
        switchOn(host);

        tensors.clear(field);

        assertThat(notified).containsExactly(TENSORS + field.fileName());
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

    @ParameterizedTest
    @MethodSource("everyDriver")
    void nothingIsNotifiedWhenTheDriverIsLoaded(DriverFixture of) {
        listen(of);

        live(of);

        assertThat(notified).isNotEmpty().allMatch(file -> file.endsWith("hw_error_event"));
    }

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

    @Test
    void flagIsTheModules() {
        switchOn(host);

        host.core(15, 1).deviceMemory().increase(4);

        assertThat(notified).contains("neuron15/neuron_core1 device_mem total");
    }

    @Test
    void switchingOffEndsIt() {
        switchOn(host);
        host.driver.writeNotifyDelay("-1".getBytes(StandardCharsets.US_ASCII));

        tensors.increase(4);
        tensors.clear(Field.TOTAL);
        host.core(0, 0).device().attributeWritten("info/notify_delay");

        assertThat(notified).isEmpty();
    }

    @Test
    void writeToAPlainAttributeNotifiesItThoughItIsIgnored() {
        switchOn(host);

        host.core(3, 0).device().attributeWritten("info/serial_number");

        assertThat(notified).containsExactly("neuron3 info/serial_number");
    }

    // ---- the datastore

    @Test
    void whatAProcessCountsIsNotifiedWhenItLetsTheDeviceGo() {
        Core core = host.core(0, 0);
        RuntimeProcess process = host.open(core);
        switchOn(host);
        process.count(core, ExecutionCounter.SUCCESS, 3);
        assertThat(notified).isEmpty();

        // when
        process.end(false);

        // then
        String success = "neuron0/neuron_core0 success ";
        assertThat(notified).containsExactly(success + "peak", success + "total", success + "present");
    }

    @Test
    void fromDriver230OnWhatAProcessCountsIsNeverNotified() {
        DriverFixture live = listen(DriverFixture.live("trn2.3xlarge"));
        Core core = live.core(0, 0);
        RuntimeProcess process = live.open(core);
        switchOn(live);

        // when
        process.count(core, ExecutionCounter.SUCCESS, 3);
        process.execute(core, ExecutionCounter.TIMEOUT, true, 2, 10, 10);
        process.end(false);
        core.counter(ExecutionCounter.HW_ERROR).raise(2);

        // then
        assertThat(notified).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Field.class,
            names = {"TOTAL", "PRESENT"})
    void fromDriver230OnAWriteToSuchACounterStillNotifiesItsFile(Field field) {
        DriverFixture live = listen(DriverFixture.live("trn2.3xlarge"));
        switchOn(live);

        // when
        live.core(0, 0).counter(ExecutionCounter.SUCCESS).clear(field);

        // then
        assertThat(notified).containsExactly("neuron0/neuron_core0 success " + field.fileName());
    }

    @ParameterizedTest
    @MethodSource("everyDriver")
    void memoryAndResetsAreNotifiedByEveryDriver(DriverFixture of) {
        listen(of);
        switchOn(of);
        Core core = of.core(0, 0);

        // when
        RuntimeProcess process = of.open(core);
        process.allocate(core, DeviceCategory.TENSORS, 1);

        // then
        assertThat(notified)
                .containsSubsequence(
                        "neuron0/neuron_core0 reset_req_count total",
                        "neuron0/neuron_core0 reset_req_count present",
                        TENSORS + "total",
                        TENSORS + "present");
    }

    // ---- registers

    @ParameterizedTest
    @MethodSource("everyDriver")
    void hardwareErrorIsNotifiedWhateverTheFlagSays(DriverFixture of) {
        listen(of);
        Device device = of.core(0, 0).device();

        device.addEcc(EccRegister.MEM_UNCORRECTED, 2);
        switchOn(of);
        device.addEcc(EccRegister.SRAM_UNCORRECTED, 1);

        String event = "neuron0 stats/hardware/health_status/hw_error_event";
        assertThat(notified).containsExactly(event, event);
    }

    @ParameterizedTest
    @MethodSource("everyDriver")
    void registersPowerAndStateOfAResetAreNever(DriverFixture of) {
        listen(of);
        switchOn(of);
        Device device = of.core(0, 0).device();

        device.addEcc(EccRegister.MEM_CORRECTED, 1);
        device.takeBackEcc(EccRegister.MEM_UNCORRECTED, 1);
        device.draw(100);
        device.failNextReset();
        device.settle();

        assertThat(notified).isEmpty();
    }

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
