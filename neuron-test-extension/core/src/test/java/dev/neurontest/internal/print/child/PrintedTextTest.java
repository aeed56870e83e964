package dev.neurontest.internal.print.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.print.PrintAttachments;
import dev.neurontest.internal.print.PrintFailure;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintExpectation;
import dev.neurontest.print.PrintExpectations;
import dev.neurontest.print.PrintFixture;
import dev.neurontest.print.PrintOrigin;
import dev.neurontest.tensor.Abbreviation;
import dev.neurontest.tensor.TensorView;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrintedTextTest {

    private static PrintFeed read(String text, String... prefixes) {
        return PrintedText.of(text, Set.of(prefixes), 0);
    }

    private static double[] numbers(DevicePrint print) {
        return TensorView.of(print.dtype(), print.shape(), print.data()).toDoubles();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acc: dtype=float32, shape=(2, 2), size=16\n[[1. 2.]\n [3. 4.]]\n",
                "acc dtype = float32 shape = (2, 2) data_size = 16 [[1.0000 2.0000]\n [3.0000 4.0000]]",
                "[device_print] acc, float32, (2, 2), 16 bytes, saved to /tmp/x/core_0/0\n[[1, 2],\n [3, 4]]",
                "acc (dtype: float32, shape: [2, 2]):\n\nsaved to x\n[[1. 2.]\n [3. 4.]]",
                "noise\nacc shape=(2,2) dtype=float32\r\n[[1. 2.]\r\n [3. 4.]]\r\nnoise"
            })
    void findsATensorAmongOtherLines(String text) {
        // when
        PrintFeed prints = read(text);

        // then
        assertThat(prints.prints()).hasSize(1);
        DevicePrint print = prints.prints().get(0);
        assertThat(print)
                .returns("acc", DevicePrint::prefix)
                .returns("float32", DevicePrint::dtype)
                .returns(List.of(2L, 2L), DevicePrint::shape)
                .returns(PrintOrigin.TEXT, DevicePrint::origin)
                .returns(-1, DevicePrint::coreIndex)
                .returns(0L, DevicePrint::pipe);
        assertThat(numbers(print)).containsExactly(1, 2, 3, 4);
        assertThat(prints.oddEvents()).isEmpty();
    }

    @Test
    void findsConsecutiveTensors() {
        // when
        PrintFeed prints = read("a int32 (2,) [1 2]\nb int8 (1,)\n[-3]\nepoch 3 loss [0.1]\n");

        // then
        assertThat(prints.prints()).extracting(DevicePrint::prefix).containsExactly("a", "b");
        assertThat(prints.prints()).extracting(DevicePrint::order).containsExactly(0L, 1L);
    }

    @Test
    void acceptsKnownPrefixWithoutDtypeAndShape() {
        // when
        PrintFeed prints = read("acc [[1 2]\n [3 4]]\nother [1 2]\nacc: 2.5\n", "acc");

        // then
        assertThat(prints.prints()).hasSize(2);
        assertThat(prints.prints().get(0))
                .returns("int64", DevicePrint::dtype)
                .returns(List.of(2L, 2L), DevicePrint::shape);
        assertThat(numbers(prints.prints().get(1))).containsExactly(2.5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acc [\n1.0,\nNaN\n]",
                "acc [\n1.0,\nnan\n]",
                "acc [\n1.0,\nNAN\n]",
                "acc [1.0\nNaN]",
                "acc [\n[1.0],\n[NaN]\n]",
                "acc float32 (2,) [\n1.0,\nNaN\n]",
                "acc 1.0\nacc NaN",
                "acc: 1.0\nacc: -nan"
            })
    void keepsNaNHoweverItIsWritten(String text) {
        // when
        Judgement judgement =
                judge(read(text + "\n", "acc"), PrintExpectation.of("acc").withoutNaN());

        // then
        assertThat(judgement.violations()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"inf", "Inf", "INF", "Infinity", "-inf", "-Infinity", "+INF"})
    void keepsInfinityHoweverItIsWritten(String infinity) {
        // when
        PrintFeed prints = read("acc %s\nacc [1.0,\n%s\n]\n".formatted(infinity, infinity), "acc");

        // then
        assertThat(prints.prints())
                .hasSize(2)
                .allSatisfy(print ->
                        assertThat(numbers(print)).containsAnyOf(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acc array([nan, 2.])",
                "acc array([[1., 2.],\n       [nan, 4.]], dtype=float32)",
                "acc: np.array([1., 2.])",
                "acc = tensor([1., nan], device='xla:0')",
                "acc Array([1., 2.], dtype=float32)",
                "acc ([1., 2.])"
            })
    void doubtsPrintInFormOfCall(String text) {
        // when
        Judgement judgement = judge(
                read("acc [1. 2.]\n" + text + "\n", "acc"),
                PrintExpectation.of("acc").exactly(1).withoutNaN());

        // then
        assertThat(judgement.undecided()).isNotEmpty();
    }

    @Test
    void distinguishesPrefixFromLongerWords() {
        // when
        PrintFeed prints =
                read("acc2\nacc_2 [1]\naccumulate([1])\nacc-2\nacc.5\nacc2: 5\ny:3\nacc=4\nacc\t5\n", "acc", "y:");

        // then
        assertThat(prints.prints()).extracting(print -> numbers(print)[0]).containsExactly(3.0, 4.0, 5.0);
        assertThat(prints.oddEvents()).isEmpty();
    }

    @Test
    void readsScalarsAndNonFiniteValues() {
        // when
        PrintFeed prints = read("s: dtype=int32 shape=() size=4\n7\nn float16 (3,) [nan -inf -0.0000]\n");

        // then
        assertThat(numbers(prints.prints().get(0))).containsExactly(7);
        assertThat(numbers(prints.prints().get(1))).containsExactly(Double.NaN, Double.NEGATIVE_INFINITY, -0.0);
    }

    @Test
    void keepsShapeOfAbbreviatedTensorWithNotice() {
        // given
        PrintedText printed = new PrintedText(Set.of(), 0);

        // when
        printed.line("big: dtype=float32, shape=(2000,), size=8000");
        printed.line("[0. 1. 2. ... 1997. 1998. 1999.]");

        // then
        TensorView big = printed.prints().get(0).tensor();
        assertThat(big.shape()).containsExactly(2000L);
        assertThat(big.trouble()).isEqualTo("only 6 of 2000 values were written");
        assertThat(big.written().toDoubles()).containsExactly(0, 1, 2, 1997, 1998, 1999);
        assertThat(big.written().index(3)).containsExactly(1997L);
        assertThat(printed.notices())
                .containsExactly(
                        "Tensors with prefix big were abbreviated when they were written: only a part of their values is known. Print fewer elements, or collect prints in another way than as text.");
    }

    private static final String TILE = """
            acc [[0. 1. 2. ... 509. 510. 511.]
             [0. 1. nan ... 509. 510. 511.]
             [0. 1. 2. ... 509. 510. 511.]
             ...
             [0. 1. 2. ... 509. 510. 511.]
             [0. 1. 2. ... 509. 510. 511.]
             [0. 1. 2. ... 509. 510. 511.]]
            """;

    private static Judgement judge(PrintFeed prints, PrintExpectation expectation) {
        return PrintExpectations.builder().expect(expectation).build().judge(DevicePrints.of(prints, List.of()));
    }

    @Test
    void countsAbbreviatedTilesOfSimulation() {
        // when
        PrintFeed prints = read(TILE.replace("nan", "2.").repeat(4), "acc");

        // then
        assertThat(judge(prints, PrintExpectation.of("acc").exactly(4)))
                .returns(List.of(), Judgement::violations)
                .returns(List.of(), Judgement::undecided);
        assertThat(judge(prints, PrintExpectation.of("acc").exactly(3)).violations())
                .extracting(Violation::actual)
                .containsExactly("4");
        assertThat(prints.prints())
                .allSatisfy(print -> assertThat(print)
                        .returns("float64", DevicePrint::dtype)
                        .returns(List.of(Abbreviation.UNKNOWN, Abbreviation.UNKNOWN), DevicePrint::shape));
    }

    @Test
    void abbreviatedTileWithoutVisibleNaNLeavesNaNUndecided() {
        // when
        Judgement judgement = judge(
                read(TILE.replace("nan", "2."), "acc"),
                PrintExpectation.of("acc").withoutNaN());

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.undecided())
                .extracting(Undecided::reason)
                .containsExactly("print 0 \"acc\" is abbreviated: only 36 of an unknown number of values were written");
    }

    @Test
    void visibleNaNOfAbbreviatedTileIsViolation() {
        // when
        Judgement judgement =
                judge(read(TILE, "acc"), PrintExpectation.of("acc").withoutNaN());

        // then
        assertThat(judgement.violations())
                .extracting(Violation::actual)
                .containsExactly("NaN in 1 of 1 prints, first in print 0 at [1, 2] (1 of 36 written values)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[0 1 2 ... 997 998 1000]|int64|(?,)|1000 at [-1]",
                "[[0 1 ... 8 9] [2 3 ... 6 1000]]|int64|(2, ?)|1000 at [1, -1]",
                "[[[0. 1.] [2. 3.]] ... [[4. 5.] [6. 1000.]]]|float64|(?, 2, 2)|1000.0 at [-1, 1, 1]",
                "[[[0 ... 1] ... [2 ... 3]] [[4 ... 5] ... [6 ... 1000]]]|int64|(2, ?, ?)|1000 at [1, -1, -1]",
                "[1.0000e-05 -0.0000e+00 ... 1.0000e+03]|float64|(?,)|1000.0 at [-1]"
            })
    void placesWrittenValuesOfUnknownShape(String text, String dtype, String shape, String last) {
        // when
        DevicePrint print = read("acc " + text, "acc").prints().get(0);

        // then
        TensorView written = print.tensor().written();
        long end = written.size() - 1;
        assertThat(print.dtype()).isEqualTo(dtype);
        assertThat(print.tensor().shapeText()).isEqualTo(shape);
        assertThat(written.text(end) + " at " + written.index(end)).isEqualTo(last);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acc float32 (9, 9) [[1.] ... [[2.]]]",
                "acc float32 (9, 9) [[1. ... 2. 3.] ... [1. ... 2.]]",
                "acc float32 (9, 9) [[1. 2. ... 3.] ... [1. ... 2. 3.]]",
                "acc float32 (9,) [1. ... 2. ... 3.]",
                "acc float32 (3,) [1. ... 2. 3.]",
                "acc float32 (8, 9) [[1. 2. 3.] ... [4. 5. 6.]]",
                "acc float32 (2,) [1. 2.] ...",
                "acc [1. 2.] ... [3.]"
            })
    void refusesAbbreviationThatContradictsItself(String text) {
        // when
        PrintFeed prints = read(text + "\n", "acc");

        // then
        assertThat(prints.prints()).isEmpty();
        assertThat(prints.oddEvents()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "acc float32 (0,) []|float32|(0,)|0",
                "acc float32 (0, 3) []|float32|(0, 3)|0",
                "acc int32 (1, 3) [4 5 6]|int32|(1, 3)|3",
                "acc [ True False]|bool|(2,)|2",
                "acc [4611686018427387904 -1]|int64|(2,)|2",
                "acc [0 18446744073709551615]|uint64|(2,)|2",
                "acc [-1 18446744073709551615]|float64|(2,)|2",
                "acc [-0.0000 1.0000e-05 inf -inf]|float64|(4,)|4",
                "value of y: [1 2]|int64|(2,)|2",
                "value of y: float32 (2,) [1 2]|float32|(2,)|2"
            })
    void readsUnusualTensors(String line, String dtype, String shape, int values) {
        // when
        List<DevicePrint> prints = read(line + "\n", "acc", "value of y:").prints();

        // then
        assertThat(prints).hasSize(1);
        assertThat(line).startsWith(prints.get(0).prefix() + " ");
        assertThat(prints.get(0).dtype()).isEqualTo(dtype);
        assertThat(prints.get(0).tensor().shapeText()).isEqualTo(shape);
        assertThat(prints.get(0).tensor().toDoubles()).hasSize(values);
    }

    @Test
    void writesAbbreviatedPrintInAllViews() {
        // given
        DevicePrints prints = DevicePrints.of(read(TILE, "acc"), List.of());

        // then
        assertThat(prints.toText())
                .contains("float64 (?, ?)")
                .contains("not decoded: only 36 of an unknown number of values were written")
                .contains("...")
                .contains("\"acc\" has NaN in 1 of 1 prints");
        assertThat(prints.toJson()).contains("\"written\":[6,6]", "-0000-acc-abbreviated.npy", "\"nan\":1");
        assertThat(PrintAttachments.of(prints).all(PrintFixture.PASSED)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INFO step 3, loss=0.5",
                "[WARNING] step 3",
                "2026-11-27 10:00:00,123 INFO step 3",
                "10:00:00 step 3",
                "# step 3"
            })
    void skipsLogLinesInsideTensor(String line) {
        // when
        PrintFeed prints = read("acc int32 (2, 2)\n[[1 2]\n" + line + "\n [3 4]]\nb int32 (1,) [5]\n");

        // then
        assertThat(prints.oddEvents()).isEmpty();
        assertThat(numbers(prints.prints().get(0))).containsExactly(1, 2, 3, 4);
        assertThat(prints.prints()).extracting(DevicePrint::prefix).containsExactly("acc", "b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3 4 INFO", "INFO [3 4]", "[INFO] [3 4]", "3.5INFO", "[nan] x", "[[INFO]"})
    void doesNotSkipLinesThatMayHaveValues(String line) {
        assertThat(read("acc [[1 2]\n" + line + "\n [3 4]]\n", "acc").oddEvents())
                .hasSize(1);
    }

    @Test
    void startsNextTileAtKnownPrefixAfterBrokenOne() {
        // when
        PrintFeed prints = read("acc [[1 2]\nacc [[1 2]\n [3 4]]\n", "acc");

        // then
        assertThat(prints.prints()).hasSize(1);
        assertThat(prints.oddEvents())
                .extracting(OddEvent::reason)
                .containsExactly("the text after \"acc\" cannot be read as a tensor: another print begins in it");
    }

    @Test
    void keepsTextInterleavedWithRowAsOddEvent() {
        // when
        PrintFeed prints = read("acc int32 (2, 2)\n[[1 2]\nINFO step [3 4]]\nb int32 (1,) [5]\n");

        // then
        assertThat(prints.oddEvents()).hasSize(1);
        assertThat(prints.oddEvents().get(0).reason())
                .isEqualTo("the text after \"acc\" cannot be read as a tensor: \"INFO\" is not a number");
        assertThat(prints.prints()).extracting(DevicePrint::prefix).containsExactly("b");
    }

    @Test
    void reportsOutputThatEndsInsideTensor() {
        // then
        assertThat(read("acc int32 (2, 2)\n[[1 2]\n").oddEvents())
                .extracting(OddEvent::reason)
                .containsExactly("the text after \"acc\" cannot be read as a tensor: the output ends in it");
    }

    @Test
    void reportsNumbersThatDoNotFitDtypeOrShape() {
        // when
        PrintFeed prints = read("a int8 (1,) [300]\nb int32 (3,) [1 2]\nc uint64 (1,) [18446744073709551615]\n");

        // then
        assertThat(prints.oddEvents())
                .extracting(OddEvent::reason)
                .containsExactly(
                        "the text after \"a\" cannot be read as a tensor: \"300\" is not a valid int8",
                        "the text after \"b\" cannot be read as a tensor: it is nested as [2], but its declared shape is [3]");
        assertThat(prints.prints().get(0).data().longAt(0)).isEqualTo(-1L);
    }

    @Test
    void findsNoPrintsInOrdinaryOutput() {
        // when
        PrintFeed prints = read(
                "Loading model (3, 4) ...\ndtype=float32 is used\nx = [1 2 3]\n[[]]\n]]]]\n" + "[".repeat(100_000));

        // then
        assertThat(prints.prints()).isEmpty();
        assertThat(prints.oddEvents()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("linesThatAreNoPrints")
    void doesNotMistakePlainLineForPrint(String line) {
        // when
        PrintFeed prints = read(line + "\nacc int32 (1,) [7]\n");

        // then
        assertThat(prints.prints()).extracting(DevicePrint::prefix).containsExactly("acc");
        assertThat(numbers(prints.prints().get(0))).containsExactly(7);
    }

    static List<String> linesThatAreNoPrints() {
        return List.of(
                "x dtype=int32 shape=(99999999999999999999999,)",
                "x dtype=int32 shape=(" + "1,".repeat(1_900) + ")",
                "x dtype=int32 shape=(" + "1, ".repeat(9) + ")",
                "x dtype=int32 shape=(" + "9".repeat(4_000) + ",)",
                "x dtype=int32 shape=(" + " ".repeat(4_000) + ")",
                "x int32 (1,) [" + "9".repeat(2_000) + "]",
                "x int32 (1,) [0x123456789abcdef012]",
                "x float32 (999999999999999999, 999999999999999999) [1]",
                "[".repeat(5_000_000),
                "x int32 (1,) " + "[".repeat(5_000_000),
                "x".repeat(5_000_000));
    }

    @Test
    void readsManyBlanksAfterKnownPrefixInTime() {
        // then
        assertThat(read("acc" + " ".repeat(2_000_000) + "x", "acc").prints()).isEmpty();
    }

    @Test
    void readsRandomOutputWithoutFailing() {
        // given
        Random random = new Random(16);
        String[] words = {
            "acc",
            " ",
            "\n",
            "[",
            "]",
            "(",
            ")",
            ",",
            "1",
            "-2.5e3",
            "nan",
            "...",
            "dtype=",
            "shape=",
            "int8",
            "float32",
            "bool",
            "uint64",
            "99999999999999999999",
            "(2,)",
            "[1 2]",
            "()",
            "0x1f",
            "=",
            ":",
            "é\u0000",
            "True",
            "float8e4m3fn_x4"
        };

        // then
        for (int round = 0; round < 5_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int word = random.nextInt(40); word >= 0; word--) {
                text.append(words[random.nextInt(words.length)]).append(random.nextBoolean() ? " " : "");
            }
            assertThatCode(() -> {
                        DevicePrints prints = DevicePrints.of(read(text.toString(), "acc"), List.of());
                        prints.toText();
                        prints.toJson();
                        PrintAttachments.of(prints).all(PrintFixture.PASSED);
                        PrintFailure.judged(PrintExpectations.DEFAULT, prints).text();
                    })
                    .as("%s", text)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void doubtsPrintsWhenTooManyWereWritten() {
        // when
        PrintFeed prints = read("a int8 (1,) [1]\n".repeat(100_002));

        // then
        assertThat(prints.prints()).hasSize(100_000);
        assertThat(prints.doubts())
                .containsExactly(
                        new PrintDoubt(
                                PrintDoubt.Kind.LOST,
                                "The output of a program contains 2 prints beyond the limit of 100000 prints with 67108864 bytes. Print less, or collect prints in another way than as text."));
    }

    @Test
    void doubtsPrintsWhenMiddleOfOutputIsMissing() {
        // when
        PrintFeed prints = read("a int8 (1,) [1]\n\n[... 4096 bytes left out ...]\na int8 (1,) [2]\n");

        // then
        assertThat(prints.prints()).hasSize(2);
        assertThat(prints.doubts())
                .containsExactly(
                        new PrintDoubt(
                                PrintDoubt.Kind.LOST,
                                "The middle of a program's output was not kept ([... 4096 bytes left out ...]), and prints in it are missing. Let it write less, or collect prints in another way than as text."));
    }

    @Test
    void doubtsPrintsWhenReadingOutputFails() {
        // given
        Reader broken = new BreakingReader("a int8 (1,) [1]\n");

        // when
        PrintFeed prints = PrintedText.of(broken, Set.of(), 0, Instant.EPOCH);

        // then
        assertThat(prints.prints()).hasSize(1);
        assertThat(prints.doubts())
                .containsExactly(
                        new PrintDoubt(
                                PrintDoubt.Kind.UNREADABLE,
                                "The output of a program cannot be read to its end: java.io.IOException: the disk is gone. Prints after that point are missing."));
    }

    /** A reader that fails after its text. */
    private static final class BreakingReader extends StringReader {

        private BreakingReader(String text) {
            super(text);
        }

        @Override
        public int read(char[] target) throws IOException {
            int length = super.read(target);
            if (length < 0) {
                throw new IOException("the disk is gone");
            }
            return length;
        }
    }
}
