package dev.neurontest.fake;

import static dev.neurontest.fake.ArchiveFixture.CORE1;
import static dev.neurontest.fake.ArchiveFixture.NEURON0;
import static dev.neurontest.fake.HostFixture.counter;
import static dev.neurontest.fake.HostFixture.read;
import static dev.neurontest.fake.HostFixture.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of a recorded host before its timeline moves. */
class ReplayTest {

    private static final String TENSORS = "neuron0/neuron_core1/stats/memory_usage/device_mem/tensors";
    private static final String SUCCESS = "neuron0/neuron_core1/stats/status/success";

    @TempDir
    private Path folder;

    private static ArchiveFixture trn1(String layout) throws IOException {
        return ArchiveFixture.of("trn1.2xlarge", layout);
    }

    @Test
    void countersContinueFromRecordedValues() throws IOException {
        // given
        ArchiveFixture archive = trn1("driver-2.x")
                .entry(CORE1 + "/stats/status/success", "total", "0644 = 40\\n")
                .entry(CORE1 + "/stats/status/success", "present", "0644 = 5\\n")
                .entry(CORE1 + "/stats/memory_usage/device_mem/tensors", "total", "0644 = 8192\\n")
                .entry(CORE1 + "/stats/memory_usage/device_mem/tensors", "present", "0644 = 4096\\n")
                .entry(CORE1 + "/stats/memory_usage/device_mem/tensors", "peak", "0644 = 65536\\n");
        try (FakeNeuronHost host = archive.start(folder)) {
            FakeCore core = host.core("neuron0/neuron_core1");
            assertThat(counter(host, SUCCESS)).isEqualTo("40/5");
            assertThat(counter(host, TENSORS)).isEqualTo("8192/4096");
            assertThat(read(host, TENSORS + "/peak")).isEqualTo("65536\n");

            // when
            try (FakeProcess process = host.openProcess(core)) {
                process.execute(core, 3);
                process.allocate(core, "tensors", 4096);
                assertThat(counter(host, SUCCESS)).as("up to 2.29 at release").isEqualTo("40/5");
                assertThat(read(host, TENSORS + "/total")).isEqualTo("12288\n");
            }

            // then
            assertThat(counter(host, SUCCESS)).isEqualTo("43/3");
            assertThat(read(host, TENSORS + "/peak")).isEqualTo("65536\n");
            write(host, SUCCESS + "/total", "0");
            assertThat(counter(host, SUCCESS)).isEqualTo("0/3");
        }
    }

    @Test
    void liveCountersContinueFromTheirRecordedTotal() throws IOException {
        // given
        ArchiveFixture archive = trn1("driver-2.30")
                .entry(CORE1 + "/stats/other_info/flop_count", "total", "0644 = 1000\\n")
                .entry(CORE1 + "/stats/other_info/flop_count", "present", "0644 = 1000\\n");
        try (FakeNeuronHost host = archive.start(folder)) {
            FakeCore core = host.core("neuron0/neuron_core1");
            String flops = "neuron0/neuron_core1/stats/other_info/flop_count";
            assertThat(counter(host, flops)).isEqualTo("1000/1000");

            // when
            try (FakeProcess process = host.openProcess(core)) {
                process.execute(core, 2);

                // then
                assertThat(counter(host, flops)).isEqualTo("4001000/4001000");
            }
        }
    }

    @Test
    void eccErrorsAddToTheRecordedCount() throws IOException {
        // given
        ArchiveFixture archive =
                trn1("driver-2.30").entry(NEURON0 + "/stats/hardware", "sram_ecc_uncorrected", "0644 = 7\\n");
        try (FakeNeuronHost host = archive.start(folder)) {
            assertThat(read(host, "neuron0/stats/hardware/sram_ecc_uncorrected"))
                    .isEqualTo("7\n");

            // when
            host.device(0).ecc("sram_uncorrected", 2);

            // then
            assertThat(read(host, "neuron0/stats/hardware/sram_ecc_uncorrected"))
                    .isEqualTo("9\n");
        }
    }

    @Test
    void unreadableFilesFailWithTheRecordedError() throws IOException {
        // given
        ArchiveFixture archive = trn1("driver-2.x")
                .entry(NEURON0, "core_count", "0400 ! EACCES")
                .entry(CORE1 + "/stats/status/success", "total", "0644 ! EIO Input/output error")
                .entry(NEURON0 + "/info", "serial_number", "0644 ! timeout");
        try (FakeNeuronHost host = archive.start(folder)) {

            // when / then
            assertThatThrownBy(() -> read(host, "neuron0/core_count")).isInstanceOf(AccessDeniedException.class);
            assertThatThrownBy(() -> read(host, SUCCESS + "/total")).hasMessageContaining("EIO");
            assertThatThrownBy(() -> read(host, "neuron0/info/serial_number")).hasMessageContaining("ETIMEDOUT");
            assertThat(read(host, SUCCESS + "/present")).isEqualTo("12\n");
        }
    }

