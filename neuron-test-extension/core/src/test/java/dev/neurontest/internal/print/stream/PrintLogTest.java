package dev.neurontest.internal.print.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.internal.print.GivenFeed;
import dev.neurontest.internal.print.PrintFailure;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.patience.Patience;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintExpectation;
import dev.neurontest.print.PrintExpectations;
import dev.neurontest.print.PrintOrigin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrintLogTest {

    @TempDir
    private Path parent;

    private Path folder;
    private Path file;
    private PrintLog log;
    private EventStore store;

    @BeforeEach
    void create() throws IOException {
        folder = Files.createDirectory(parent.resolve("test"));
        file = folder.resolve(PrintLog.NAME);
        bound(1L << 32);
    }

    private void bound(long bytes) {
        log = new PrintLog(() -> folder, bytes);
        store = new EventStore(PrintOrigin.STREAM, log);
    }

    private void add(int from, int to) throws IOException {
        for (int number = from; number < to; number++) {
            store.add(EventFixture.counting("acc", number).source(), 3);
        }
    }

    private static EventFixture large(int size) {
        byte[] values = new byte[size];
        Arrays.fill(values, (byte) 3);
        values[size - 1] = 7;
        return EventFixture.print("large").tensor("uint8", new long[] {size}, values);
    }

    private static List<Integer> numbers(List<DevicePrint> prints) {
        return prints.stream().map(print -> print.data().intAt(0)).toList();
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    private String onlyReason() {
        assertThat(store.doubts()).extracting(PrintDoubt::kind).containsExactly(PrintDoubt.Kind.LOST);
        return store.doubts().get(0).reason();
    }

    private DevicePrints left() {
        return UnreadPrints.in(folder).orElseThrow().prints();
    }

    @Nested
    class File {

        @Test
        void isPrivateAndExistsFromFirstEventUntilClose() throws IOException {
            // when
            store.flush();

            // then
            assertThat(file).doesNotExist();

            // when
            add(0, 1);
            store.flush();

            // then
            assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));

            // when
            List<DevicePrint> prints = store.prints();
            log.close();

            // then
            assertThat(folder).doesNotExist();
            assertThatThrownBy(() -> prints.get(0))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("A device print cannot be read: the prints of a test can be read until it ends");
        }

        @Test
        void holdsMoreThanBufferAndLargeTensors() throws IOException {
            // when
            add(0, 5_000);
            store.add(large(3_000_000).source(), 0);
            add(5_000, 6_000);

            // then
            List<DevicePrint> prints = store.prints();
            assertThat(numbers(prints.subList(0, 5_000))).isEqualTo(range(0, 5_000));
            assertThat(numbers(prints.subList(5_001, 6_001))).isEqualTo(range(5_000, 6_000));
            assertThat(prints.get(5_000).data().byteAt(2_999_999)).isEqualTo((byte) 7);
            assertThat(prints.get(5_000).data().longAt((64 << 10) - 4)).isEqualTo(0x0303030303030303L);
            assertThat(store.doubts()).isEmpty();
        }

        @Test
        void staysOpenWhenThreadsAreInterrupted() throws IOException {
            // when
            Thread.currentThread().interrupt();
            add(0, 2);
            store.flush();
            List<Integer> read = numbers(store.prints());
            boolean interrupted = Thread.interrupted();

            // then
            assertThat(interrupted).isTrue();
            assertThat(read).containsExactly(0, 1);
            assertThat(store.doubts()).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"link", "pipe", "file"})
        void isNotCreatedOverExistingPath(String kind) throws Exception {
            // given
            Path target = Files.writeString(parent.resolve("target"), "mine");
            switch (kind) {
                case "link" -> Files.createSymbolicLink(file, target);
                case "pipe" ->
                    assumeThat(new ProcessBuilder("mkfifo", file.toString())
                                    .start()
                                    .waitFor())
                            .isZero();
                default -> Files.writeString(file, "mine");
            }

            // when
            add(0, 1);
            store.flush();
            add(1, 3);

            // then
            assertThat(numbers(store.prints())).containsExactly(0);
            assertThat(onlyReason())
                    .isEqualTo(
                            "2 events with 2056 bytes arrived, but could not be written to the file of the test's prints (java.nio.file.FileAlreadyExistsException: %s). Print less, or free disk space."
                                    .formatted(file));
            assertThat(target).hasContent("mine");
        }

        @Test
        void countsEventsBeyondItsSizeLimit() throws IOException {
            // given
            bound(100_000);

            // when
            add(0, 1_000);
            int kept = store.prints().size();

            // then
            assertThat(kept).isBetween(100, 300);
            assertThat(numbers(store.prints())).isEqualTo(range(0, kept));
            assertThat(store.arrived()).isEqualTo(1_000);
            assertThat(onlyReason())
                    .startsWith("%s events with %s bytes arrived".formatted(1_000 - kept, (1_000 - kept) * 1_028))
                    .contains("bytes, and its limit is 100000");
            store.flush();
            assertThat(Files.size(file)).isLessThanOrEqualTo(100_000);
        }

        @ParameterizedTest
        @CsvSource({"small, 100000", "large, 4"})
        void keepsEventsWhenItCannotGrow(String size, int count) throws Exception {
            // when
            List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -f 4096; exec \"$@\"", "sh"));
            command.addAll(JvmCommand.program(Full.class, folder.toString(), size, Integer.toString(count)));
            String said = run(command);

            // then
            assertThat(said).matches("(?s)kept all of [1-9]\\d*, lost .*\\(java.io.IOException: File too large\\).*");
            try (UnreadPrints left = UnreadPrints.in(folder).orElseThrow()) {
                assertThat(left.prints().size()).isPositive().isLessThan(count);
                assertThat(left.prints().doubts().get(0).reason()).doesNotContain("truncated");
            }
        }
    }

    @Nested
    class Heap {

        @Test
        void isNotFilledByFullRingAndLargeTensors() throws Exception {
            // when
            String said = run(JvmCommand.program(List.of("-Xmx64m"), SmallHeap.class, folder.toString()));

            // then
            assertThat(said).isEqualTo("262244 prints, []");
        }
    }

    private static String run(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        return said;
    }

    /** A JVM with a small heap that reads all prints like a test and its report. */
    static final class SmallHeap {

        private SmallHeap() {}

        public static void main(String[] arguments) throws IOException {
            EventStore store = new EventStore(PrintOrigin.STREAM, new PrintLog(() -> Path.of(arguments[0])));
            EventFixture small = EventFixture.counting("acc", 1);
            for (int number = 0; number < 1 << 18; number++) {
                store.add(small.source(), 0);
            }
            EventFixture large = large(1 << 20);
            for (int number = 0; number < 100; number++) {
                store.add(large.source(), 0);
            }
            DevicePrints prints = DevicePrints.of(
                    new GivenFeed(store.prints(), store.oddEvents(), store.doubts(), store.notices(), true), List.of());
            PrintExpectations rules = PrintExpectations.builder()
                    .expect(PrintExpectation.of("acc").exactly(1 << 18).withoutNaN())
                    .expect(PrintExpectation.of("large").exactly(100))
                    .build();
            List<DevicePrint> all = prints.all();
            long ends = prints.withPrefix("large").all().stream()
                    .filter(print -> print.data().byteAt((1 << 20) - 1) == 7)
                    .count();
            if (ends != 100 || prints.toText().isEmpty() || prints.toJson().isEmpty()) {
                throw new IllegalStateException("some are missing");
            }
            System.out.printf(
                    "%d prints, %s",
                    all.size(), PrintFailure.judged(rules, prints).judgement().violations());
        }
    }

    /** A JVM with a limit on the size of files, like on a full disk. */
    static final class Full {

        private Full() {}

        public static void main(String[] arguments) throws IOException {
            EventStore store = new EventStore(PrintOrigin.STREAM, new PrintLog(() -> Path.of(arguments[0])));
            int count = Integer.parseInt(arguments[2]);
            for (int number = 0; number < count; number++) {
                EventFixture event =
                        arguments[1].equals("large") ? large(1 << 20) : EventFixture.counting("acc", number);
                store.add(event.source(), 0);
            }
            int kept = store.prints().size();
            boolean all = arguments[1].equals("large")
                    ? store.prints().stream().allMatch(print -> print.data().byteAt((1 << 20) - 1) == 7)
                    : numbers(store.prints()).equals(range(0, kept));
            System.out.printf("kept %s of %d, lost %s", all ? "all" : "some", kept, store.doubts());
        }
    }

    @Nested
    class LogOfEndedJvm {

        @Test
        void containsAllEvents() throws IOException {
            // given
            add(0, 1_000);
            store.add(large(200_000).source(), 0);
            store.add(EventFixture.print("odd").type(9).source(), 1);
            store.flush();

            // when
            DevicePrints left = left();

            // then
            assertThat(numbers(left.all().subList(0, 1_000))).isEqualTo(range(0, 1_000));
            assertThat(left.get(999))
                    .returns("acc", DevicePrint::prefix)
                    .returns("int32", DevicePrint::dtype)
                    .returns(3, DevicePrint::coreIndex)
                    .returns(999L, DevicePrint::order)
                    .returns(PrintOrigin.LEFT, DevicePrint::origin)
                    .returns(store.prints().get(999).arrived(), DevicePrint::arrived);
            assertThat(left.get(999).reserved().byteAt(415)).isEqualTo((byte) 9);
            assertThat(left.get(1_000).data().byteAt(199_999)).isEqualTo((byte) 7);
            assertThat(left.oddEvents()).extracting(OddEvent::reason).containsExactly("the event type 9 is unknown");
            assertThat(left.completeness()).isEqualTo(DevicePrints.Completeness.DOUBTED);
            assertThat(left.doubts())
                    .extracting(PrintDoubt::reason)
                    .containsExactly(
                            "The JVM ended while the test ran: only the events that it had read (1002) are included. Later events are lost.");
            assertThat(left.toJson()).doesNotContain("\"file\"").contains("\"notAttached\":1001");
        }

        @ParameterizedTest
        @ValueSource(longs = {1, 4, 100, 400, 560, 600})
        void reportsTruncatedEvent(long missing) throws IOException {
            // given
            add(0, 2);
            store.flush();
            long whole = Files.size(file);
            add(2, 3);
            store.flush();
            long end = Math.max(whole + 1, Files.size(file) - missing);
            try (FileChannel cut = FileChannel.open(file, StandardOpenOption.WRITE)) {
                cut.truncate(end);
            }

            // then
            assertThat(numbers(left().all())).containsExactly(0, 1);
            assertThat(left().doubts())
                    .extracting(PrintDoubt::reason)
                    .containsExactly(
                            "The JVM ended while the test ran: only the events that it had read (2) are included, without a truncated event: the last %s bytes of the file are not a complete event. Later events are lost."
                                    .formatted(end - whole));
        }

        @ParameterizedTest
        @CsvSource({
            "'PRNTSLOG\2\0\0\0\0\0\0\0', 'not a file of prints of version 1: it begins with 50524e54534c4f470200000000000000'",
            "PRN, 'not a file of prints of version 1: it begins with 50524e'",
            "'', 'empty, as on a full disk'"
        })
        void isUnreadableInOtherFormat(String content, String reason) throws IOException {
            // given
            Files.write(file, content.getBytes(StandardCharsets.US_ASCII));

            // then
            assertThat(left().isEmpty()).isTrue();
            assertThat(left().doubts())
                    .containsExactly(new PrintDoubt(
                            PrintDoubt.Kind.UNREADABLE,
                            "The prints that the JVM has left in %s cannot be read: java.io.IOException: %s is %s"
                                    .formatted(file, file, reason)));
        }

        @Test
        void isNotReadThroughALinkOrPipe() throws Exception {
            // given
            Files.createSymbolicLink(file, Files.writeString(parent.resolve("target"), "other"));

            // then
            assertThat(left().doubts()).extracting(PrintDoubt::kind).containsExactly(PrintDoubt.Kind.UNREADABLE);

            // given
            Files.delete(file);
            assumeThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                    .isZero();

            // then
            assertThat(CompletableFuture.supplyAsync(PrintLogTest.this::left))
                    .succeedsWithin(Patience.LIMIT)
                    .returns(true, DevicePrints::isEmpty);
        }

        @Test
        void isAbsentWithoutPrints() {
            // then
            assertThat(UnreadPrints.in(folder)).isEmpty();
            assertThat(UnreadPrints.in(parent.resolve("nowhere"))).isEmpty();
        }
    }
}
