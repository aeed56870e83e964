package dev.neurontest.internal.print.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.neurontest.assertj.NeuronAssertions;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.print.GivenFeed;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.internal.print.stream.EventFixture;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintExpectation;
import dev.neurontest.print.PrintExpectations;
import dev.neurontest.print.PrintFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of streams, events and outputs with errors, for a test that expects two prints without NaN. None of them
 * passes: the expectation is violated or undecided with a reason, and so is the same assertion.
 */
class FalseGreenPrintsTest {

    private static final PrintExpectations TWO_WITHOUT_NAN = PrintExpectations.builder()
            .expect(PrintExpectation.of("acc").exactly(2).withoutNaN())
            .build();

    @TempDir
    private Path folder;

    /** A source of the prints of a test. */
    private interface Source {
        PrintFeed in(Path folder) throws IOException;
    }

    private static Arguments bad(String name, Source source) {
        return arguments(name, source);
    }

    private static EventFixture good() {
        return values("float32", 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40);
    }

    private static EventFixture values(String dtype, int... bytes) {
        return EventFixture.print("acc").tensor(dtype, new long[] {shape(dtype, bytes.length)}, bytes(bytes));
    }

    private static long shape(String dtype, int bytes) {
        return switch (dtype) {
            case "float64" -> bytes / 8;
            case "float32", "float32r", "tfloat32", "float8e4m3fn_x4" -> bytes / 4;
            case "float16", "bfloat16" -> bytes / 2;
            default -> bytes;
        };
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    private static Source coming(EventFixture... events) {
        return folder -> EventFixture.stored(folder, events);
    }

    private static Arguments third(String name, EventFixture event) {
        return bad("a third event " + name, coming(good(), good(), event));
    }

    private static Arguments second(String name, EventFixture event) {
        return bad("the second event " + name, coming(good(), event));
    }

    private static Stream<Arguments> events() {
        EventFixture lastOfMany =
                EventFixture.print("acc").tensor("bfloat16", new long[] {128, 128}, lastOf(2 * 128 * 128, 0xc0, 0x7f));
        return Stream.of(
                bad("no event comes", coming()),
                bad("one event is missing", coming(good())),
                third("is one too many", good()),
                second("has a blank after its prefix", EventFixture.print("acc ")),
                second("has another case", EventFixture.print("Acc")),
                second("has no prefix", EventFixture.print("")),
                second("is of a type that is not known", good().type(2)),
                second("says more values than came", good().saysData(1 << 20)),
                third("says more values than came", good().saysData(1 << 20)),
                third("says values beyond 63 bits", good().saysData(Long.MIN_VALUE)),
                third("has more elements than bytes", good().shape(3)),
                third("has fewer elements than bytes", good().shape(1)),
                third("has a dimension of 0 inside", good().shape(2, 0, 1)),
                third("has a negative dimension", good().shape(-2)),
                third("has a shape that overflows", good().shape(1L << 40, 1L << 40)),
                third("is cut in its fixed part", good().cutTo(1000)),
                third("is cut in its prefix", good().cutTo(100)),
                third("has nothing", good().cutTo(0)),
                third("promises more than came", good().promises(1 << 20)),
                third("promises what cannot be", good().promises(Long.MIN_VALUE)),
                second("is NaN", values("float32", 0, 0, 0xc0, 0x7f)),
                second("is NaN with a sign", values("float32", 0, 0, 0xc0, 0xff)),
                second("is a signalling NaN", values("float32", 1, 0, 0x80, 0x7f)),
                second("is NaN in float64", values("float64", 0, 0, 0, 0, 0, 0, 0xf8, 0x7f)),
                second("is NaN in float16", values("float16", 1, 0x7c)),
                second("is NaN in bfloat16", values("bfloat16", 0xc0, 0x7f)),
                second("is NaN in tfloat32", values("tfloat32", 0, 0, 0xc0, 0x7f)),
                second("is NaN in float32r", values("float32r", 0, 0, 0xc0, 0x7f)),
                second("is NaN in float8e3m4", values("float8e3m4", 0x71)),
                second("is NaN in float8e4m3", values("float8e4m3", 0x79)),
                second("is NaN in float8e4m3fn", values("float8e4m3fn", 0x7f)),
                second("is NaN in float8e5m2", values("float8e5m2", 0x7d)),
                second("is NaN in float8e8m0fnu", values("float8e8m0fnu", 0xff)),
                second("is NaN in a packed dtype", values("float8e4m3fn_x4", 0, 0, 0, 0x7f)),
                second("is NaN at the end of a tile", lastOfMany),
                second("has a dtype that is not known", values("mystery", 0, 0, 0xc0, 0x7f)),
                second("has no dtype", values("", 0, 0, 0xc0, 0x7f)),
                second("has NaN as integers of no known width", values("int24", 0, 0, 0xc0)));
    }

    private static byte[] lastOf(int size, int... last) {
        byte[] bytes = new byte[size];
        System.arraycopy(bytes(last), 0, bytes, size - last.length, last.length);
        return bytes;
    }

    private static Stream<Arguments> streams() {
        Stream<Arguments> doubts = Arrays.stream(PrintDoubt.Kind.values())
                .map(kind -> bad("a stream is in doubt: " + kind, folder -> {
                    PrintFeed whole = coming(good(), good()).in(folder);
                    return new GivenFeed(
                            whole.prints(), List.of(), List.of(new PrintDoubt(kind, "seen")), List.of(), false);
                }));
        return Stream.concat(
                doubts,
                Stream.of(
                        bad("an event cannot be kept", folder -> {
                            Files.createFile(folder.resolve("f"));
                            return EventFixture.stored(
                                    1 << 10,
                                    folder.resolve("f").resolve("g"),
                                    good(),
                                    good(),
                                    EventFixture.print("acc").tensor("uint8", new long[] {1 << 16}, new byte[1 << 16]));
                        }),
                        bad(
                                "one of two ways is in doubt",
                                folder -> PrintFeed.of(List.of(
                                        coming(good(), good()).in(folder),
                                        new PrintFixture().doubt(PrintDoubt.Kind.TAKEN, "seen")))),
                        bad(
                                "one of two ways brought what cannot be read",
                                folder -> PrintFeed.of(List.of(
                                        coming(good(), good()).in(folder),
                                        coming(good().shape(3)).in(folder))))));
    }

    private static Arguments text(String name, String more) {
        return bad("output: " + name, folder -> PrintedText.of("acc float32 (2,) [1 2]\n" + more, Set.of(), 0));
    }

    private static Stream<Arguments> outputs() {
        String another = "acc float32 (2,) [1 2]\n";
        return Stream.of(
                text("has one print", ""),
                text("has three prints", another + another),
                text("ends before the values", "acc float32 (2,)\n"),
                text("ends in the values", "acc float32 (2,) [1\n"),
                text("has a print without values besides", another + "acc float32 (2,)\na\nb\nc\nd\n"),
                text("has a cut print besides", another + "acc float32 (2,) [1\n"),
                text("has a print into which others wrote", another + "acc float32 (2,)\n[1\nINFO\n2]\n"),
                text("has NaN", "acc float32 (2,) [1 nan]\n"),
                text("has NaN in colour", "acc float32 (2,) [1 \u001b[31mnan\u001b[0m]\n"),
                text("has a third print in colour", another + "\u001b[32macc float32 (2,) [1 2]\u001b[0m\n"),
                text(
                        "has a third print whose prefix is in colour",
                        another + "\u001b[1;32macc\u001b[0m float32 (2,) [1 2]\n"),
                text("has a third print behind a progress bar", another + "50 %\racc float32 (2,) [1 2]\n"),
                text(
                        "has a third print below the title of a window",
                        another + "\u001b]0;run\u0007acc float32 (2,) [1 2]\n"),
                text("is abbreviated", "acc float32 (2000,) [1 2 ... 3]\n"),
                text("has a dtype that is not known", "acc dtype=mystery shape=(2,) [1 nan]\n"),
                text("has numbers that are none of the dtype", another + "acc int8 (2,) [1 300]\n"),
                text("has rows of different length", another + "acc float32 (2, 2) [[1 2]\n [3]]\n"),
                text("has more values than its shape", another + "acc float32 (2,) [1 2 3]\n"),
                text("is nested too deep", another + "acc float32 (1,) " + "[".repeat(20) + "1\n"),
                text("lacks its middle", another + "[... 4096 bytes left out ...]\n"),
                text("has more prints than are kept", "x int8 (1,) [1]\n".repeat(100_000) + another),
                bad(
                        "output: cannot be read",
                        folder -> PrintFeed.of(List.of(
                                PrintedText.of(another + another, Set.of(), 0),
                                PrintedText.unreadable(new IOException("the disk is gone"))))));
    }

    private static void write(Path file, byte[] content) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, content);
        Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
    }

    private static void tensor(Path folder, int iteration, String metadata, int... data) throws IOException {
        Path print = folder.resolve("acc/core_0/" + iteration);
        write(print.resolve("metadata.txt"), metadata.getBytes(StandardCharsets.UTF_8));
        write(print.resolve("tensor_data.bin"), bytes(data));
    }

    private static void other(Path folder, String print) throws IOException {
        write(
                folder.resolve(print).resolve("metadata.txt"),
                "dtype = int8\nshape = (2,)\n".getBytes(StandardCharsets.UTF_8));
        write(folder.resolve(print).resolve("tensor_data.bin"), bytes(1, 2));
    }

    private static Arguments files(String name, String metadata, int... data) {
        return bad("files: " + name, folder -> {
            tensor(folder, 0, "dtype = int8\nshape = (2,)\n", 1, 2);
            if (!name.startsWith("the second")) {
                tensor(folder, 1, "dtype = int8\nshape = (2,)\n", 1, 2);
            }
            tensor(folder, 2, metadata, data);
            return PrintFiles.collect(folder);
        });
    }

    private static Arguments numbered(String name, int... iterations) {
        return bad("files: " + name, folder -> {
            for (int iteration : iterations) {
                tensor(folder, iteration, "dtype = int8\nshape = (2,)\n", 1, 2);
            }
            return PrintFiles.collect(folder);
        });
    }

    private static Arguments stray(String name, String print) {
        return bad("files: a third has " + name, folder -> {
            tensor(folder, 0, "dtype = int8\nshape = (2,)\n", 1, 2);
            tensor(folder, 1, "dtype = int8\nshape = (2,)\n", 1, 2);
            other(folder, print);
            return PrintFiles.collect(folder);
        });
    }

    private static Stream<Arguments> files() {
        return Stream.of(
                numbered("a third has a number in a gap", 0, 2),
                numbered("a third was the first", 1, 2),
                numbered("a third was far behind", 0, 1_000_000_000),
                numbered("the first and the third are gone", 1, 3),
                bad("files: a third of another prefix is gone", folder -> {
                    tensor(folder, 0, "dtype = int8\nshape = (2,)\n", 1, 2);
                    tensor(folder, 1, "dtype = int8\nshape = (2,)\n", 1, 2);
                    other(folder, "scale/core_0/0");
                    other(folder, "scale/core_0/2");
                    return PrintFiles.collect(folder);
                }),
                bad("files: a third of another core is gone", folder -> {
                    tensor(folder, 0, "dtype = int8\nshape = (2,)\n", 1, 2);
                    other(folder, "acc/core_1/1");
                    return PrintFiles.collect(folder);
                }),
                bad("files: a third is an empty folder in a gap", folder -> {
                    tensor(folder, 0, "dtype = int8\nshape = (2,)\n", 1, 2);
                    Files.createDirectories(folder.resolve("acc/core_0/1"));
                    tensor(folder, 2, "dtype = int8\nshape = (2,)\n", 1, 2);
                    return PrintFiles.collect(folder);
                }),
                bad("files: the second is the first with another number of digits", folder -> {
                    tensor(folder, 0, "dtype = int8\nshape = (2,)\n", 1, 2);
                    other(folder, "acc/core_0/00");
                    return PrintFiles.collect(folder);
                }),
                bad("files: the second is of the same core with another number of digits", folder -> {
                    tensor(folder, 0, "dtype = int8\nshape = (2,)\n", 1, 2);
                    other(folder, "acc/core_00/0");
                    return PrintFiles.collect(folder);
                }),
                stray("a negative number", "acc/core_0/-1"),
                stray("a number that wrapped", "acc/core_0/18446744073709551615"),
                stray("no number", "acc/core_0/x"),
                stray("a number of a core that is too large", "acc/core_9999999999/0"),
                stray("folders below its number", "acc/core_0/2/rank_0"),
                bad("files: none was written", PrintFiles::collect),
                bad("files: there is no folder", folder -> PrintFiles.collect(folder.resolve("gone"))),
                files("one too many was written", "dtype = int8\nshape = (2,)\n", 1, 2),
                files("the second is NaN", "dtype = float32\nshape = (1,)\n", 0, 0, 0xc0, 0x7f),
                files("the second has a dtype that is not known", "dtype = mystery\nshape = (4,)\n", 0, 0, 0xc0, 0x7f),
                files("the second has another size", "dtype = float32\nshape = (7,)\n", 0, 0, 0xc0, 0x7f),
                files("a third is shorter than it should be", "dtype = int8\nshape = (2,)\ndata_size = 2\n", 1),
                files("a third has a shape of many digits", "dtype = int8\nshape = (" + "9".repeat(30) + ",)\n", 1),
                files("a third has a shape of many lengths", "dtype = int8\nshape = (" + "1,".repeat(1_900) + ")\n", 1),
                files("a third has no shape", "dtype = int8\n", 1),
                files("a third has no dtype", "shape = (1,)\n", 1),
                bad("files: a third has a tensor of another format", folder -> {
                    tensor(folder, 0, "dtype = int8\nshape = (2,)\n", 1, 2);
                    tensor(folder, 1, "dtype = int8\nshape = (2,)\n", 1, 2);
                    write(folder.resolve("acc/core_0/2/tensor.pt"), new byte[] {'P', 'K'});
                    return PrintFiles.collect(folder);
                }));
    }

    private static Stream<Arguments> all() {
        return Stream.of(events(), streams(), outputs(), files()).flatMap(each -> each);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("all")
    void isNotGreen(String name, Source source) throws IOException {
        // given
        DevicePrints prints = DevicePrints.of(source.in(folder), List.of());

        // when
        Judgement found = TWO_WITHOUT_NAN.judge(prints.frozen());

        // then
        assertThat(found.violations().size() + found.undecided().size())
                .as("violations and undecided expectations, notices: %s", found.notices())
                .isPositive();
        assertThat(found.undecided())
                .allSatisfy(undecided -> assertThat(undecided.reason()).isNotBlank());
        assertThatThrownBy(() -> NeuronAssertions.assertThat(prints)
                        .withPrefix("acc")
                        .hasSize(2)
                        .hasNoNaN())
                .isInstanceOf(AssertionError.class);
    }

    private static Stream<Arguments> missing() {
        return all().filter(each -> {
            String name = each.get()[0].toString();
            return name.startsWith("a third") || name.startsWith("a stream") || name.contains(": a third");
        });
    }

    /**
     * Verifies the count alone, because an expectation on values would be undecided for the same reason and hide it.
     */
    @ParameterizedTest(name = "{0}")
    @MethodSource("missing")
    void isNotGreenWhenOnlyCountIsExpected(String name, Source source) throws IOException {
        // when
        Judgement found = PrintExpectations.builder()
                .expect(PrintExpectation.of("acc").exactly(2))
                .build()
                .judge(DevicePrints.of(source.in(folder), List.of()).frozen());

        // then
        assertThat(found.violations().size() + found.undecided().size()).isPositive();
    }

    @Test
    void correctPrintsAreGreen() throws IOException {
        // given
        String line = "acc float32 (2,) [1 2]\n";
        tensor(folder, 0, "dtype = int8\nshape = (2,)\n", 1, 2);
        tensor(folder, 1, "dtype = int8\nshape = (2,)\n", 1, 2);
        List<PrintFeed> right = List.of(
                coming(good(), good()).in(folder),
                coming(good(), EventFixture.print("other").shape(3), good()).in(folder),
                coming(good(), good().type(2), good()).in(folder),
                PrintedText.of(line + "x dtype=int32 shape=(3,)\n" + line, Set.of(), 0),
                PrintFiles.collect(folder));

        // then
        for (PrintFeed feed : right) {
            DevicePrints prints = DevicePrints.of(feed, List.of());
            Judgement found = TWO_WITHOUT_NAN.judge(prints.frozen());
            assertThat(found.violations()).isEmpty();
            assertThat(found.undecided()).isEmpty();
            NeuronAssertions.assertThat(prints).withPrefix("acc").hasSize(2).hasNoNaN();
        }
    }

    @Test
    void gapsNameTheNumbersThatAreMissing() throws IOException {
        // given
        for (int iteration : new int[] {0, 1, 4}) {
            tensor(folder, iteration, "dtype = int8\nshape = (2,)\n", 1, 2);
        }

        // then
        assertThat(PrintFiles.collect(folder).doubts()).singleElement().satisfies(doubt -> {
            assertThat(doubt.kind()).isEqualTo(PrintDoubt.Kind.LOST);
            assertThat(doubt.reason())
                    .startsWith(
                            "The prints of \"acc\" on core 0 are numbered from 0 to 4, but 2 of these numbers are missing: 2, 3.");
        });
    }

    @Test
    void numbersOfEachCoreBeginWithZero() throws IOException {
        // given
        tensor(folder, 0, "dtype = int8\nshape = (2,)\n", 1, 2);
        other(folder, "acc/core_1/0");
        other(folder, "a/acc/core_0/0");

        // then
        assertThat(PrintFiles.collect(folder).doubts()).isEmpty();
    }

    @Test
    void emptyFileMayBePrintOfItsCore() throws IOException {
        // given
        tensor(folder, 0, "dtype = int8\nshape = (2,)\n", 1, 2);
        tensor(folder, 1, "dtype = int8\nshape = (2,)\ndata_size = 2\n");

        // when
        DevicePrints prints = DevicePrints.of(PrintFiles.collect(folder), List.of());

        // then
        for (DevicePrints part :
                List.of(prints, prints.onCore(0), prints.withPrefix("acc").onCore(0))) {
            assertThat(part.uncertainties())
                    .singleElement()
                    .asString()
                    .startsWith("1 event may be such a print and cannot be read: acc/core_0/1/tensor_data.bin");
        }
        assertThat(prints.onCore(1).uncertainties()).isEmpty();
    }

    @Test
    void unknownPrefixIsNotFreeOfNaN() {
        // given
        DevicePrints prints = new PrintFixture().floats("acc", Float.NaN).live();

        // then
        assertThatThrownBy(() ->
                        NeuronAssertions.assertThat(prints).withPrefix("ac").hasNoNaN())
                .hasMessage(
                        "There is no print with prefix \"ac\", so no value was checked. If no print is expected, use isEmpty().\nArrived: 1 \"acc\"\n");
        assertThatThrownBy(() ->
                        NeuronAssertions.assertThat(prints).withPrefix("ac").hasNoInfinity())
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() ->
                        NeuronAssertions.assertThat(prints).withPrefix("ac").hasNoGaps())
                .isInstanceOf(AssertionError.class);
    }
}
