package dev.neurontest.fake.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeView;
import dev.neurontest.fake.Fault;
import dev.neurontest.patience.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is recorded of files. */
@DisabledOnOs(OS.WINDOWS)
class HostRecorderIT {

    private static final String DEVICES = "sys/devices/virtual/neuron_device";

    @TempDir
    private Path folder;

    @Test
    void directoryIsRecordedAsTheMethodCallsAre() throws Exception {
        // given
        Path byCall = folder.resolve("by-call");
        Path byFile = folder.resolve("by-file");
        Clock noon = Clock.fixed(Instant.parse("2026-01-01T12:00:00Z"), ZoneOffset.UTC);
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("inf2.xlarge").clock(noon).start()) {

            // when
            HostRecorder.of(new HostRoot.OfTree(host.tree()), noon, Duration.ofSeconds(5))
                    .record(byCall);
            HostRecorder.of(new HostRoot.OfFiles(host.directory()), noon, Duration.ofSeconds(5))
                    .record(byFile);
        }

        // then
        assertThat(byFile).hasSameTextualContentAs(byCall);
    }

    @Test
    void nothingOutsideIsFollowedAndWhatIsNoFileIsLeftOut() throws Exception {
        // given
        Path root = Files.createDirectory(folder.resolve("root"));
        Path device = Files.createDirectories(root.resolve(DEVICES).resolve("neuron0"));
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.writeString(outside.resolve("secret"), "secret");
        Files.createSymbolicLink(device.resolve("file"), outside.resolve("secret"));
        Files.createSymbolicLink(device.resolve("folder"), outside);
        Files.createDirectories(root.resolve("sys/class"));
        Files.createSymbolicLink(root.resolve("sys/class/neuron_device"), outside);
        Files.createDirectories(root.resolve("sys/module/neuron"));
        Files.writeString(root.resolve("sys/module/neuron/version"), "2.30.2.0\n");
        Files.writeString(root.resolve("sys/module/neuron/taint"), "OE\n");
        Files.createSymbolicLink(root.resolve("dev"), outside);
        Files.writeString(device.resolve("large"), "x".repeat(70_000));
        Files.setPosixFilePermissions(device.resolve("large"), PosixFilePermissions.fromString("rw-r--r--"));
        Files.createFile(
                device.resolve("unreadable"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("-w-------")));
        Process made = new ProcessBuilder("mkfifo", device.resolve("pipe").toString()).start();
        assertThat(made.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assumeThat(made.exitValue()).as("mkfifo").isZero();

        // when
        Path file = folder.resolve("host");
        HostRecorder.of(root, false).record(file);
        Archive archive = ArchiveReader.read(file);

        // then
        assertThat(file).content().doesNotContain("= secret", "OE");
        assertThat(archive.directories().keySet()).containsExactly(DEVICES, DEVICES + "/neuron0", "sys/module/neuron");
        assertThat(archive.directories().get(DEVICES + "/neuron0").entries())
                .isEqualTo(Map.of(
                        "file", new Entry.Link(outside.resolve("secret").toString()),
                        "folder", new Entry.Link(outside.toString()),
                        "large", new Entry.Unreadable(0644, "too-large"),
                        "unreadable", new Entry.Unreadable(0200, "EACCES")));
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void fileOfAMountThatBlocksIsLeftBehind() throws Exception {
        // given
        Path file = folder.resolve("host");
        try (FakeNeuronHost host = FakeNeuronHost.builder()
                .instance("inf2.xlarge")
                .view(FakeView.FUSE)
                .start()) {
            Path root = host.directory();
            assumeThat(host.viewFallback()).as("why there is no FUSE view").isEmpty();
            host.device(0).fault(Fault.slow("info/serial_number", Duration.ofHours(1)));

            // when
            HostRecorder.of(root, false).record(file);
        }

        // then
        Archive archive = ArchiveReader.read(file);
        assertThat(archive.entry(DEVICES + "/neuron0/info/serial_number"))
                .contains(new Entry.Unreadable(0644, "timeout"));
        assertThat(archive.text(DEVICES + "/neuron0/core_count")).contains("2");
    }
}
