package dev.neurontest.fake;

import static dev.neurontest.fake.HostFixture.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FakeNeuronHostTest {

    @Test
    void newestLayoutIsTheDefault() {
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("inf2.48xlarge").start()) {
            assertThat(host.layout()).isEqualTo("driver-2.30");
            assertThat(host).hasToString("inf2.48xlarge@driver-2.30");
            assertThat(host.devices()).hasSize(12);
            assertThat(host.device(11).core(1)).hasToString("neuron11/neuron_core1");
            assertThat(host.device("neuron7")).isSameAs(host.device(7));
            assertThat(host.core("neuron7/neuron_core1"))
                    .isSameAs(host.device(7).core(1));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "inf1.xlarge, driver-2.x, 2.24.7.0",
        "inf1.24xlarge, driver-2.x, 2.24.7.0",
        "trn1.2xlarge, driver-2.30, 2.30.2.0",
        "trn3.48xlarge, driver-2.30, 2.30.2.0"
    })
    void defaultLayoutIsTheNewestThatSupportsTheType(String instance, String layout, String driver) {
        try (FakeNeuronHost host = FakeNeuronHost.builder().instance(instance).start()) {
            assertThat(host).hasToString(instance + '@' + layout);
            assertThat(host.driverVersion()).isEqualTo(driver);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "inf1.6xlarge | docs-2023,docs-2025,driver-2.x",
                "inf2.xlarge | docs-2023,docs-2025,driver-2.x,driver-2.27,driver-2.28,driver-2.29,driver-2.30",
                "trn1n.32xlarge | docs-2023,docs-2025,driver-2.x,driver-2.27,driver-2.28,driver-2.29,driver-2.30",
                "trn2.3xlarge | docs-2025,driver-2.x,driver-2.27,driver-2.28,driver-2.29,driver-2.30",
                "trn3e.24xlarge | driver-2.x,driver-2.27,driver-2.28,driver-2.29,driver-2.30"
            })
    void layoutsAreThoseWhoseDriverSupportsTheType(String instance, String layouts) {
        assertThat(FakeNeuronHost.layouts(instance)).containsExactly(layouts.split(","));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "inf1.xlarge | driver-2.27 | 2.27.4.0: drivers from 2.25.4 on do not support Inf1;"
                        + " use one of docs-2023, docs-2025, driver-2.x",
                "inf1.xlarge | driver-2.30 | 2.30.2.0: drivers from 2.25.4 on do not support Inf1;"
                        + " use one of docs-2023, docs-2025, driver-2.x",
                "inf1.xlarge | moved-deeper | 2.99.1.0: drivers from 2.25.4 on do not support Inf1;"
                        + " use one of docs-2023, docs-2025, driver-2.x",
                "trn2.3xlarge | docs-2023 | 2.15.9.0: drivers before 2.16.7 do not support Trn2;"
                        + " use one of docs-2025, driver-2.x, driver-2.27, driver-2.28, driver-2.29, driver-2.30",
                "trn3pd98.3xlarge | docs-2025 | 2.18.12.0: drivers before 2.25.4 do not support Trn3;"
                        + " use one of driver-2.x, driver-2.27, driver-2.28, driver-2.29, driver-2.30"
            })
    void refusesLayoutWhoseDriverDoesNotSupportTheType(String instance, String layout, String reason) {
        FakeNeuronHost.Builder builder =
                FakeNeuronHost.builder().instance(instance).layout(layout);

        assertThatThrownBy(builder::start)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("%s cannot have layout \"%s\" with driver %s", instance, layout, reason);
    }

    @Test
    void refusalOfUnknownNamesListsKnownOnes() {
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("inf2.48xlarge").start()) {
            assertThatThrownBy(() -> host.device(12))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("12 devices");
            assertThatThrownBy(() -> host.device("neuron12"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("neuron0 to neuron11");
            assertThatThrownBy(() -> host.device(0).core(2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("neuron0 has 2 cores");
            assertThatThrownBy(() -> host.core("neuron0"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("neuron11/neuron_core1");
        }
        assertThatThrownBy(() -> FakeNeuronHost.builder().layout("driver-3").start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "no layout \"driver-3\"; did you mean driver-2.x, driver-2.30 or driver-2.27? All are listed by fake-sysfs list, or neuron-test fake list");
        assertThatThrownBy(() -> FakeNeuronHost.builder().instance("trn1").start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("did you mean trn1.2xlarge, ");
    }

    @Nested
    class ReloadDriver {

        private static final String DEVICE = "sys/devices/virtual/neuron_device/neuron0";

        @ParameterizedTest
        @ValueSource(strings = {"driver-2.29", "driver-2.30"})
        void setsCountersToThoseOfAFreshDriver(String layout) throws IOException {
            try (FakeNeuronHost host = FakeNeuronHost.builder().layout(layout).start();
                    FakeNeuronHost fresh =
                            FakeNeuronHost.builder().layout(layout).start()) {
                try (FakeProcess process = host.openProcess(host.core("neuron0/neuron_core0"))) {
                    process.execute(host.core("neuron0/neuron_core0"), 5);
                    process.allocate(host.core("neuron0/neuron_core0"), "tensors", 8192);
                }

                host.reloadDriver();

                for (String file : List.of(
                        "neuron0/neuron_core0/stats/status/success/total",
                        "neuron0/neuron_core0/stats/other_info/inference_count/total",
                        "neuron0/neuron_core0/stats/other_info/reset_req_count/total",
                        "neuron0/neuron_core0/stats/memory_usage/device_mem/total",
                        "neuron0/neuron_core0/stats/memory_usage/device_mem/peak",
                        "neuron0/neuron_core0/stats/memory_usage/host_mem/total",
                        "neuron0/stats/memory_usage/host_mem/driver_memory/total")) {
                    assertThat(read(host, file)).as(file).isEqualTo(read(fresh, file));
                }
            }
        }

        @Test
        void keepsRegistersOfTheHardware() throws IOException {
            try (FakeNeuronHost host = FakeNeuronHost.builder().start()) {
                host.device(0).ecc("mem_uncorrected", 3);

                host.reloadDriver();

                assertThat(read(host, "neuron0/stats/hardware/mem_ecc_uncorrected"))
                        .isEqualTo("3\n");
            }
        }

        @Test
        void createsNewDirectoriesInEachView() throws IOException {
            try (FakeNeuronHost host = FakeNeuronHost.builder().start()) {
                int generation = host.tree().stat(DEVICE).generation();
                int module = host.tree().stat("sys/module/neuron").generation();
                Object key = Files.readAttributes(host.directory().resolve(DEVICE), BasicFileAttributes.class)
                        .fileKey();

                host.reloadDriver();
                host.awaitPublished();

                assertThat(host.tree().stat(DEVICE).generation()).isNotEqualTo(generation);
                assertThat(host.tree().stat("sys/module/neuron").generation()).isNotEqualTo(module);
                assertThat(Files.readAttributes(host.directory().resolve(DEVICE), BasicFileAttributes.class)
                                .fileKey())
                        .isNotEqualTo(key);
            }
        }

        @Test
        void createsDirectoryWithNewInodeEachTime(@TempDir(factory = TempDirFactory.Standard.class) Path onDisk)
                throws IOException {
            try (FakeNeuronHost host = FakeNeuronHost.builder().folder(onDisk).start()) {
                Path device = host.directory().resolve(DEVICE);
                Set<Object> inodes = new HashSet<>();
                for (int load = 0; load < 4; load++) {
                    inodes.add(Files.getAttribute(device, "unix:ino"));
                    host.reloadDriver();
                    host.awaitPublished();
                }

                assertThat(inodes).hasSize(4);
            }
        }

        @Test
        void leavesARemovedDeviceRemoved() {
            try (FakeNeuronHost host = FakeNeuronHost.builder().start()) {
                host.device(0).remove();

                host.reloadDriver();

                assertThat(host.device(0).present()).isFalse();
            }
        }
    }
}
