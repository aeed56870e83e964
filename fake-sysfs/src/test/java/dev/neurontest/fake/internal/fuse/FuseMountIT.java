package dev.neurontest.fake.internal.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.FakeFault;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.FakeView;
import dev.neurontest.fake.Fault;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.fake.internal.mounts.MountTable;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the files of a mounted host, as programs use them. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FuseMountIT {

    private static final String SUCCESSES = "neuron_core0/stats/status/success/total";

    private FakeNeuronHost host;
    private Path device;

    @BeforeEach
    void mount() {
        FuseFixture.requireFuse();
        host = FakeNeuronHost.builder()
                .instance("trn1.2xlarge")
                .requireView(FakeView.FUSE)
                .start();
        device = host.directory().resolve("sys/devices/virtual/neuron_device/neuron0");
    }

    @Test
    void reloadedDriverHasNewDirectories() throws IOException {
        Object before = Files.readAttributes(device, BasicFileAttributes.class).fileKey();
        assertThat(Files.readAttributes(device, BasicFileAttributes.class).fileKey())
                .isEqualTo(before);

        host.reloadDriver();
        host.awaitPublished();

        assertThat(Files.readAttributes(device, BasicFileAttributes.class).fileKey())
                .isNotEqualTo(before);
    }

    @AfterEach
    void unmount() throws IOException {
        if (host != null) {
            Path root = host.directory();
            host.close();
            assertThat(root).doesNotExist();
            assertThat(MountTable.read()).noneMatch(mount -> mount.point().startsWith(root.toString()));
        }
    }

    private void execute(long times) {
        try (FakeProcess process = host.openProcess(host.device(0).core(0))) {
            process.execute(host.device(0).core(0), NrtStatus.NRT_SUCCESS, times);
        }
    }

    @Test
    void openFileIsRefreshedOnlyAtOffsetZero() throws IOException {
        try (FileChannel file = FileChannel.open(device.resolve(SUCCESSES))) {
            execute(1234);
            ByteBuffer two = ByteBuffer.allocate(2);
            assertThat(file.read(two)).isEqualTo(2);
            execute(8_000_000);
            ByteBuffer rest = ByteBuffer.allocate(100);
            assertThat(file.read(rest)).isEqualTo(3);
            assertThat(text(two) + text(rest)).isEqualTo("1234\n");
            assertThat(file.read(rest)).isEqualTo(-1);

            ByteBuffer again = ByteBuffer.allocate(100);
            file.read(again, 0);
            assertThat(text(again)).isEqualTo("8001234\n");
        }
    }

    private static String text(ByteBuffer buffer) {
        return new String(buffer.array(), 0, buffer.position(), java.nio.charset.StandardCharsets.UTF_8);
    }

    @Test
    void callsReturnTheErrorsOfSysfs() throws IOException {
        try (AttributeProgramFixture program = AttributeProgramFixture.start()) {
            assertThat(program.say("open-to-write " + device.resolve("core_count")))
                    .isEqualTo("error EACCES");
            assertThat(program.say("create " + device.resolve("new"))).isEqualTo("error EACCES");
            assertThat(program.say("mkdir " + device.resolve("new"))).isEqualTo("error EPERM");
            assertThat(program.say("unlink " + device.resolve("core_count"))).isEqualTo("error EPERM");
            assertThat(program.say("open " + device.resolve("nothing"))).isEqualTo("error ENOENT");
            assertThat(program.say("open-to-write " + device)).isEqualTo("error EISDIR");
            assertThat(program.say("truncate " + device.resolve(SUCCESSES))).isEqualTo("0");

            assertThat(program.say("open " + device.resolve("core_count"))).doesNotContain("error");
            assertThat(program.say("size")).isEqualTo("4096");
            assertThat(program.say("seek-end")).isEqualTo("4096");
            assertThat(program.say("map-shared")).isEqualTo("error ENODEV");
            assertThat(program.say("pread 0")).isEqualTo("2");
            assertThat(program.say("pread 1")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"poll", "select", "epoll"})
    void waitingProgramsAreWokenOnlyAtNotifyDelayZero(String wait) throws IOException {
        Path delay = device.resolve("info/notify_delay");
        Path memory = device.resolve("neuron_core0/stats/memory_usage/device_mem/tensors/total");
        try (AttributeProgramFixture program = AttributeProgramFixture.start();
                FakeProcess process = host.openProcess(host.device(0).core(0))) {
            program.say("open " + memory);
            assertThat(program.say(wait + " 0")).as("never read").startsWith("woken");
            program.say("pread 0");
            assertThat(program.say(wait + " 0")).as("read").isEqualTo("quiet");

            process.allocate(host.device(0).core(0), "tensors", 4096);
            assertThat(program.say(wait + " 100")).as("switched off").isEqualTo("quiet");

            Files.writeString(delay, "0");
            program.say("pread 0");
            for (int i = 2; i < 5; i++) {
                program.begin(wait + " 10000");
                process.allocate(host.device(0).core(0), "tensors", 4096);
                assertThat(program.end()).as("switched on").startsWith("woken");
                assertThat(program.say("pread 0")).isEqualTo(4096 * i + "|");
            }
            // The program clears the counter like a shell.
            program.begin(wait + " 10000");
            Files.writeString(memory, "1\n");
            assertThat(program.end()).as("cleared").startsWith("woken");
            assertThat(program.say("pread 0")).isEqualTo("0|");
            assertThat(program.say(wait + " 0")).as("read again").isEqualTo("quiet");

            Files.writeString(delay, "-1");
            process.allocate(host.device(0).core(0), "tensors", 4096);
            assertThat(program.say(wait + " 100")).as("switched off again").isEqualTo("quiet");
        }
    }

    @Test
    void slowFileBlocksNoOthersAndReaderCanBeKilled() throws Exception {
        try (FakeFault slow = host.device(0).fault(Fault.slow("core_count", Duration.ofMinutes(5)));
                AttributeProgramFixture program = AttributeProgramFixture.start();
                AttributeProgramFixture other = AttributeProgramFixture.start()) {
            program.say("open " + device.resolve("core_count"));
            other.say("open " + device.resolve("core_count"));
            program.begin("read");
            other.begin("read");
            for (int i = 0; i < 100; i++) {
                execute(1);
                assertThat(device.resolve(SUCCESSES)).hasContent((i + 1) + "\n");
            }
            assertThat(program.kill()).as("ended by kill while it reads").isTrue();
            assertThat(slow.triggered()).isTrue();
            // The other thread is reading when the host is closed.
            Path root = host.directory();
            host.close();
            assertThat(root).doesNotExist();
            assertThat(other.end()).startsWith("error E");
        }
        host = null;
    }

    @Test
    void ordinaryToolsWork() throws Exception {
        execute(7);
        FuseFixture.require("cat", "find", "grep", "tar", "sh");
        Path root = host.directory();
        assertThat(run("cat", device.resolve(SUCCESSES).toString())).isEqualTo("7\n");
        assertThat(run(
                                "grep",
                                "-rlx",
                                "7",
                                device.resolve("neuron_core0/stats/status").toString())
                        .lines()
                        .toList())
                .containsExactlyInAnyOrder(
                        device.resolve(SUCCESSES).toString(),
                        device.resolve("neuron_core0/stats/status/success/present")
                                .toString());
        assertThat(run("find", device.toString(), "-type", "f").lines().count())
                .isEqualTo(run(
                                "find",
                                "-L",
                                root.resolve("sys/class/neuron_device/neuron0").toString(),
                                "-type",
                                "f",
                                "-not",
                                "-path",
                                "*/subsystem/*")
                        .lines()
                        .count());
        // tar warns that every member is shorter than its size, as in sysfs.
        assertThat(run("tar", "-C", root.toString(), "-cf", "-", "sys").length())
                .isGreaterThan(4096 * 200);
        assertThat(run(
                        "sh",
                        "-c",
                        ". \"$1/env.sh\"; echo 1 | tee \"$NEURON_FAKE_ROOT/$2\"; cat \"$NEURON_FAKE_ROOT/$2\"",
                        "sh",
                        root.toString(),
                        root.relativize(device.resolve(SUCCESSES)).toString()))
                .isEqualTo("1\n0\n");
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output =
                new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.ISO_8859_1);
        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        return output;
    }

    @Test
    void chmodIsRefused() {
        assertThatThrownBy(() -> Files.setAttribute(device.resolve("core_count"), "unix:mode", 0666))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Operation not permitted");
    }

    @Test
    void mountExistsWhenTheSocketAppears(@TempDir Path folder) throws Exception {
        for (int i = 0; i < 20; i++) {
            Path root = folder.resolve("root" + i);
            try (FakeNeuronHost other = FakeNeuronHost.builder()
                    .instance("inf2.xlarge")
                    .root(root)
                    .requireView(FakeView.FUSE)
                    .start()) {
                CompletableFuture<Path> made = CompletableFuture.supplyAsync(other::directory);
                Path socket = root.resolve("control.sock");
                while (!Files.exists(socket) && !made.isCompletedExceptionally()) {
                    Thread.onSpinWait();
                }

                assertThat(root.resolve("sys/devices/virtual/neuron_device/neuron0/core_count"))
                        .hasContent("2");
                made.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void viewAndJournalReportTheMount() {
        assertThat(host.view()).isEqualTo(FakeView.FUSE);
        assertThat(host.viewFallback()).isEmpty();
        assertThat(host.journal()).anyMatch(entry -> entry.contains("mounted at " + host.directory()));
    }

    @Test
    void usedMountPointIsRefusedWithReason() {
        Path sys = host.directory().resolve("sys");
        assertThatThrownBy(() -> FuseMount.open(host.tree(), "sys", sys))
                .isInstanceOf(FuseUnavailableException.class)
                .hasMessage(sys + " is in use: it is already a mount point");
        assertThatThrownBy(() -> FuseMount.open(host.tree(), "sys", host.directory()))
                .hasMessage(host.directory() + " is in use: it is not empty");
        assertThatThrownBy(() ->
                        FuseMount.open(host.tree(), "sys", host.directory().resolve("env.sh")))
                .hasMessage(host.directory().resolve("env.sh") + " is not a directory and cannot be a mount point");
    }

    @Test
    void readingADirectoryIsNoFileSystemException() {
        assertThatThrownBy(() -> Files.readString(device))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(FileSystemException.class)
                .hasMessageContaining("Is a directory");
    }
}