    @Test
    void oddRecordedValueIsShownUntilTheCounterChanges() throws IOException {
        // given
        ArchiveFixture archive = trn1("driver-2.x")
                .entry(CORE1 + "/stats/status/success", "total", "0644 = many")
                .entry(CORE1 + "/stats/status/timeout", "total", "0644 = 18446744073709551616\\n")
                .entry(CORE1 + "/stats/status/failure", "total", "0644 =");
        try (FakeNeuronHost host = archive.start(folder)) {
            FakeCore core = host.core("neuron0/neuron_core1");
            assertThat(read(host, SUCCESS + "/total")).isEqualTo("many");
            assertThat(read(host, "neuron0/neuron_core1/stats/status/timeout/total"))
                    .isEqualTo("18446744073709551616\n");
            assertThat(read(host, "neuron0/neuron_core1/stats/status/failure/total"))
                    .isEmpty();

            // when
            try (FakeProcess process = host.openProcess(core)) {
                process.execute(core);
            }
            write(host, "neuron0/neuron_core1/stats/status/timeout/total", "0");

            // then
            assertThat(read(host, SUCCESS + "/total")).isEqualTo("1\n");
            assertThat(read(host, "neuron0/neuron_core1/stats/status/timeout/total"))
                    .isEqualTo("0\n");
        }
    }

    @Test
    void hasExactlyTheRecordedFiles() throws IOException {
        // given
        ArchiveFixture archive = trn1("driver-2.30")
                .entry(NEURON0, "fw_build", "")
                .replace(" fw_api_version 0444 = 3\\n\n", " fw_api_version 0440 = 9\\n\n fw_mood 0644 = fine\\xff\n");
        try (FakeNeuronHost host = archive.start(folder)) {

            // when / then
            assertThatThrownBy(() -> read(host, "neuron0/fw_build")).isInstanceOf(NoSuchFileException.class);
            assertThat(read(host, "neuron0/fw_api_version")).isEqualTo("9\n");
            assertThat(host.tree().stat(NEURON0 + "/fw_api_version").mode()).isEqualTo(0440);
            assertThat(host.tree().read(NEURON0 + "/fw_mood")).endsWith((byte) 'e', (byte) 0xff);
            assertThat(write(host, "neuron0/fw_mood", "bad")).isEqualTo(3);
            assertThat(host.tree().read(NEURON0 + "/fw_mood")).startsWith('f');
        }
    }

    @Test
    void absentDevicesStayAbsent() throws Exception {
        // given
        Path whole = folder.resolve("whole");
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("trn1.32xlarge").start()) {
            for (FakeDevice device : host.devices()) {
                if (device.index() != 3 && device.index() != 11) {
                    device.remove();
                }
            }
            RecordingFixture.record(host, whole);
        }

