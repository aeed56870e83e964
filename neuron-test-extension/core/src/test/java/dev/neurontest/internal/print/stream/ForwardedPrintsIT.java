package dev.neurontest.internal.print.stream;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.internal.print.child.PrintedText;
import dev.neurontest.patience.Patience;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the messages of processes on the socket, byte by byte. */
class ForwardedPrintsIT {

    @TempDir
    private Path folder;

    @AutoClose
    private ForwardedPrints prints;

    @BeforeEach
    void listen() throws IOException {
        listen(Patience.LIMIT);
    }

    private void listen(Duration patience) throws IOException {
        prints = ForwardedPrints.listen(
                folder, StreamOptions.DEFAULTS.settle(Duration.ofMillis(1), patience), new PrintLog(() -> folder));
    }

    @Test
    void socketIsAccessibleOnlyToItsUser() throws IOException {
        // then
        assertThat(Files.getPosixFilePermissions(prints.address()))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    private SocketChannel connect(ByteBuffer... said) throws IOException {
        SocketChannel process = SocketChannel.open(UnixDomainSocketAddress.of(prints.address()));
        for (ByteBuffer each : said) {
            process.write(each);
        }
        return process;
    }

    private static ByteBuffer hello(int version, int pid) {
        return ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put("NTPRINTS".getBytes(StandardCharsets.US_ASCII))
                .putInt(version)
                .putInt(pid)
                .flip();
    }

    private static ByteBuffer frame(int kind, int core, byte[] content) {
        return ByteBuffer.allocate(16 + content.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(kind)
                .putInt(core)
                .putLong(content.length)
                .put(content)
                .flip();
    }

    private static ByteBuffer event(int core, EventFixture event) {
        byte[] payload = event.payload();
        return frame(
                1,
                core,
                ByteBuffer.allocate(64 + payload.length)
                        .put(event.header())
                        .put(payload)
                        .array());
    }

    private static ByteBuffer end() {
        return frame(6, 0, new byte[0]);
    }

    @Test
    void collectsPrintsOfSeveralProcesses() throws IOException {
        // given
        connect(hello(1, 11), event(3, EventFixture.counting("a", 1)), end()).close();
        connect(hello(1, 12), event(4, EventFixture.counting("b", 2)), end()).close();

        // when
        prints.close();

        // then
        assertThat(prints.prints())
                .extracting(print ->
                        print.prefix() + print.coreIndex() + print.data().intAt(0))
                .containsExactlyInAnyOrder("a31", "b42");
        assertThat(prints.doubts()).isEmpty();
    }

    static Stream<Arguments> conversations() {
        ByteBuffer half = event(0, EventFixture.counting("acc", 1)).limit(500);
        byte[] run = ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(15)
                .putLong(16)
                .array();
        return Stream.of(
                Arguments.of(
                        "a run as long as the ring",
                        List.of(event(0, EventFixture.counting("a", 1)), frame(8, 2, run), end()),
                        1,
                        PrintDoubt.Kind.FULL,
                        "The debug stream of core 2 of process 11 returned 15 events without being empty once, and holds 16 (NEURON_RT_DEBUG_STREAM_BUFFER_SIZE). It may have been full, and a full stream drops events silently. Print less at once, or set that variable to a larger power of two."),
                Arguments.of(
                        "a process that vanishes",
                        List.of(event(0, EventFixture.counting("acc", 1))),
                        1,
                        PrintDoubt.Kind.UNSETTLED,
                        "Process 11 ended without confirming that it had forwarded everything, for example because it was killed or called os._exit. Its last prints may be missing."),
                Arguments.of(
                        "a process that vanishes in a print",
                        List.of(half),
                        0,
                        PrintDoubt.Kind.UNREADABLE,
                        "The prints that process 11 forwards cannot be read (java.io.EOFException). Its later prints are missing."),
                Arguments.of(
                        "a stream of somebody else",
                        List.of(frame(3, 2, new byte[] {2, 0, 0, 0}), end()),
                        0,
                        PrintDoubt.Kind.TAKEN,
                        "nrt_debug_client_connect returned 2 (NRT_INVALID) for core 2 of process 11: other code in it reads the debug stream, such as a framework's own consumer. A stream has only one reader: disable that consumer, or collect its files instead."));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("conversations")
    void doubtsPrintsOfFaultyConversation(
            String name, List<ByteBuffer> said, int prints, PrintDoubt.Kind kind, String reason) throws IOException {
        // given
        SocketChannel process = connect(hello(1, 11));
        for (ByteBuffer each : said) {
            process.write(each);
        }
        process.close();

        // when
        this.prints.close();

        // then
        assertThat(this.prints.prints()).hasSize(prints);
        assertThat(this.prints.doubts()).containsExactly(new PrintDoubt(kind, reason));
    }

    @Test
    void keepsLargeTensor() throws IOException {
        // given
        byte[] large = new byte[1_500_000];
        large[1_499_999] = 7;
        connect(hello(1, 11), event(0, EventFixture.print("big").tensor("uint8", new long[] {1_500_000}, large)), end())
                .close();

        // when
        prints.close();

        // then
        assertThat(prints.prints().get(0).data().byteAt(1_499_999)).isEqualTo((byte) 7);
        assertThat(folder).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void settlingRequestsAllPrintsOfRunningProcess() throws Exception {
        // given
        SocketChannel process = connect(hello(1, 11));
        Thread answering = new Thread(() -> {
            try {
                for (int number = 1; ; number++) {
                    ByteBuffer asked = ByteBuffer.allocate(8);
                    while (asked.hasRemaining() && process.read(asked) >= 0) {
                        // The loop runs until the message is complete.
                    }
                    if (number == 1) {
                        process.write(event(0, EventFixture.counting("acc", number)));
                    }
                    process.write(frame(5, 0, asked.array()));
                }
            } catch (IOException closed) {
                // The test is over.
            }
        });
        answering.start();

        // when
        prints.settle();

        // then
        assertThat(prints.prints()).hasSize(1);
        assertThat(prints.doubts()).isEmpty();
        process.close();
        answering.join();
    }

    @Test
    void silentProcessCausesDoubt() throws IOException {
        // given
        prints.close();
        listen(Duration.ofMillis(300));
        SocketChannel process = connect(hello(1, 11));

        // when
        prints.settle();

        // then
        assertThat(prints.doubts())
                .containsExactly(
                        new PrintDoubt(
                                PrintDoubt.Kind.UNSETTLED,
                                "Process 11 did not confirm within 300 ms that it has forwarded all of its prints: it may be busy without releasing Python's lock."));
        process.close();
    }

    @Test
    void settlingEndsDespiteSilentProcessWhileAnotherPrints() throws Exception {
        // given
        prints.close();
        listen(Duration.ofMillis(300));
        SocketChannel stuck = connect(hello(1, 11));
        SocketChannel other = connect(hello(1, 12));
        other.configureBlocking(false);
        Thread printing = new Thread(() -> {
            try {
                while (true) {
                    other.write(event(0, EventFixture.counting("acc", 1)));
                    ByteBuffer asked = ByteBuffer.allocate(8);
                    if (other.read(asked) == 8) {
                        other.write(frame(5, 0, asked.array()));
                    }
                    Thread.sleep(20);
                }
            } catch (IOException | InterruptedException over) {
                // The test is over.
            }
        });
        printing.start();
        Thread settling = new Thread(prints::settle);

        // when
        settling.start();
        settling.join(Patience.LIMIT.toMillis());
        boolean isOver = !settling.isAlive();
        printing.interrupt();
        printing.join();
        settling.join();

        // then
        assertThat(isOver).isTrue();
        assertThat(prints.doubts())
                .extracting(PrintDoubt::reason)
                .singleElement()
                .asString()
                .startsWith("Process 11 did not confirm within 300 ms");
        stuck.close();
        other.close();
    }

    @Test
    void malformedFrameEndsReadingOfThatProcessOnly() throws IOException {
        // given
        connect(hello(1, 11), frame(77, 0, new byte[3])).close();
        connect(hello(1, 12), frame(1, 0, new byte[5])).close();
        connect(hello(9, 13)).close();
        connect(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)))
                .close();
        connect(hello(1, 14), event(0, EventFixture.counting("acc", 1)), end()).close();

        // when
        prints.close();

        // then
        assertThat(prints.prints()).hasSize(1);
        assertThat(prints.doubts())
                .extracting(PrintDoubt::reason)
                .hasSize(4)
                .contains(
                        "The prints that process 11 forwards cannot be read (java.io.IOException: there is no frame of kind 77 with 3 bytes). Its later prints are missing.",
                        "The prints that process 12 forwards cannot be read (java.io.IOException: there is no frame of kind 1 with 5 bytes). Its later prints are missing.",
                        "The prints that process 13 forwards cannot be read (java.io.IOException: its version is 9). Its later prints are missing.");
    }

    @Test
    void settlesInInterruptedThread() throws IOException {
        // given
        connect(hello(1, 11), event(0, EventFixture.counting("acc", 1)), end()).close();

        // when
        Thread.currentThread().interrupt();
        prints.settle();
        boolean interrupted = Thread.interrupted();

        // then
        assertThat(interrupted).isTrue();
        assertThat(prints.prints()).hasSize(1);
        assertThat(prints.doubts()).isEmpty();
    }

    @Test
    void socketIsElsewhereWhenFolderPathIsTooLong() throws IOException {
        // given
        Path deep = Files.createDirectory(folder.resolve("d".repeat(120)));

        // when
        ForwardedPrints elsewhere = ForwardedPrints.listen(deep, StreamOptions.DEFAULTS, new PrintLog(() -> deep));
        Path address = elsewhere.address();
        boolean there = Files.exists(address);
        elsewhere.close();

        // then
        assertThat(there).isTrue();
        await().until(() -> !Files.exists(address.getParent()));
    }

    @Test
    void mergesFeedsInOrderOfArrival() throws IOException {
        // given
        PrintFeed text = PrintedText.of("t int32 (1,) [1]\n", java.util.Set.of(), 0);
        connect(hello(1, 11), event(0, EventFixture.print("f").type(5)), event(0, EventFixture.print("f")), end())
                .close();
        prints.close();

        // when
        PrintFeed both = PrintFeed.of(List.of(prints, text));

        // then
        assertThat(both.prints()).extracting(DevicePrint::prefix).containsExactly("t", "f");
        assertThat(both.prints()).extracting(DevicePrint::order).containsExactly(0L, 2L);
        assertThat(both.oddEvents()).extracting(OddEvent::order).containsExactly(1L);
    }
}
