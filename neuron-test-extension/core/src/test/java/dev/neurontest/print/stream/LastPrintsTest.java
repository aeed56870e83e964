package dev.neurontest.print.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.patience.Patience;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintOrigin;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left of prints when this process ends at once. */
class LastPrintsTest {

    private static final String RUN = "run-17-9b2f0f5e-6c1d-4d0e-8a3e-1f2a3b4c5d6e";

    @TempDir
    private Path folder;

    private int made;
    private final List<String> problems = new ArrayList<>();
    private final LastPrints last =
            new LastPrints(() -> folder.resolve("%s.%s.prints".formatted(RUN, made++)), problems::add);

    private Path runFile;

    @BeforeEach
    void write() throws IOException {
        runFile = Files.createFile(folder.resolve(RUN + ".jsonl"));
    }

    private EventStore store(LastPrints.Recorder recorder) {
        return new EventStore(PrintOrigin.STREAM, 1 << 20, 1 << 16, () -> folder, recorder);
    }

    private LastPrints.Left onlyLeft() {
        assertThat(LastPrints.leftBy(runFile)).hasSize(1);
        return LastPrints.leftBy(runFile).get(0);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(".prints")).toList();
        }
    }

    @Test
    void areTheLastOfManyInTheirOrder() throws IOException {
        // given
        EventStore store = store(last.begin("[engine]/[test:t()]"));

        // when
        for (int number = 0; number < 100; number++) {
            store.add(EventFixture.counting("acc", number).source(), 3);
        }
        store.flush();

        // then
        LastPrints.Left left = onlyLeft();
        assertThat(left.isOf("[engine]/[test:t()]")).isTrue();
        assertThat(left.isOf("[engine]/[test:u()]")).isFalse();
        assertThat(left.events()).isEqualTo(100);
        assertThat(left.prints().all())
                .extracting(DevicePrint::order)
                .containsExactlyElementsOf(LongStream.range(36, 100).boxed().toList());
        assertThat(left.prints().get(63))
                .returns("acc", DevicePrint::prefix)
                .returns("int32", DevicePrint::dtype)
                .returns(3, DevicePrint::coreIndex)
                .returns(PrintOrigin.LEFT, DevicePrint::origin);
        assertThat(left.prints().get(63).data().intAt(0)).isEqualTo(99);
        assertThat(left.prints().completeness()).isEqualTo(DevicePrints.Completeness.DOUBTED);
        assertThat(left.prints().doubts())
                .extracting(PrintDoubt::reason)
                .containsExactly(
                        "The JVM ended while the test ran: of at least 100 events that had arrived, these are the last 64, with the first 3432 bytes of their values. What it had not yet read is lost.");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 127, 128, 129, 500})
    void areTheLastOfABurstWhateverItsLength(int length) throws IOException {
        // given
        EventStore store = store(last.begin("t"));

        // when
        for (int burst = 0; burst < 3; burst++) {
            for (int number = 0; number < length; number++) {
                store.add(EventFixture.counting("acc", burst * length + number).source(), 0);
            }
            store.flush();
        }

        // then
        List<Integer> expected = IntStream.range(Math.max(0, 3 * length - 64), 3 * length)
                .boxed()
                .toList();
        assertThat(onlyLeft().prints().all())
                .extracting(print -> print.data().intAt(0))
                .containsExactlyElementsOf(expected);
    }

    @Test
    void areTheBeginningOfALargeTensorAndWhatIsNoPrint() throws IOException {
        // given
        EventStore store = store(last.begin("t"));

        // when
        store.add(
                EventFixture.print("big")
                        .tensor("uint8", new long[] {500_000}, new byte[500_000])
                        .source(),
                0);
        store.add(EventFixture.print("odd").type(9).source(), 0);

        // then
        DevicePrints left = onlyLeft().prints();
        assertThat(left.all()).singleElement().satisfies(print -> {
            assertThat(print.prefix()).isEqualTo("big");
            assertThat(print.shape()).containsExactly(500_000L);
            assertThat(print.data().size()).isEqualTo(3432);
        });
        assertThat(left.oddEvents()).extracting(OddEvent::type).containsExactly(9L);
        assertThat(left.toJson()).contains("notDecoded");
    }

    @Test
    void areForgottenWhenTheTestIsOverAndTheFileServesTheNextOne() throws IOException {
        // given
        LastPrints.Recorder first = last.begin("first");
        store(first).add(EventFixture.counting("a", 1).source(), 0);

        // when
        first.forget();

        // then
        assertThat(LastPrints.leftBy(runFile)).isEmpty();

        // when
        store(last.begin("second")).add(EventFixture.counting("b", 2).source(), 0);

        // then
        assertThat(files()).hasSize(1);
        assertThat(onlyLeft().test()).isEqualTo("second");
        assertThat(onlyLeft().prints().all()).extracting(DevicePrint::prefix).containsExactly("b");
    }

    @Test
    void ofTestsThatRunAtTheSameTimeAreKeptApart() throws IOException {
        // when
        store(last.begin("a")).add(EventFixture.counting("a", 1).source(), 0);
        store(last.begin("b")).add(EventFixture.counting("b", 1).source(), 1);

        // then
        assertThat(LastPrints.leftBy(runFile)).extracting(LastPrints.Left::test).containsExactly("a", "b");
    }

    @Test
    void takeNoFileWhereNothingIsPrinted() throws IOException {
        // when
        last.begin("t").forget();

        // then
        assertThat(files()).isEmpty();
    }

    @Test
    void takeNoFileWhenAllTestsAreOver() throws IOException {
        // given
        LastPrints.Recorder over = last.begin("over");
        LastPrints.Recorder running = last.begin("running");
        store(over).add(EventFixture.counting("a", 1).source(), 0);
        store(running).add(EventFixture.counting("b", 1).source(), 0);
        over.forget();

        // when
        last.close();

        // then
        assertThat(onlyLeft().test()).isEqualTo("running");
        assertThat(files()).hasSize(1);

        // when
        running.forget();

        // then
        assertThat(files()).isEmpty();
    }

    @Test
    void areAProblemAndNoFailureWhereNoFileCanBeMade() throws IOException {
        // given
        LastPrints broken = new LastPrints(() -> folder.resolve("nowhere").resolve("x.prints"), problems::add);
        EventStore store = store(broken.begin("t"));

        // when
        store.add(EventFixture.counting("a", 1).source(), 0);
        store.add(EventFixture.counting("a", 2).source(), 0);

        // then
        assertThat(store.prints()).hasSize(2);
        assertThat(problems)
                .singleElement()
                .asString()
                .startsWith("The last device prints of running tests cannot be kept in a file: ")
                .endsWith("When this JVM is killed, they are lost.");
    }

    @Test
    void areNotReadFromWhatIsNoSuchFile() throws IOException {
        // given
        store(last.begin("t")).add(EventFixture.counting("a", 1).source(), 0);
        Path file = files().get(0);
        byte[] whole = Files.readAllBytes(file);
        Files.write(folder.resolve(RUN + ".x.prints"), new byte[whole.length]);
        Files.write(folder.resolve(RUN + ".y.prints"), new byte[3]);
        Files.createDirectory(folder.resolve(RUN + ".z.prints"));
        Path elsewhere = Files.write(folder.resolve("elsewhere"), whole);
        Files.createSymbolicLink(folder.resolve(RUN + ".l.prints"), elsewhere);

        // then
        assertThat(LastPrints.leftBy(runFile)).hasSize(1);
        assertThat(LastPrints.leftBy(folder.resolve("gone").resolve("run.jsonl")))
                .isEmpty();
    }

    @Test
    void areNotAnEventThatWasBeingCopied() throws IOException {
        // given
        EventStore store = store(last.begin("t"));
        store.add(EventFixture.counting("a", 1).source(), 0);
        store.add(EventFixture.counting("b", 2).source(), 0);
        Path file = files().get(0);
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(4096 + 4096, 0);
        // Lengths that are none.
        bytes.putInt(4096 + 20, -5);
        Files.write(file, bytes.array());

        // then
        assertThat(onlyLeft().prints().all()).isEmpty();
    }

    @Test
    void areNotWaitedForWhereAPipeLies() throws Exception {
        // given
        assumeThat(new ProcessBuilder(
                                "mkfifo", folder.resolve(RUN + ".x.prints").toString())
                        .start()
                        .waitFor())
                .isZero();

        // then
        assertThat(CompletableFuture.supplyAsync(() -> LastPrints.leftBy(runFile)))
                .succeedsWithin(Patience.LIMIT)
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .isEmpty();
    }

    @Test
    void haveNoFilesOfTheirOwn() throws IOException {
        // given
        store(last.begin("t")).add(EventFixture.counting("a", 1).source(), 0);

        // then
        assertThat(onlyLeft().prints().toJson()).doesNotContain("\"file\"").contains("\"notAttached\":1");
    }
}
