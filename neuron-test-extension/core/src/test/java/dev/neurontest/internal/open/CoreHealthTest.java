package dev.neurontest.internal.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.counter.SettleOptions;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.lease.DeviceReading;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.Quarantine.Until;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of cores in quarantine, for each condition that ends it and for readings of the device since. */
class CoreHealthTest {

    private static final String BOOT = "proc/sys/kernel/random/boot_id";

    @TempDir
    Path root;

    private HostFixture device() {
        return new HostFixture(root)
                .devices(HostFixture.Kind.TRN1, 0)
                .file("sys/module/neuron/version", "2.30.2.0\n")
                .file(BOOT, "first\n")
                .sysfs("neuron0/info/serial_number", "00000000000000aa\n")
                .sysfs("neuron0/stats/hardware/sram_ecc_uncorrected", "0\n")
                .sysfs("neuron0/stats/hardware/mem_ecc_uncorrected", "0\n")
                .sysfs("neuron0/stats/hardware/mem_ecc_repairable_uncorrected", "0\n")
                .sysfs("neuron0/neuron_core0/stats/other_info/reset_fail_count/total", "0\n")
                .sysfs("neuron0/neuron_core1/stats/other_info/reset_fail_count/total", "0\n");
    }

    private static NeuronCore core(HostFixture host) {
        return host.host().cores().get(0);
    }

    private static DeviceReading reading(HostFixture host) {
        return DeviceReading.of(core(host).device());
    }

    private static Optional<String> trouble(HostFixture host, Until until, DeviceReading then) {
        NeuronHost now = host.host();
        CoreHealth health = new CoreHealth(new CounterScopes(now), SettleOptions.IN_PROCESS, false);
        return health.trouble(
                now.cores().get(0),
                new Quarantine("neuron0/neuron_core0", "status 5", "test", 999_999_999, Instant.EPOCH, until, then));
    }

    /** Returns a reading without a value, as for a driver or user that does not show it. */
    private static DeviceReading without(DeviceReading reading, String value) {
        SortedMap<String, String> values = new TreeMap<>(reading.values());
        assertThat(values.remove(value)).as(value).isNotNull();
        return new DeviceReading(values);
    }

    @Test
    void readsAllValuesOfTheTable() {
        // when
        DeviceReading reading = reading(device());

        // then
        assertThat(reading.values())
                .containsKeys(
                        "serial",
                        "driver",
                        "sram_ecc_uncorrected",
                        "mem_ecc_uncorrected",
                        "mem_ecc_repairable_uncorrected",
                        "reset_fail_count");
        assertThat(DeviceReading.parse(reading.toString())).isEqualTo(reading);
    }

    @ParameterizedTest
    @EnumSource(
            value = Until.class,
            names = {"IDLE", "WELL"})
    void findsNoTroubleWhereNothingHasChanged(Until until) {
        // given
        HostFixture host = device();

        // then
        assertThat(trouble(host, until, reading(host))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "neuron0/stats/hardware/sram_ecc_uncorrected, sram_ecc_uncorrected was 0 and is 2: replace the instance",
        "neuron0/stats/hardware/mem_ecc_uncorrected, mem_ecc_uncorrected was 0 and is 2: replace the instance",
        "neuron0/stats/hardware/mem_ecc_repairable_uncorrected, mem_ecc_repairable_uncorrected was 0 and is 2: reload the driver",
        "neuron0/neuron_core1/stats/other_info/reset_fail_count/total, reset_fail_count was 0 and is 2: reload the driver"
    })
    void keepsSuspectInQuarantineAfterNewError(String counter, String trouble) {
        // given
        HostFixture host = device();
        DeviceReading then = reading(host);

        // when
        host.sysfs(counter, "2\n");

        // then
        assertThat(trouble(host, Until.WELL, then)).contains(trouble);
        assertThat(trouble(host, Until.IDLE, then)).isEmpty();
    }

    @Test
    void keepsCoreInQuarantineUntilDeviceIsReplaced() {
        // given
        HostFixture host = device();
        DeviceReading then = reading(host);
        assertThat(trouble(host, Until.REPLACED, then))
                .contains("it is still the device with serial number 00000000000000aa");

        // when the host was restarted, which does not help
        host.file(BOOT, "second\n");
        assertThat(trouble(host, Until.REPLACED, then)).isPresent();
        host.sysfs("neuron0/info/serial_number", "00000000000000bb\n");

        // then
        assertThat(trouble(host, Until.REPLACED, then)).isEmpty();
    }

    @Test
    void keepsCoreInQuarantineWhenSerialNumberIsUnreadable() {
        // given
        HostFixture host = device();
        DeviceReading then = without(reading(host), "serial");

        // then
        assertThat(trouble(host, Until.REPLACED, then))
                .hasValueSatisfying(trouble -> assertThat(trouble)
                        .contains(
                                "its serial number cannot be read", "neuron-test doctor --free=neuron0/neuron_core0"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Until.class,
            names = {"RELOAD", "RESET"})
    void freesCoreAfterDriverReload(Until until) {
        // given
        HostFixture host = device();
        DeviceReading then = reading(host);
        assertThat(trouble(host, until, then)).isPresent();

        // when the host was restarted
        host.file(BOOT, "second\n");

        // then
        assertThat(trouble(host, until, then)).isEmpty();
    }

    @Test
    void keepsCoreInQuarantineWhenDriverStartIsUnreadable() {
        // given
        HostFixture host = device();
        DeviceReading then = without(reading(host), "driver");

        // then
        assertThat(trouble(host, Until.RELOAD, then))
                .hasValueSatisfying(trouble -> assertThat(trouble)
                        .contains("whether the driver was reloaded cannot be read", "neuron-test doctor --free="));
    }

    @Test
    void advisesResetSettingWhenResetIsNotAllowed() {
        // given
        HostFixture host = device();

        // then
        assertThat(trouble(host, Until.RESET, reading(host)))
                .hasValueSatisfying(trouble -> assertThat(trouble).contains("neuron.test.quarantine.reset=true"));
    }
}
