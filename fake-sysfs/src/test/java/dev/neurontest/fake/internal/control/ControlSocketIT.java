package dev.neurontest.fake.internal.control;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.jvm.JvmCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The socket of a directory host. */
class ControlSocketIT {

    private static final String TIMEOUTS =
            "sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/status/timeout/total";

    private static final String TENSORS =
            "sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/memory_usage/device_mem/tensors/total";

    @TempDir
    private Path folder;

    /** A program that sends commands to the host. */
    private record Client(SocketChannel channel, BufferedReader answers, Writer commands) implements AutoCloseable {

        static Client of(FakeNeuronHost host) throws IOException {
            SocketChannel channel = SocketChannel.open(
                    UnixDomainSocketAddress.of(host.controlSocket().toRealPath()));
            return new Client(
                    channel,
                    new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8)),
                    Channels.newWriter(channel, StandardCharsets.UTF_8));
        }

        String say(String command) throws IOException {
            commands.write(command + "\n");
            commands.flush();
            return answers.readLine();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    private FakeNeuronHost host(Path root) {
        return FakeNeuronHost.builder()
                .instance("trn1.2xlarge")
                .layout("driver-2.29")
                .root(root)
                .start();
    }

    @Test
    void filesShowGrowthAfterAWriteWhenAnswered() throws Exception {
        try (FakeNeuronHost host = host(folder.resolve("host"));
                Client client = Client.of(host)) {
            Path total = host.directory().resolve(TENSORS);
            Path peak = total.resolveSibling("peak");
            assertThat(client.say("open P neuron0/neuron_core1")).startsWith("ok pid ");
            for (int round = 1; round <= 40; round++) {
                // when: nothing has reported the write yet
                Files.writeString(peak, "0");
                assertThat(client.say("alloc P neuron0/neuron_core1 tensors 4096"))
                        .startsWith("ok ");

                // then
                assertThat(total).as("round %s", round).hasContent(4096 * round + "\n");
                assertThat(peak).as("round %s", round).hasContent(4096 * round + "\n");
            }
            for (int round = 1; round <= 40; round++) {
                // when
                Files.writeString(total, "0");
                assertThat(client.say("alloc P neuron0/neuron_core1 tensors 4096"))
                        .startsWith("ok ");

                // then
                assertThat(total).as("round %s", round).hasContent("4096\n");
            }
        }
    }

    @Test
    void invalidLinesDoNotDisturbOtherConnections() throws Exception {
        try (FakeNeuronHost host = host(folder.resolve("host"));
                Client client = Client.of(host);
                Client other = Client.of(host)) {
            assertThat(other.say("open P neuron0/neuron_core1")).startsWith("ok pid ");

            for (String line : List.of(
                    "acc float32 65536x65536 arange",
                    "neff acc print=\"acc float32 65536x65536 arange\"",
                    "neff acc print=\"acc int32 1 zeros times=999999999999999999 sequence\"",
                    "nrt alloc P 2147483647 device 1",
                    "\0\u001b\ufffd",
                    "x".repeat(1 << 20),
                    "open " + "Q ".repeat(4_000))) {
                assertThat(client.say(line)).startsWith("error ");
            }

            assertThat(client.say("open P neuron0/neuron_core0")).startsWith("ok pid ");
            assertThat(other.say("execute P neuron0/neuron_core1 NRT_TIMEOUT 3"))
                    .isEqualTo("ok");
            assertThat(host.processes()).hasSize(2);
        }
    }

    @Test
    void lostConnectionKillsItsProcess() throws Exception {
        try (FakeNeuronHost host = host(folder.resolve("host"))) {
            try (Client client = Client.of(host)) {
                assertThat(client.say("open P neuron0/neuron_core1")).startsWith("ok pid ");
                assertThat(client.say("execute P neuron0/neuron_core1 NRT_TIMEOUT 3"))
                        .isEqualTo("ok");
                assertThat(client.say("get " + TIMEOUTS)).isEqualTo("ok 0\\n");
            }

            await().until(() -> host.processes().isEmpty());
            assertThat(host.tree().read(TIMEOUTS)).asString().isEqualTo("3\n");
        }
    }

    @Test
    void killedProgramDisappearsFromProcAndReleasesCores() throws Exception {
        try (FakeNeuronHost host = host(folder.resolve("host"))) {
            // given: a program that runs with its process ID of the machine
            Process program = new ProcessBuilder(JvmCommand.program(
                            ProgramFixture.class,
                            host.controlSocket().toRealPath().toString(),
                            "init P 1 pid PID",
                            "execute P neuron0/neuron_core1 NRT_TIMEOUT 3",
                            "alloc P neuron0/neuron_core1 tensors 4096"))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try {
                assertThat(program.inputReader().lines().limit(3))
                        .containsExactly("ok pid " + program.pid() + " cores neuron0/neuron_core1", "ok", "ok 1");
                Path entry = host.directory().resolve("proc/" + program.pid());
                assertThat(Files.readSymbolicLink(entry.resolve("fd/3"))).hasToString("/dev/neuron0");
                assertThat(host.directory().resolve(TIMEOUTS)).hasContent("0\n");

                // when
                program.destroyForcibly();

                // then
                assertThat(program.waitFor()).isEqualTo(128 + 9);
                await().untilAsserted(() -> assertThat(entry).doesNotExist());
                assertThat(host.directory().resolve(TIMEOUTS)).hasContent("3\n");
                assertThat(host.directory().resolve(TENSORS)).hasContent("0\n");
                assertThat(host.processes()).isEmpty();
                assertThat(host.process("next").pid(program.pid()).init("1").alive())
                        .isTrue();
            } finally {
                program.destroyForcibly();
            }
        }
    }

    @Test
    void acceptsConnectionsOnceItsFileExists() throws Exception {
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("trn1.2xlarge").start()) {
            for (int i = 0; i < 100; i++) {
                Path root = Files.createDirectory(folder.resolve("root" + i));
                Path path = root.resolve(ControlSocket.NAME);

                // when
                CompletableFuture<ControlSocket> opened =
                        CompletableFuture.supplyAsync(() -> ControlSocket.open(host::openSession, root));
                while (!Files.exists(path) && !opened.isCompletedExceptionally()) {
                    Thread.onSpinWait();
                }

                // then
                SocketChannel.open(UnixDomainSocketAddress.of(path)).close();
                opened.get().close();
                assertThat(root).isEmptyDirectory();
            }
        }
    }

    @Test
    void processNamesArePerConnection() throws Exception {
        try (FakeNeuronHost host = host(folder.resolve("host"));
                Client one = Client.of(host);
                Client other = Client.of(host)) {
            assertThat(one.say("open P neuron0/neuron_core0")).startsWith("ok");
            assertThat(other.say("close P")).startsWith("error");
            assertThat(other.say("open P neuron0/neuron_core1")).startsWith("ok");
        }
    }

    @Test
    void quitEndsTheConnectionAndNotTheHost() throws Exception {
        try (FakeNeuronHost host = host(folder.resolve("host"))) {
            try (Client client = Client.of(host)) {
                assertThat(client.say("quit")).isEqualTo("ok");
                assertThat(client.answers().readLine()).isNull();
            }
            try (Client client = Client.of(host)) {
                assertThat(client.say("get " + TIMEOUTS)).isEqualTo("ok 0\\n");
            }
        }
    }

    @Test
    void coresAreFreeWhenAConnectionEnds() throws Exception {
        try (FakeNeuronHost host = host(folder.resolve("host"))) {
            for (int i = 0; i < 50; i++) {
                try (Client client = Client.of(host)) {
                    assertThat(client.say("open P neuron0/neuron_core1")).startsWith("ok");
                    assertThat(client.say("quit")).isEqualTo("ok");
                    assertThat(client.answers().readLine()).isNull();
                }
            }
        }
    }

    @Test
    void invalidBytesAndHugeLinesAreAnswered() throws Exception {
        try (FakeNeuronHost host = host(folder.resolve("host"));
                Client client = Client.of(host)) {
            client.channel().write(ByteBuffer.wrap(new byte[] {(byte) 0xff, (byte) 0xfe, '\n'}));
            assertThat(client.answers().readLine()).startsWith("error unknown command");

            assertThat(client.say("x".repeat(10_000_000))).isEqualTo("error the line is longer than 8192 bytes");
            assertThat(client.say("help")).startsWith("ok");
        }
    }

    @Test
    void acceptsManyConnectionsAtOnce() throws Exception {
        try (FakeNeuronHost host = host(folder.resolve("host"))) {
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                clients.add(Client.of(host));
            }
            for (Client client : clients) {
                assertThat(client.say("get " + TIMEOUTS)).isEqualTo("ok 0\\n");
                client.close();
            }
        }
    }

    @Test
    void onlyItsOwnerMayConnect() throws Exception {
        try (FakeNeuronHost host = host(folder.resolve("host"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(host.controlSocket())))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void longPathLinksToShortSocketAndBothAreRemoved() throws Exception {
        Path root = folder.resolve("x".repeat(120));
        Path real;
        try (FakeNeuronHost host = host(root);
                Client client = Client.of(host)) {
            real = host.controlSocket().toRealPath();
            assertThat(client.say("help")).startsWith("ok");
            assertThat(host.controlSocket()).isSymbolicLink();
        }
        assertThat(real.getParent()).doesNotExist();
        assertThat(root).doesNotExist();
    }
}