        // when
        try (FakeNeuronHost host = FakeNeuronHost.builder().recording(whole).start()) {

            // then
            assertThat(host.instanceType()).isEqualTo("trn1.32xlarge");
            assertThat(host.tree().list("sys/devices/virtual/neuron_device"))
                    .containsExactlyInAnyOrder("neuron3", "neuron11");
            assertThat(host.tree().list("dev")).containsExactlyInAnyOrder("neuron3", "neuron11");
            assertThat(host.tree().list("sys/class/neuron_device"))
                    .contains("neuron3")
                    .doesNotContain("neuron0");
            assertThat(host.device(3).present()).isTrue();
            assertThat(host.device(4).present()).isFalse();
        }
    }

    @Test
    void unknownInstanceTypeIsInferredFromItsDevices() throws IOException {
        // given
        ArchiveFixture archive = ArchiveFixture.of("trn2.3xlarge", "driver-2.30")
                .replace("product_name 0444 = trn2.3xlarge", "product_name 0444 = trn9.mega");

        // when
        try (FakeNeuronHost host = archive.start(folder)) {

            // then
            assertThat(host.instanceType()).isEqualTo("trn9.mega");
            assertThat(host.device(0).cores()).hasSize(8);
            assertThat(host.journal().toString())
                    .contains(
                            "unknown instance type \"trn9.mega\": treated as one with 1 device of Trn2 with unknown links");
            try (FakeProcess process = host.openProcess(host.device(0).core(7))) {
                process.load(host.device(0).core(7), 4096);
                assertThat(read(host, "neuron0/neuron_core7/stats/memory_usage/device_mem/model_code/present"))
                        .isEqualTo("4096\n");
            }
        }
    }

    @Test
    void unknownDriverUsesTheNearestLayout() throws IOException {
        // given
        ArchiveFixture archive = trn1("driver-2.29").replace("version 0444 = 2.29.0.0", "version 0444 = 2.29.7.1");

        // when
        try (FakeNeuronHost host = archive.start(folder)) {

            // then
            assertThat(host.layout()).isEqualTo("driver-2.29");
            assertThat(host.driverVersion()).isEqualTo("2.29.7.1");
            assertThat(host.journal().toString()).contains("driver \"2.29.7.1\" behaves like driver-2.29 (2.29.0.0)");
        }
    }

    @Test
    void recordedContainerKeepsItsDeviceNodes() throws Exception {
        Path file = folder.resolve("container");
        Path again = folder.resolve("again");
        try (FakeNeuronHost container = FakeNeuronHost.builder()
                .instance("inf2.24xlarge")
                .container(2, 1)
                .start()) {
            RecordingFixture.record(container, file);
        }
        assertThat(Files.readString(file))
                .contains("directory 0755 dev\n neuron0 0666 device 512:2\n neuron1 0666 device\n");

        // when
        try (FakeNeuronHost host = FakeNeuronHost.builder().recording(file).start()) {

            // then
            assertThat(host.tree().stat("dev/neuron0").device()).isEqualTo("512:2");
            assertThat(host.tree().stat("dev/neuron1").device()).isEqualTo("512:1");
            RecordingFixture.record(host, again);
        }
        assertThat(Files.readString(again).replaceFirst("recorded .*", ""))
                .isEqualTo(Files.readString(file).replaceFirst("recorded .*", ""));
    }

    @Test
    void deviceNumbersMatchTheNodesOfTheReplayingHost() throws IOException {
        // given a machine on which the kernel gave the driver another number
        ArchiveFixture archive =
                trn1("driver-2.30").replace("= 512:0", "= 243:0").replace("MAJOR=512", "MAJOR=243");

        // when
        try (FakeNeuronHost host = archive.start(folder)) {

            // then
            String device = "sys/devices/virtual/neuron_device/neuron0/";
            assertThat(new String(host.tree().read(device + "dev"), StandardCharsets.US_ASCII))
                    .isEqualTo(host.tree().stat("dev/neuron0").device() + "\n");
            assertThat(new String(host.tree().read(device + "uevent"), StandardCharsets.US_ASCII))
                    .contains("MAJOR=512\n");
        }
    }

    @Test
    void coreOrderOfARecordedServerIsKept() throws Exception {
        for (int node = 0; node < 2; node++) {
            Path file = folder.resolve("node" + node);
            List<FakeCore> order;
            try (FakeNeuronHost server =
                    FakeNeuronHost.builder().instance("trn2u.48xlarge").start()) {
                server.elect(node, 4);
                order = server.process("all").init("all").cores();
                RecordingFixture.record(server, file);
            }

            // when
            try (FakeNeuronHost host = FakeNeuronHost.builder().recording(file).start()) {

                // then
                assertThat(host.process("all").init("all").cores().toString()).isEqualTo(order.toString());
                assertThatThrownBy(host::failElection)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("replays a recording");
            }
        }
    }

    @Test
    void driverWithoutVersionUsesTheNewestLayout() throws IOException {
        // given
        ArchiveFixture archive = trn1("driver-2.29").replace("2.29.0.0", "");

        // when
        try (FakeNeuronHost host = archive.start(folder)) {

            // then
            assertThat(host.replayRemarks()).containsExactly("driver \"unknown\" behaves like driver-2.30 (2.30.2.0)");
        }
    }

    /** Verifies that a recording is replayed even if no driver of the named version is known to support the devices. */
    @ParameterizedTest
    @CsvSource({"2.24.13.0, driver-2.x", "2.x.7693.0, driver-2.x", "2.30.2.0, driver-2.30"})
    void recordedInf1HasEveryRecordedDriver(String version, String layout) throws IOException {
        Path file = folder.resolve("inf1");
        try (FakeNeuronHost recorded =
                FakeNeuronHost.builder().instance("inf1.xlarge").start()) {
            Files.writeString(file, RecordingFixture.text(recorded).replace("2.24.7.0", version));
        }

        try (FakeNeuronHost host = FakeNeuronHost.builder().recording(file).start()) {
            assertThat(host).hasToString("inf1.xlarge@" + layout);
            assertThat(host.driverVersion()).isEqualTo(version);
        }
        try (FakeNeuronHost chosen =
                FakeNeuronHost.builder().recording(file).layout("moved").start()) {
            assertThat(chosen.driverVersion()).isEqualTo(version);
        }
    }

    @Test
    void recordedHostMayHaveNoDevices() throws IOException {
        // given
        Path file = Files.writeString(folder.resolve("bare"), """
                neuron-archive 1
                recorded 2026-11-22T02:13:20.000Z
                writer by hand
                directory 0755 sys/devices/virtual/dmi/id
                 product_name 0444 = m7i.large\\n
                end
                """);

        // when
        try (FakeNeuronHost host = FakeNeuronHost.builder().recording(file).start()) {

            // then
            assertThat(host.devices()).isEmpty();
            assertThat(host.tree().list("dev")).isEmpty();
        }
    }

    @Test
    void archiveMayBeGzippedWithWindowsLineEnds() throws IOException {
        // given
        Path packed = folder.resolve("host.gz");
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write(trn1("driver-2.30").text().replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
        }

        // when
        try (FakeNeuronHost host = FakeNeuronHost.builder().recording(packed).start()) {

            // then
            assertThat(read(host, "neuron0/core_count")).isEqualTo("2");
            assertThat(read(host, "neuron0/reset")).isEqualTo("1\n");
        }
    }

    @Test
    void restoresResetStateAndNotifyDelay() throws IOException {
        // given
        ArchiveFixture archive = trn1("driver-2.x")
                .entry(NEURON0, "reset", "0600 = 2\\n")
                .entry(NEURON0 + "/info", "notify_delay", "0644 = 0\\n");
        try (FakeNeuronHost host = archive.start(folder)) {

            // when / then
            assertThat(read(host, "neuron0/reset")).isEqualTo("2\n");
            assertThatThrownBy(() -> host.openProcess(host.device(0).core(0))).hasMessageContaining("EINVAL");
            assertThat(read(host, "neuron0/info/notify_delay")).isEqualTo("0\n");
            try (FakeDescriptor success = host.tree().open(CORE1 + "/stats/status/success/total", FakeAccess.READ)) {
                success.read();
                write(host, SUCCESS + "/total", "0");
                assertThat(success.signalled()).as("notifications are on").isTrue();
            }
            write(host, "neuron0/reset", "1");
            assertThat(read(host, "neuron0/reset")).isEqualTo("0\n");
        }
    }

    @Test
    void truncatedRecordingIsRefusedInOneLine() throws IOException {
        String text = trn1("driver-2.30").text();
        Path cut = Files.writeString(folder.resolve("cut"), text.substring(0, text.length() / 2));
        assertThatThrownBy(() -> FakeNeuronHost.builder().recording(cut).start())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("cannot replay " + cut
                        + ":258: read the end of the file, expected the line \"end\": the archive was cut short; record or"
                        + " copy it again");
    }

    @Test
    void fileAboveADirectoryIsRefusedInOneLine() throws IOException {
        String text = trn1("driver-2.30").text();
        String home = "directory 0755 sys/devices/virtual/neuron_device/neuron0\n";
        Path edited = Files.writeString(
                folder.resolve("edited"),
                text.replace(home, home + " odd 0444 = 1\n").replace("\nend\n", """

                        directory 0755 sys/devices/virtual/neuron_device/neuron0/odd/deeper
                         file 0444 = 1
                        end
                        """));
        assertThatThrownBy(() -> FakeNeuronHost.builder().recording(edited).start())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("cannot replay " + edited + ":")
                .hasMessageEndingWith(": read \"directory 0755 sys/devices/virtual/neuron_device/neuron0/odd/deeper\","
                        + " expected each name once, but sys/devices/virtual/neuron_device/neuron0/odd is a file above;"
                        + " delete one of the two");
    }

    @Test
    void recordingSendsNoControlCharacterToATerminal() throws IOException {
        String text = trn1("driver-2.30").text().replaceFirst("recorded .*", "recorded \\\\x1b[2Jnoon");
        Path edited = Files.writeString(
                folder.resolve("edited"),
                text.replace("product_name 0444 = trn1.2xlarge", "product_name 0444 = \\x1b[2Jtrn9"));
        try (FakeNeuronHost host = FakeNeuronHost.builder().recording(edited).start()) {
            assertThat(host.recordedAt()).hasValue("?[2Jnoon");
            assertThat(host.replayRemarks()).first().asString().startsWith("unknown instance type \"?[2Jtrn9\"");
        }
    }

    @Test
    void instanceTypeWithARecordingIsRefused() throws IOException {
        Path file = trn1("driver-2.30").in(folder);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FakeNeuronHost.builder()
                        .instance("inf2.xlarge")
                        .recording(file)
                        .start())
                .withMessage(
                        "the recording " + file + " determines the instance type of the host: omit \"inf2.xlarge\"");
    }
}
