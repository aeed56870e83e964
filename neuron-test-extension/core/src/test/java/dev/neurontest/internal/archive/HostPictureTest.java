package dev.neurontest.internal.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.Errno;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.FakeView;
import dev.neurontest.fake.Fault;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.host.HostTree;
import dev.neurontest.internal.platform.InProcessFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HostPictureTest {

    private static final String NEURON0 = "sys/devices/virtual/neuron_device/neuron0";

    @TempDir
    private Path folder;

    /** Returns the text without the lines that differ between recordings. */
    private static String body(HostArchive archive) {
        return archive.text().replaceFirst("recorded .*\nwriter .*\n", "");
    }

    private Path file(String path, String mode, String content) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content, StandardCharsets.ISO_8859_1);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private void directoriesOf(String path) throws IOException {
        for (Path each = folder.resolve(path); !each.equals(folder); each = each.getParent()) {
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @Test
    void keepsDeviceNumberingOfContainer() throws Exception {
        // given
        Path file = folder.resolve("container.txt");
        try (FakeNeuronHost container = FakeNeuronHost.builder()
                .instance("inf2.24xlarge")
                .container(2, 1)
                .start()) {
            Files.writeString(
                    file,
                    HostPicture.of(InProcessFixture.tree(container), HostPicture.Options.USUAL)
                            .archive()
                            .text());
        }

        // when
        try (FakeNeuronHost replayed = FakeNeuronHost.builder().recording(file).start()) {
            NeuronHost host = NeuronHost.discover(InProcessFixture.tree(replayed));

            // then
            assertThat(host.devices())
                    .extracting(NeuronDevice::name, NeuronDevice::node)
                    .containsExactly(tuple("neuron1", "dev/neuron1"), tuple("neuron2", "dev/neuron0"));
            assertThat(host.renumberedNodes()).isPresent();
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void matchesDocumentedFormat() throws IOException {
        // given
        file("dev/neuron0", "rw-rw-rw-", "");
        file("dev/sda", "rw-rw-rw-", "");
        file("proc/1/comm", "r--r--r--", "init");
        file("sys/module/neuron/version", "r--r--r--", "2.30.2.0\n");
        file("sys/module/neuron/parameters", "r--r--r--", "x");
        file("sys/devices/virtual/dmi/id/product_name", "r--r--r--", "trn1.2xlarge\n");
        file(NEURON0 + "/core_count", "r--r--r--", "2");
        file(NEURON0 + "/empty", "r--r--r--", "");
        file(NEURON0 + "/notify_delay", "rw-r--r--", " -1 \\\t\u00e9 ");
        file(NEURON0 + "/reset", "-w-------", "1");
        file(NEURON0 + "/neuron_core10/a", "r--r--r--", "10\n");
        file(NEURON0 + "/neuron_core2/a", "r--r--r--", "2\n");
        file("outside/secret", "r--r--r--", "secret");
        Files.createSymbolicLink(folder.resolve(NEURON0 + "/out"), Path.of("../../../../../outside"));
        Files.createDirectories(folder.resolve("sys/class/neuron_device"));
        Files.createSymbolicLink(
                folder.resolve("sys/class/neuron_device/neuron0"),
                Path.of("../../devices/virtual/neuron device/neuron0"));
        for (String directory : List.of(
                "dev",
                "sys/module/neuron",
                "sys/devices/virtual/dmi/id",
                "sys/class/neuron_device",
                NEURON0 + "/neuron_core10",
                NEURON0 + "/neuron_core2")) {
            directoriesOf(directory);
        }

        // when
        HostArchive archive =
                HostPicture.of(FileTree.at(folder), HostPicture.Options.USUAL).archive();

        // then
        assertThat(archive.text())
                .matches(
                        "(?s)neuron-archive 1\nrecorded \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z\nwriter neuron-test .*");
        assertThat(body(archive)).isEqualTo("""
                neuron-archive 1
                instance-type trn1.2xlarge
                driver-version 2.30.2.0

                directory 0755 dev
                 neuron0 0666 device

                directory 0755 sys/class/neuron_device
                 neuron0 -> ../../devices/virtual/neuron\\x20device/neuron0

                directory 0755 sys/devices/virtual/dmi/id
                 product_name 0444 = trn1.2xlarge\\n

                directory 0755 sys/devices/virtual/neuron_device

                directory 0755 sys/devices/virtual/neuron_device/neuron0
                 core_count 0444 = 2
                 empty 0444 =
                 notify_delay 0644 =  -1 \\\\\\t\\xe9\\x20
                 out -> ../../../../../outside
                 reset 0200 ! EACCES

                directory 0755 sys/devices/virtual/neuron_device/neuron0/neuron_core2
                 a 0444 = 2\\n

                directory 0755 sys/devices/virtual/neuron_device/neuron0/neuron_core10
                 a 0444 = 10\\n

                directory 0755 sys/module/neuron
                 version 0444 = 2.30.2.0\\n
                end
                """);
    }

    @Test
    void isTheSameInProcessAndThroughFiles() throws IOException {
        // given
        try (FakeNeuronHost host = FakeNeuronHost.builder()
                .instance("trn1.2xlarge")
                .clock(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC))
                .start()) {
            // when
            HostArchive inProcess = HostPicture.of(InProcessFixture.tree(host), HostPicture.Options.USUAL)
                    .archive();
            HostArchive files = HostPicture.of(FileTree.at(host.directory()), HostPicture.Options.USUAL)
                    .archive();

            // then
            assertThat(inProcess.files()).isEqualTo(files.files()).isGreaterThan(200);
            assertThat(body(inProcess)).isEqualTo(body(files));
        }
    }

    static List<String> layouts() {
        return FakeNeuronHost.layouts("trn2.3xlarge");
    }

    /** Verifies the contract between the recorder and the fake. */
    @ParameterizedTest
    @MethodSource("layouts")
    void recordedHostIsServedIdentically(String layout) throws Exception {
        // given
        Path file = folder.resolve("host.archive.txt");
        HostArchive recorded;
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("trn2.3xlarge").layout(layout).start()) {
            FakeCore core = host.device(0).core(1);
            try (FakeProcess process = host.openProcess("worker", core)) {
                process.load(core, 1 << 20);
                process.execute(core, NrtStatus.NRT_TIMEOUT, 2);
            }
            host.device(0).ecc("mem_uncorrected", 3);
            recorded = HostPicture.of(InProcessFixture.tree(host), HostPicture.Options.USUAL)
                    .archive();
            recorded.writeTo(file);
        }

        for (FakeView view : FakeView.values()) {
            try (FakeNeuronHost served =
                    FakeNeuronHost.builder().recording(file).view(view).start()) {
                Path root = served.directory();

                // when
                HostArchive inProcess = HostPicture.of(InProcessFixture.tree(served), HostPicture.Options.USUAL)
                        .archive();
                HostArchive files = HostPicture.of(FileTree.at(root), HostPicture.Options.USUAL)
                        .archive();

                // then
                assertThat(body(inProcess)).isEqualTo(body(recorded));
                assertThat(body(files)).as(view.name()).isEqualTo(body(recorded));
            }
        }
    }

    @Test
    void recordsErrnoOrTimeoutOfUnreadableFiles() throws IOException {
        // given
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("trn1.2xlarge").start()) {
            host.device(0).fault(Fault.errno("connected_devices", Errno.EIO));
            host.device(0).fault(Fault.slow("info/serial_number", Duration.ofSeconds(30)));

            // when
            HostPicture picture = HostPicture.of(InProcessFixture.tree(host), HostPicture.Options.USUAL);

            // then
            assertThat(picture.archive().text())
                    .contains("\n connected_devices 0444 ! EIO\n")
                    .contains("\n serial_number 0644 ! timeout\n");
            assertThat(picture.unreadable()).containsExactlyInAnyOrderEntriesOf(Map.of("EIO", 1, "timeout", 1));
        }
    }

    @Test
    void redactsSerialNumbersOnRequest() throws IOException {
        // given
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("trn1.2xlarge").start()) {
            HostTree tree = InProcessFixture.tree(host);
            Optional<String> machine = Optional.of("build 7");

            // when
            String open = HostPicture.of(tree, new HostPicture.Options(false, machine))
                    .archive()
                    .text();
            String redacted = HostPicture.of(tree, new HostPicture.Options(true, machine))
                    .archive()
                    .text();

            // then
            String serial = host.device(0).serialNumber();
            assertThat(open).contains(serial).contains("\nhost-name build 7\n").doesNotContain("\nredacted ");
            assertThat(redacted)
                    .doesNotContain(serial)
                    .contains(" = " + "0".repeat(serial.length()) + "\\n")
                    .contains("\nredacted host-name serial_number\n")
                    .doesNotContain("build 7");
        }
    }

    @Test
    void replacesExistingFileWithoutLeftovers() throws IOException {
        // given
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("trn1.2xlarge").start()) {
            HostArchive archive = HostPicture.of(InProcessFixture.tree(host), HostPicture.Options.USUAL)
                    .archive();
            Path file = Files.writeString(folder.resolve("a.neuron-archive.txt"), "old");

            // when
            archive.writeTo(file);
            archive.writeTo(folder.resolve("a.gz"));

            // then
            assertThat(file).hasContent(archive.text());
            try (GZIPInputStream packed = new GZIPInputStream(Files.newInputStream(folder.resolve("a.gz")))) {
                assertThat(packed.readAllBytes()).isEqualTo(archive.bytes());
            }
            assertThat(folder.toFile().list()).containsExactlyInAnyOrder("a.neuron-archive.txt", "a.gz");
        }
    }
}
