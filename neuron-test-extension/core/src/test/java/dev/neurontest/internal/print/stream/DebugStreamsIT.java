package dev.neurontest.internal.print.stream;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.FakePrint;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.print.PrintSequence;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.patience.Patience;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintOrigin;
import dev.neurontest.runtime.LoadedModel;
import dev.neurontest.runtime.NeuronRuntime;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of debug streams through the functions of the stand-in library. */
class DebugStreamsIT {

    @AutoClose
    private final StreamFixture fixture;

    private final PrintLog log;

    DebugStreamsIT() throws IOException {
        fixture = new StreamFixture();
        log = new PrintLog(fixture::folder);
    }

    private DebugStreams open() {
        return DebugStreams.open(fixture.runtime(), StreamFixture.QUICK);
    }

    private StreamTap begin(DebugStreams streams, Integer... cores) {
        return streams.begin(List.of(cores), log);
    }

    /** Returns a log that blocks the reading thread, which requests the folder at the end of its first batch. */
    private PrintLog logAfter(CountDownLatch latch) {
        return new PrintLog(() -> folderAfter(latch));
    }

    private Path folderAfter(CountDownLatch latch) {
        try {
            assertThat(latch.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return fixture.folder();
    }

    @Nested
    class APrint {

        @Test
        void arrivesWithoutSettling() throws IOException {
            // given
            fixture.kernel()
                    .print(FakePrint.of("acc", "float32", 2, 2)
                            .arange()
                            .coreId(7)
                            .pipe(1));
            DebugStreams streams = open();
            StreamTap tap = begin(streams, 0, 1);

            // when
            fixture.execute(1);

            // then
            await().until(() -> tap.prints().size() == 1);
            DevicePrint print = tap.prints().get(0);
            assertThat(print)
                    .returns("acc", DevicePrint::prefix)
                    .returns("float32", DevicePrint::dtype)
                    .returns(List.of(2L, 2L), DevicePrint::shape)
                    .returns(1, DevicePrint::coreIndex)
                    .returns(7L, DevicePrint::coreId)
                    .returns(1L, DevicePrint::pipe)
                    .returns(PrintOrigin.STREAM, DevicePrint::origin);
            assertThat(Float.intBitsToFloat(print.data().intAt(12))).isEqualTo(3);
        }

        @Test
        void isCompleteAfterSettling() throws IOException {
            // given
            fixture.kernel().print(StreamFixture.counting("acc", 1000));
            StreamTap tap = begin(open(), 0);

            // when
            fixture.execute(0);
            tap.settle();

            // then
            assertThat(PrintSequence.of(tap.prints()).isWhole()).isTrue();
            assertThat(tap.prints()).hasSize(1000);
            assertThat(tap.doubts()).isEmpty();
        }

        @Test
        void isAwaitedWhenReadingExceedsSettleTime() throws Exception {
            // given
            fixture.kernel().print(StreamFixture.counting("acc", 20_000));
            CountDownLatch executed = new CountDownLatch(1);
            DebugStreams streams = DebugStreams.open(
                    fixture.runtime(), StreamOptions.DEFAULTS.settle(Duration.ofMillis(20), Duration.ofMillis(20)));
            StreamTap tap = streams.begin(List.of(0), logAfter(executed));

            // when
            fixture.execute(0);
            executed.countDown();
            tap.close();

            // then
            assertThat(tap.prints()).hasSize(20_000);
            assertThat(tap.doubts()).isEmpty();
            assertThat(streams.late()).isZero();
        }

        @Test
        void arrivesFromFailedExecution() throws IOException {
            // given
            fixture.kernel().print(FakePrint.of("before", "int32", 1)).status(NrtStatus.NRT_EXEC_OOB);
            StreamTap tap = begin(open(), 0);

            // when
            try (LoadedModel model = fixture.model(0)) {
                model.tryExecute(Map.of());
            }
            tap.close();

            // then
            assertThat(tap.prints()).extracting(DevicePrint::prefix).containsExactly("before");
        }

        @Test
        void containsLargeTensorWhole() throws IOException {
            // given
            fixture.kernel().print(FakePrint.of("big", "int32", 1 << 20).arange());
            StreamTap tap = begin(open(), 0);

            // when
            fixture.execute(0);
            tap.close();

            // then
            assertThat(tap.prints().get(0).data().size()).isEqualTo(4 << 20);
            assertThat(tap.prints().get(0).data().intAt((4 << 20) - 4)).isEqualTo((1 << 20) - 1);
        }
    }

    @Nested
    class AnOddEvent {

        @Test
        void isKeptWithoutLosingLaterPrints() throws IOException {
            // given
            fixture.kernel()
                    .event(9, 16, new byte[16])
                    .event(1, 1L << 40, new byte[] {1, 2, 3})
                    .event(1, Long.MIN_VALUE, new byte[] {1, 2, 3})
                    .event(1, 0, new byte[0])
                    .print(FakePrint.of("after", "int32", 1));
            StreamTap tap = begin(open(), 0);

            // when
            fixture.execute(0);
            tap.close();

            // then
            assertThat(tap.oddEvents()).hasSize(4);
            assertThat(tap.oddEvents().get(0).reason()).isEqualTo("the event type 9 is unknown");
            assertThat(tap.oddEvents().get(0).payload().size()).isEqualTo(16);
            assertThat(tap.oddEvents().get(2).reason())
                    .startsWith("the header promises 9223372036854775808 bytes, but there are ");
            assertThat(tap.prints()).extracting(DevicePrint::prefix).containsExactly("after");
            assertThat(tap.prints().get(0).order()).isEqualTo(4);
        }
    }

    @Nested
    class ATest {

        @Test
        void receivesNoPrintsFromBeforeIt() throws IOException {
            // given
            fixture.kernel().print(FakePrint.of("early", "int32", 1).times(3)).times(1);
            DebugStreams streams = open();
            fixture.execute(0);

            // when
            StreamTap tap = begin(streams, 0);
            tap.close();

            // then
            assertThat(tap.prints()).isEmpty();
            assertThat(streams.late()).isEqualTo(3);
        }

        @Test
        void receivesNoPrintsFromAfterIt() throws IOException {
            // given
            fixture.kernel().print(FakePrint.of("one", "int32", 1));
            DebugStreams streams = open();
            StreamTap first = begin(streams, 0);
            first.close();

            // when
            fixture.execute(0);
            StreamTap second = begin(streams, 0);
            fixture.execute(0);
            second.close();

            // then
            assertThat(first.prints()).isEmpty();
            assertThat(second.prints()).hasSize(1);
        }

        @Test
        void receivesNoPrintsOfOtherCores() throws IOException {
            // given
            fixture.kernel().print(FakePrint.of("one", "int32", 1));
            DebugStreams streams = open();
            StreamTap first = begin(streams, 0);
            StreamTap second = begin(streams, 1);

            // when
            fixture.execute(1);
            first.close();
            second.close();

            // then
            assertThat(first.prints()).isEmpty();
            assertThat(second.prints()).hasSize(1);
        }

        @Test
        void excludesOtherTestsFromItsCore() {
            // given
            DebugStreams streams = open();
            begin(streams, 0);

            // then
            assertThatThrownBy(() -> begin(streams, 1, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "Another test already collects the prints of core 0 of this process. Events do not name their test: run tests on one core one after the other.");
            assertThat(begin(streams, 1).doubts()).isEmpty();
        }

        @Test
        void keepsItsPrintsAfterRuntimeIsClosed() throws IOException {
            // given
            fixture.kernel().print(StreamFixture.counting("acc", 10));
            StreamTap tap = begin(open(), 0);
            fixture.execute(0);

            // when
            fixture.runtime().close();
            tap.settle();
            tap.close();

            // then
            assertThat(PrintSequence.of(tap.prints()).isWhole()).isTrue();
            assertThat(tap.prints()).hasSize(10);
        }

        @Test
        void closesAtOnceWithoutExecutions() throws IOException {
            // given
            DebugStreams streams = DebugStreams.open(
                    fixture.runtime(), StreamOptions.DEFAULTS.settle(Duration.ofHours(1), Duration.ofMillis(50)));
            StreamTap tap = begin(streams, 0);

            // when
            tap.close();

            // then
            assertThat(tap.doubts()).isEmpty();
        }

        @Test
        void isInDoubtWhenItsStreamDoesNotBecomeQuiet() throws Exception {
            // given
            fixture.kernel().print(FakePrint.of("acc", "int32", 1));
            DebugStreams streams = DebugStreams.open(
                    fixture.runtime(), StreamOptions.DEFAULTS.settle(Duration.ofHours(1), Duration.ofMillis(600)));
            StreamTap tap = begin(streams, 0);
            AtomicBoolean stop = new AtomicBoolean();
            ExecutorService executor = Executors.newSingleThreadExecutor();
            Future<?> printing = executor.submit(() -> {
                try (LoadedModel model = fixture.model(0)) {
                    while (!stop.get()) {
                        model.execute(Map.of());
                    }
                }
                return null;
            });
            await().until(() -> !tap.prints().isEmpty());

            // when
            tap.settle();
            stop.set(true);
            printing.get();
            executor.shutdown();

            // then
            assertThat(tap.doubts())
                    .containsExactly(
                            new PrintDoubt(
                                    PrintDoubt.Kind.UNSETTLED,
                                    "A debug stream did not stay empty for 3600000 ms within its time limit (600 ms) in the test. End executions first, or raise neuron.test.print.timeout."));
        }

        @Test
        void isInDoubtWhenExecutionOutlastsIt() throws Exception {
            // given
            fixture.kernel().hangs();
            fixture.runtime(Map.of("NEURON_RT_EXEC_TIMEOUT", "2"));
            StreamTap tap = begin(open(), 0);
            LoadedModel model = fixture.model(0);
            Thread executing = new Thread(() -> model.tryExecute(Map.of()));
            executing.start();
            await().until(() -> fixture.runtime().executionsBegun(List.of(0)) == 1);

            // when
            tap.close();
            long ended = fixture.runtime().executionsEnded(List.of(0));
            executing.join();
            model.close();

            // then
            assertThat(ended).isZero();
            assertThat(tap.doubts())
                    .containsExactly(
                            new PrintDoubt(
                                    PrintDoubt.Kind.UNSETTLED,
                                    "An execution was still running on cores [0] of this process when the test ended: its later prints are missing. Wait for executions to end before the test ends."));
        }

        @Test
        void canSettleWhileItsThreadIsInterrupted() throws IOException {
            // given
            fixture.kernel().print(FakePrint.of("acc", "int32", 1));
            StreamTap tap = begin(open(), 0);
            fixture.execute(0);

            // when
            Thread.currentThread().interrupt();
            tap.close();
            boolean interrupted = Thread.interrupted();

            // then
            assertThat(interrupted).isTrue();
            assertThat(tap.prints()).hasSize(1);
            assertThat(tap.doubts()).isEmpty();
        }
    }

    @Nested
    class AStream {

        @Test
        void causesDoubtWhenAlreadyConnectedElsewhere() {
            // given
            DebugStreams first = open();

            // when
            DebugStreams second = open();
            StreamTap tap = begin(second, 1);

            // then
            assertThat(first.doubts()).isEmpty();
            assertThat(tap.doubts())
                    .containsExactly(
                            new PrintDoubt(
                                    PrintDoubt.Kind.TAKEN,
                                    "nrt_debug_client_connect returned 2 (NRT_INVALID) for core 1 of this process: other code in it reads the debug stream, such as the consumer of a framework that NEURON_RT_DEBUG_OUTPUT_DIR enables, or this core has no stream. A stream has only one reader: unset that variable for this JVM."));
            assertThat(second.doubts()).hasSize(2);
        }

        @Test
        void canBeReconnectedAfterClose() {
            // given
            open().close();

            // then
            assertThat(open().doubts()).isEmpty();
        }

        @Test
        void causesDoubtWhenNotConnected() {
            // given
            DebugStreams streams = DebugStreams.open(fixture.runtime().library(), List.of(0), StreamFixture.QUICK);

            // when
            StreamTap tap = begin(streams, 1);

            // then
            assertThat(tap.doubts())
                    .containsExactly(new PrintDoubt(
                            PrintDoubt.Kind.UNAVAILABLE,
                            "The debug stream of core 1 of this process is not connected; connected are [0]."));
            streams.close();
        }

        @Test
        void isClosedWithRuntime() {
            // given
            DebugStreams streams = open();

            // when
            fixture.runtime().close();

            // then
            assertThatThrownBy(() -> begin(streams, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("The debug streams are closed. Begin the test before the runtime is closed.");
        }

        @Test
        void causesDoubtInLaterTestsAfterReaderFailed() throws IOException {
            // given
            fixture.kernel().print(FakePrint.of("acc", "int32", 1));
            DebugStreams streams = DebugStreams.open(fixture.runtime(), StreamFixture.QUICK);
            StreamTap first = streams.begin(List.of(0, 1), new PrintLog(() -> {
                throw new AssertionError("no folder");
            }));
            fixture.execute(0);
            first.close();

            // when
            StreamTap later = begin(streams, 1);
            later.close();

            // then
            String why =
                    "The debug stream of core %s is no longer read: the thread that reads it ended with java.lang.AssertionError: no folder. Later prints are missing.";
            assertThat(first.doubts())
                    .extracting(PrintDoubt::reason)
                    .containsExactly(why.formatted(0), why.formatted(1));
            assertThat(later.doubts()).extracting(PrintDoubt::reason).containsExactly(why.formatted(1));
        }

        @Test
        void keepsRuntimeOpenWhileBeingRead() throws Exception {
            // given
            fixture.kernel().print(FakePrint.of("acc", "int32", 1));
            NeuronRuntime runtime = fixture.runtime();
            DebugStreams streams =
                    DebugStreams.open(runtime, StreamFixture.QUICK.settle(Duration.ofMillis(5), Duration.ofMillis(50)));
            CountDownLatch goOn = new CountDownLatch(1);
            CountDownLatch reading = new CountDownLatch(1);
            StreamTap tap = streams.begin(List.of(0), new PrintLog(() -> {
                reading.countDown();
                return folderAfter(goOn);
            }));
            fixture.execute(0);
            assertThat(reading.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();

            // then
            assertThatThrownBy(runtime::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("did not return from nrt_debug_client_read_one_event");
            assertThat(fixture.fake().processes()).hasSize(1);

            // when
            goOn.countDown();
            runtime.close();

            // then
            assertThat(fixture.fake().processes()).isEmpty();
            assertThat(tap.prints()).hasSize(1);
        }

        @Test
        void dropsEventsWhenFullAndCausesDoubt() throws IOException {
            // given
            fixture.runtime(Map.of("NEURON_RT_DEBUG_STREAM_BUFFER_SIZE", "16"));
            fixture.kernel().print(StreamFixture.counting("acc", 20_000));
            StreamTap tap = begin(open(), 0);

            // when
            fixture.execute(0);
            fixture.kernel().reset();
            tap.close();

            // then
            PrintSequence sequence = PrintSequence.of(tap.prints());
            assertThat(tap.prints()).hasSizeLessThan(20_000);
            assertThat(sequence.falls()).isZero();
            assertThat(sequence.repeated()).isEmpty();
            assertThat(tap.isProven()).isFalse();
            assertThat(tap.doubts()).singleElement().satisfies(doubt -> {
                assertThat(doubt.kind()).isEqualTo(PrintDoubt.Kind.FULL);
                assertThat(doubt.reason())
                        .matches(
                                "The debug stream of core 0 of this process returned \\d{2,} events without being empty once, and holds 16 \\(NEURON_RT_DEBUG_STREAM_BUFFER_SIZE\\)\\. .*");
            });
        }

        @Test
        void causesDoubtAfterFailedRead() throws IOException {
            // given
            fixture.kernel()
                    .print(FakePrint.of("acc", "int32", 1))
                    .event((long) NrtStatus.NRT_RESOURCE.code() << Integer.SIZE, 0, new byte[0])
                    .print(FakePrint.of("acc", "int32", 1));
            DebugStreams streams = open();
            StreamTap tap = begin(streams, 0);

            // when
            fixture.execute(0);
            tap.close();

            // then
            assertThat(tap.prints()).hasSize(2);
            assertThat(tap.doubts())
                    .containsExactly(
                            new PrintDoubt(
                                    PrintDoubt.Kind.UNSETTLED,
                                    "nrt_debug_client_read_one_event returned 4 for core 0 of this process: an event may be lost. Check the runtime's log."));
            assertThat(tap.isProven()).isFalse();

            // when
            StreamTap next = begin(streams, 0);
            next.close();

            // then
            assertThat(next.isProven()).isTrue();
        }

        @Test
        void causesDoubtWhenClosedBeforeEmpty() throws Exception {
            // given
            fixture.kernel().print(StreamFixture.counting("acc", 200_000));
            CountDownLatch goOn = new CountDownLatch(1);
            DebugStreams streams = DebugStreams.open(
                    fixture.runtime().library(),
                    List.of(0),
                    StreamOptions.DEFAULTS
                            .settle(Duration.ofMillis(1), Duration.ofMillis(1))
                            .capacity(16));
            StreamTap tap = streams.begin(List.of(0), logAfter(goOn));
            fixture.execute(0);
            Thread closing = new Thread(streams::close);

            // when
            closing.start();
            await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
            goOn.countDown();
            closing.join();

            // then
            assertThat(tap.prints()).hasSizeLessThan(200_000);
            assertThat(tap.doubts())
                    .extracting(PrintDoubt::reason)
                    .contains(
                            "The debug stream of core 0 of this process was closed before it was empty: the last prints are missing. Let executions end before the runtime is closed.");
            assertThat(tap.isProven()).isFalse();
        }

        @Test
        void isProvenLosslessWhenEmptyOftenEnough() throws IOException {
            // given
            fixture.runtime(Map.of("NEURON_RT_DEBUG_STREAM_BUFFER_SIZE", "16"));
            fixture.kernel().print(StreamFixture.counting("acc", 14));
            StreamTap tap = begin(open(), 0);

            // when
            for (int round = 0; round < 10; round++) {
                fixture.execute(0);
                tap.settle();
            }
            tap.close();

            // then
            assertThat(tap.prints()).hasSize(140);
            assertThat(tap.doubts()).isEmpty();
            assertThat(tap.isProven()).isTrue();
        }

        @Test
        void causesDoubtWhenEventArrivesAndSizeIsUnknown() throws IOException {
            // given
            fixture.kernel().print(StreamFixture.counting("acc", 1));
            fixture.runtime();
            DebugStreams streams = DebugStreams.open(
                    fixture.runtime().library(),
                    List.of(0),
                    StreamOptions.DEFAULTS.settle(Duration.ZERO, Patience.LIMIT));
            StreamTap tap = begin(streams, 0);

            // when
            fixture.execute(0);
            tap.close();
            streams.close();

            // then
            assertThat(tap.prints()).hasSize(1);
            assertThat(tap.doubts())
                    .containsExactly(
                            new PrintDoubt(
                                    PrintDoubt.Kind.FULL,
                                    "The debug stream of core 0 of this process returned 1 event, and its capacity is unknown. It may have been full, and a full stream drops events silently. Set NEURON_RT_DEBUG_STREAM_BUFFER_SIZE to a power of two."));
        }

        @Test
        void hasCapacityOf262144Events() {
            // then
            assertThat(fixture.runtime().streamCapacity()).isEqualTo(262_144);
        }

        @Test
        void losesNothingOfABurstThatFits() throws IOException {
            // given
            fixture.kernel().print(StreamFixture.counting("acc", 65_536));
            StreamTap tap = begin(open(), 0);

            // when
            fixture.execute(0);
            tap.close();

            // then
            assertThat(tap.prints()).hasSize(65_536);
            assertThat(PrintSequence.of(tap.prints()).isWhole()).isTrue();
            assertThat(DevicePrints.of(tap, List.of()).completeness()).isEqualTo(DevicePrints.Completeness.PROVEN);
        }
    }

    @Nested
    class ALibraryWithoutDebugStreams {

        @Test
        void causesDoubtThatNamesMissingFunctions() throws IOException {
            // given
            try (StreamFixture old = new StreamFixture(runtime -> runtime.release("2.28.23.0"));
                    NeuronRuntime runtime = old.runtime()) {
                // when
                DebugStreams streams = DebugStreams.open(runtime, StreamFixture.QUICK);
                StreamTap tap = streams.begin(List.of(1), new PrintLog(old::folder));
                tap.close();

                // then
                assertThat(tap.doubts())
                        .containsExactly(new PrintDoubt(
                                PrintDoubt.Kind.UNAVAILABLE,
                                "The runtime %s has no debug stream: it lacks nrt_debug_client_connect, nrt_debug_client_connect_close, nrt_debug_client_read_one_event, which came with runtime 2.29.40 (SDK 2.27). Device prints need a newer runtime."
                                        .formatted(runtime.library().path())));
            }
        }
    }

    @Nested
    class AKilledJvm {

        @ParameterizedTest
        @ValueSource(ints = {1_000, 100_000})
        void leavesItsPrintsAndFreesItsCores(int count) throws Exception {
            // given
            fixture.kernel().print(StreamFixture.counting("acc", count));
            Process jvm = new ProcessBuilder(JvmCommand.program(
                            StreamingJvm.class,
                            fixture.fake().directory().toString(),
                            fixture.neff().toString(),
                            Integer.toString(count),
                            fixture.folder().toString()))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (BufferedReader said = jvm.inputReader()) {
                assertThat(said.readLine()).isEqualTo("read");
            }

            // when
            jvm.destroyForcibly().waitFor();

            // then
            try (UnreadPrints left = UnreadPrints.in(fixture.folder()).orElseThrow()) {
                assertThat(left.prints().size()).isEqualTo(count);
                assertThat(PrintSequence.of(left.prints().all()).isWhole()).isTrue();
            }
            await().until(() -> fixture.fake().processes().isEmpty());
            assertThat(fixture.fake()
                            .tree()
                            .read("sys/devices/virtual/neuron_device/neuron0/neuron_core0/stats/status/success/total"))
                    .asString(StandardCharsets.US_ASCII)
                    .matches("[1-9][0-9]*\\s*");
            assertThat(open().doubts()).isEmpty();
        }
    }

    @Nested
    class ManyThreads {

        @Test
        void printWhileStreamsAreClosed() throws Exception {
            // given
            fixture.kernel().print(StreamFixture.counting("acc", 50));
            // On a busy machine the threads print faster than the reader reads: closing then takes the full limit.
            DebugStreams streams = DebugStreams.open(
                    fixture.runtime(), StreamOptions.DEFAULTS.settle(Duration.ofMillis(20), Duration.ofSeconds(2)));
            StreamTap tap = begin(streams, 0, 1);
            AtomicBoolean stop = new AtomicBoolean();
            ExecutorService threads = Executors.newFixedThreadPool(4);
            List<Future<?>> running = new ArrayList<>();
            for (int core = 0; core < 2; core++) {
                LoadedModel model = fixture.model(core);
                running.add(threads.submit(() -> {
                    while (!stop.get()) {
                        model.execute(Map.of());
                    }
                }));
                running.add(threads.submit(() -> {
                    while (!stop.get()) {
                        tap.prints().forEach(DevicePrint::prefix);
                    }
                }));
            }
            await().until(() -> tap.prints().size() > 1000);

            // when
            streams.close();
            int atTheEnd = tap.prints().size();
            stop.set(true);
            for (Future<?> each : running) {
                each.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
            threads.shutdown();

            // then
            assertThat(tap.prints()).hasSize(atTheEnd);
            assertThat(tap.prints())
                    .allSatisfy(print -> assertThat(print.prefix()).isEqualTo("acc"));
            assertThat(tap.oddEvents()).isEmpty();
            assertThat(open().doubts()).isEmpty();
        }

        @Test
        @Tag("stress")
        void openAndCloseStreamsAgainAndAgain() throws IOException {
            // given
            fixture.kernel().print(StreamFixture.counting("acc", 3));

            // then
            for (int cycle = 0; cycle < 300; cycle++) {
                try (DebugStreams streams =
                                DebugStreams.open(fixture.runtime().library(), List.of(0, 1), StreamFixture.QUICK);
                        StreamTap tap = begin(streams, 0)) {
                    fixture.execute(0);
                    tap.settle();
                    assertThat(tap.prints()).hasSize(3);
                }
            }
        }
    }
}
