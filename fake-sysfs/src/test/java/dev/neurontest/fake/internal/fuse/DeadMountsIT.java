package dev.neurontest.fake.internal.fuse;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeView;
import dev.neurontest.fake.internal.mounts.MountTable;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the mounts of killed JVMs. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeadMountsIT {

    @TempDir
    private Path temporary;

    private final List<Process> servers = new ArrayList<>();

    @BeforeEach
    void requireFuse() {
        FuseFixture.requireFuse();
    }

    @AfterEach
    void endServers() throws Exception {
        for (Process server : servers) {
            server.destroyForcibly();
        }
        Mounting mounting = LinuxCalls.geteuid() == 0 ? new MountCall() : MountProgram.find();
        for (Process server : servers) {
            server.waitFor(2, TimeUnit.SECONDS);
            // A cleaning that waits for its own mount ends with that mount.
            DeadMounts.clean(mounting);
            assertThat(server.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            DeadMounts.clean(mounting);
        }
    }

    private Process serve(Path root, String... more) throws IOException {
        List<String> command = JvmCommand.program(
                List.of("--enable-native-access=ALL-UNNAMED"), FuseServerFixture.class, root.toString());
        command.addAll(List.of(more));
        Process server = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        servers.add(server);
        BufferedReader words = server.inputReader();
        assertThat(words.readLine()).isEqualTo("ready");
        return server;
    }

    private boolean isMounted(Path root) throws IOException {
        return MountTable.read().stream()
                .anyMatch(mount -> mount.point().equals(root.resolve("sys").toString()));
    }

    @Test
    void readersFailAndNextStartUnmountsOnlyDeadServers() throws Exception {
        Path alive = temporary.resolve("alive");
        serve(alive);
        int attempt = 1;
        while (!isCleanedUpByTheNextStart(temporary.resolve("with blank " + attempt), alive)) {
            assertThat(attempt++).as("attempts").isLessThan(10);
        }
    }

    /** Returns false if a test of another JVM started a host first, because the next start cleans up. */
    private boolean isCleanedUpByTheNextStart(Path dead, Path alive) throws Exception {
        Process server = serve(dead);
        try (AttributeProgramFixture reader = AttributeProgramFixture.start();
                AttributeProgramFixture poller = AttributeProgramFixture.start()) {
            Path device = dead.resolve("sys/devices/virtual/neuron_device/neuron0");
            reader.say("open " + device.resolve("core_count"));
            reader.begin("pread 0");
            poller.say("open " + device.resolve("info/notify_delay"));
            poller.say("pread 0");
            poller.begin("poll 30000");

            server.destroyForcibly().waitFor();

            assertThat(reader.end()).startsWith("error E");
            assertThat(poller.end()).isEqualTo("woken ERR");
        }
        boolean left = isMounted(dead);
        try (FakeNeuronHost next =
                FakeNeuronHost.builder().requireView(FakeView.FUSE).start()) {
            next.directory();

            assertThat(isMounted(dead)).isFalse();
            assertThat(isMounted(alive)).isTrue();
            assertThat(alive.resolve("sys/module/neuron/version")).isNotEmptyFile();
            String told = "unmounted " + dead.resolve("sys") + ", left behind by a killed process";
            return left && next.journal().stream().anyMatch(entry -> entry.endsWith(told));
        }
    }

    @Test
    void nextStartReleasesKilledServerWaitingForItself() throws Exception {
        Path root = temporary.resolve("self");
        Process server = serve(root, "self");

        server.destroyForcibly();
        await().until(() -> !server.isAlive()
                || Files.readString(Path.of("/proc", Long.toString(server.pid()), "stat"))
                        .contains(") Z "));
        try (FakeNeuronHost next =
                FakeNeuronHost.builder().requireView(FakeView.FUSE).start()) {
            next.directory();

            assertThat(isMounted(root)).isFalse();
            assertThat(server.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    @Test
    void startAtKilledServersRootUnmountsAndIsRefused() throws Exception {
        Path root = temporary.resolve("again");
        Process server = serve(root);
        assertRefused(root, "a running fake host uses it");
        server.destroyForcibly().waitFor();

        assertRefused(root, "it was left behind by a killed fake host: rm -r " + root);

        assertThat(isMounted(root)).isFalse();
    }

    private static void assertRefused(Path root, String why) {
        try (FakeNeuronHost next =
                FakeNeuronHost.builder().root(root).view(FakeView.FUSE).start()) {
            assertThatThrownBy(next::directory)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageEndingWith(
                            root + " is not empty: a fake host requires an absent or empty directory; " + why);
        }
    }

    @Test
    void terminatedServerLeavesNothing() throws Exception {
        Path root = temporary.resolve("ends");
        Process server = serve(root);
        try (AttributeProgramFixture reader = AttributeProgramFixture.start()) {
            reader.say("open " + root.resolve("sys/devices/virtual/neuron_device/neuron0/core_count"));
            reader.begin("pread 0");
            assertThat(server.inputReader().readLine()).isEqualTo("read");

            server.destroy();

            assertThat(server.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(reader.end()).startsWith("error E");
        }
        assertThat(isMounted(root)).isFalse();
        assertThat(root).doesNotExist();
    }
}
