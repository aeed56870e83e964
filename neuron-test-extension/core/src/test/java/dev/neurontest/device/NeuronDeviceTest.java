package dev.neurontest.device;

import static dev.neurontest.device.HostFixture.Kind.INF1;
import static dev.neurontest.device.HostFixture.Kind.INF2;
import static dev.neurontest.device.HostFixture.Kind.TRN2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NeuronDeviceTest {

    @TempDir
    Path root;

    private HostFixture fixture;

    @BeforeEach
    void host() {
        fixture = new HostFixture(root).devices(INF2, 0);
    }

    private NeuronDevice device() {
        return fixture.host().devices().get(0);
    }

    private NeuronSysfsException corrupt(String file, String content, ThrowingCallable reading) {
        NeuronSysfsException thrown = assertThatExceptionOfType(NeuronSysfsException.class)
                .isThrownBy(reading)
                .actual();
        assertThat(thrown.location()).isEqualTo(fixture.location(path(file)));
        assertThat(thrown.content()).isEqualTo(content);
        assertThat(thrown).hasMessageContaining(thrown.location()).hasMessageContaining("expected");
        return thrown;
    }

    private static String path(String file) {
        return NeuronHost.DEVICES + "/neuron0/" + file;
    }

    @Test
    void hasDirectoryAndName() {
        // then
        assertThat(device().directory()).isEqualTo("sys/devices/virtual/neuron_device/neuron0");
        assertThat(device().name()).isEqualTo("neuron0");
    }

    @Nested
    class Serial {

        private static final String FILE = "info/serial_number";

        @Test
        void isSixteenDigits() {
            // given
            fixture.sysfs("neuron0/" + FILE, "00f5434815c8bd80\n");

            // then
            assertThat(device().serialNumber()).contains("00f5434815c8bd80");
        }

        @ParameterizedTest
        @ValueSource(strings = {"\n", "", "\0"})
        void isAbsentWhereTheDriverCouldNotReadIt(String content) {
            // given
            fixture.sysfs("neuron0/" + FILE, content);

            // then
            assertThat(device().serialNumber()).isEmpty();
        }

        @Test
        void isAbsentWhereTheDeviceHasNone() {
            // then
            assertThat(device().serialNumber()).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"deadbeef", "0x00f5434815c8bd80", "busy", "00F5434815C8BD80"})
        void isRefusedForInvalidContent(String content) {
            // given
            fixture.sysfs("neuron0/" + FILE, content);

            // then
            corrupt(FILE, content, () -> device().serialNumber());
        }
    }

    @Nested
    class ConnectedDevices {

        private static final String FILE = "connected_devices";

        @ParameterizedTest
        @ValueSource(strings = {"12, 3, 4, 1\n", "12, 1, 3, 4\n", "12,1,3,4", "4, 12, 1, 3\n"})
        void areReadInAnyOrder(String content) {
            // given
            fixture.sysfs("neuron0/" + FILE, content);

            // then
            assertThat(device().connectedDevices()).containsExactly(1, 3, 4, 12);
        }

        @Test
        void areNoneInAnEmptyLine() {
            // given
            fixture.sysfs("neuron0/" + FILE, "\n");

            // then
            assertThat(device().connectedDevices()).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "\0", "1, -2\n", "1, , 2\n", "busy\n", "1 2\n", "18446744073709551615\n"})
        void areRefusedForInvalidContent(String content) {
            // given no content (too long for the driver), or one NUL (unknown on Inf1)
            fixture.sysfs("neuron0/" + FILE, content);

            // then
            corrupt(FILE, content, () -> device().connectedDevices());
        }

        @Test
        void adviseRootWhenAccessIsDenied() {
            // given
            fixture.mode("neuron0/" + FILE, "r--------").failing(path(FILE), new AccessDeniedException(path(FILE)));

            // then
            assertThatExceptionOfType(NeuronSysfsException.class)
                    .isThrownBy(() -> device().connectedDevices())
                    .withMessageContaining(fixture.location(path(FILE)) + " could not be read")
                    .withMessageEndingWith("It is mode 0400: requests for connected cores need root or driver 2.28.");
        }

        @Test
        void areNotShownByOldDrivers() {
            // given
            fixture.without("neuron0/" + FILE);

            // then
            assertThatExceptionOfType(NeuronSysfsException.class)
                    .isThrownBy(() -> device().connectedDevices())
                    .withMessageContaining("need driver 2.13.4 or later");
        }

        @Test
        void failWhenDeviceDisappears() {
            // given
            fixture.failing(path(FILE), new IOException("No such device"));

            // then
            assertThatExceptionOfType(NeuronSysfsException.class)
                    .isThrownBy(() -> device().connectedDevices())
                    .withMessageContaining("No such device")
                    .withMessageContaining("The device may be gone");
        }
    }

    @Nested
    class Ecc {

        private static final String HARDWARE = "stats/hardware/";

        @Test
        void isReadForEveryCounter() {
            // given
            fixture.sysfs("neuron0/" + HARDWARE + "sram_ecc_uncorrected", "1\n")
                    .sysfs("neuron0/" + HARDWARE + "mem_ecc_uncorrected", "2\n")
                    .sysfs("neuron0/" + HARDWARE + "mem_ecc_repairable_uncorrected", "0\n")
                    .sysfs("neuron0/" + HARDWARE + "sram_ecc_corrected", "4\n")
                    .sysfs("neuron0/" + HARDWARE + "mem_ecc_corrected", "0xFFFF\n");

            // then
            assertThat(device().ecc())
                    .containsOnly(
                            entry("sram_ecc_uncorrected", 1L),
                            entry("mem_ecc_uncorrected", 2L),
                            entry("mem_ecc_repairable_uncorrected", 0L),
                            entry("sram_ecc_corrected", 4L),
                            entry("mem_ecc_corrected", 65535L));
            assertThat(device().uncorrectedErrors())
                    .containsOnlyKeys("sram_ecc_uncorrected", "mem_ecc_uncorrected", "mem_ecc_repairable_uncorrected");
        }

        @Test
        void includesCountersOfNewerDrivers() {
            // given files that no known driver has
            fixture.sysfs("neuron0/" + HARDWARE + "cache_ecc_uncorrectable", "5\n")
                    .sysfs("neuron0/" + HARDWARE + "health_status/hbm_ecc_err_count", "6\n");

            // then
            assertThat(device().uncorrectedErrors()).containsOnly(entry("cache_ecc_uncorrectable", 5L));
        }

        @Test
        void isAbsentNotZeroWhereThereIsNoFile() {
            // given an older driver
            fixture.sysfs("neuron0/" + HARDWARE + "mem_ecc_uncorrected", "0\n");

            // then
            assertThat(device().ecc()).containsOnly(entry("mem_ecc_uncorrected", 0L));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "\n",
                    "\0",
                    "busy\n",
                    "-1\n",
                    "+1\n",
                    "1 2\n",
                    "0x\n",
                    "0xg\n",
                    "0x8000000000000000\n",
                    "0x1ffffffffffffffff\n",
                    "9223372036854775808\n",
                    "18446744073709551615\n",
                    "99999999999999999999999999\n",
                    "\u0661\n"
                })
        void isRefusedForInvalidCount(String content) {
            // given
            String file = HARDWARE + "mem_ecc_uncorrected";
            fixture.sysfs("neuron0/" + file, content);

            // then the bytes are shown as they are
            corrupt(file, latin1(content), () -> device().ecc());
        }

        private static String latin1(String content) {
            return new String(content.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        }

        @Test
        void namesUnreadableFile() {
            // given
            String file = path(HARDWARE + "mem_ecc_uncorrected");
            fixture.sysfs("neuron0/" + HARDWARE + "mem_ecc_uncorrected", "0\n")
                    .failing(file, new IOException("Input/output error"));

            // then
            assertThatExceptionOfType(NeuronSysfsException.class)
                    .isThrownBy(() -> device().ecc())
                    .withMessageContaining(fixture.location(file))
                    .withMessageContaining("Input/output error")
                    .satisfies(thrown -> assertThat(thrown.content()).isNull());
        }
    }

    @Nested
    class Health {

        private static final String DIRECTORY = "neuron0/stats/hardware/health_status/";

        @Test
        void isUnreportedByOldDrivers() {
            // then
            assertThat(device().health().state()).isEqualTo(DeviceHealth.State.UNREPORTED);
            assertThat(device().health().counts()).isEmpty();
        }

        @Test
        void isOnlyCountedByDriver228() {
            // given
            fixture.sysfs(DIRECTORY + "hbm_ecc_err_count", "1\n").sysfs(DIRECTORY + "hw_error_event", "2\n");

            // when
            DeviceHealth health = device().health();

            // then
            assertThat(health.state()).isEqualTo(DeviceHealth.State.UNREPORTED);
            assertThat(health.counts())
                    .containsExactlyEntriesOf(new TreeMap<>(Map.of("hbm_ecc_err_count", 1L, "hw_error_event", 2L)));
        }

        @Test
        void isGoodWhenNothingIsListed() {
            // given
            fixture.sysfs(DIRECTORY + "unhealthy_components", "\n")
                    .sysfs(DIRECTORY + "healthcheck_heartbeat", "77\n")
                    .sysfs(DIRECTORY + "hw_error_event", "0\n");

            // when
            DeviceHealth health = device().health();

            // then
            assertThat(health.state()).isEqualTo(DeviceHealth.State.HEALTHY);
            assertThat(health.heartbeat()).hasValue(77);
            assertThat(health.unhealthyComponents()).isEmpty();
        }

        @Test
        void namesBrokenComponents() {
            // given
            fixture.sysfs(DIRECTORY + "unhealthy_components", "sram,hbm\n");

            // when
            DeviceHealth health = device().health();

            // then
            assertThat(health.state()).isEqualTo(DeviceHealth.State.UNHEALTHY);
            assertThat(health.unhealthyComponents()).containsExactly("hbm", "sram");
        }

        @ParameterizedTest
        @CsvSource({"unhealthy_components", "healthcheck_heartbeat"})
        void isUnreachableWhenEitherFileReportsIt(String file) {
            // given
            fixture.sysfs(DIRECTORY + "unhealthy_components", "\n")
                    .sysfs(DIRECTORY + "healthcheck_heartbeat", "77\n")
                    .sysfs(DIRECTORY + file, "device_unreachable\n");

            // then
            assertThat(device().health().state()).isEqualTo(DeviceHealth.State.UNREACHABLE);
        }

        @ParameterizedTest
        @CsvSource({
            "unhealthy_components,''",
            "unhealthy_components,'hbm;sram'",
            "healthcheck_heartbeat,''",
            "healthcheck_heartbeat,-1",
            "hw_error_event,garbage"
        })
        void isRefusedWhenFileIsInvalid(String file, String content) {
            // given
            fixture.sysfs(DIRECTORY + file, content);

            // then
            corrupt("stats/hardware/health_status/" + file, content, () -> device().health());
        }
    }

    @Nested
    class Reset {

        @ParameterizedTest
        @CsvSource({"0,RESETTING", "1,READY", "2,FAILED"})
        void isReadFromNumber(String number, ResetState state) {
            // given
            fixture.sysfs("neuron0/reset", number + "\n");

            // then
            assertThat(device().resetState()).contains(state);
        }

        @Test
        void isAbsentWhereThereIsNoFile() {
            // then
            assertThat(device().resetState()).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "\n", "3\n", "-1\n", "ready\n"})
        void isRefusedForInvalidContent(String content) {
            // given
            fixture.sysfs("neuron0/reset", content);

            // then
            corrupt("reset", content, () -> device().resetState());
        }

        @Test
        void requiresRoot() {
            // given
            fixture.sysfs("neuron0/reset", "1\n").failing(path("reset"), new AccessDeniedException(path("reset")));

            // then
            assertThatExceptionOfType(NeuronSysfsException.class)
                    .isThrownBy(() -> device().resetState())
                    .withMessageEndingWith("Reading it needs root.");
        }
    }

    @Test
    void hasNoSerialEccAndHealthOnInf1() {
        // given
        HostFixture inf1 = new HostFixture(root.resolve("other")).directory("").devices(INF1, 0);

        // when
        NeuronDevice device = inf1.host().devices().get(0);

        // then
        assertThat(device.serialNumber()).isEmpty();
        assertThat(device.ecc()).isEmpty();
        assertThat(device.health().state()).isEqualTo(DeviceHealth.State.UNREPORTED);
    }

    @Test
    void rereadsResetStateEachTime() {
        // given
        HostFixture trn2 = new HostFixture(root.resolve("other")).directory("").devices(TRN2, 0);
        NeuronDevice device = trn2.host().devices().get(0);
        assertThat(device.resetState()).isEmpty();

        // when
        trn2.sysfs("neuron0/reset", "0\n");

        // then
        assertThat(device.resetState()).contains(ResetState.RESETTING);
    }
}
