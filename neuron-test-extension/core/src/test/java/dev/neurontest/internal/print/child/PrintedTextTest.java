package dev.neurontest.internal.print.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.neurontest.internal.print.PrintAttachments;
import dev.neurontest.internal.print.PrintFailure;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintExpectations;
import dev.neurontest.print.PrintFixture;
import dev.neurontest.print.PrintOrigin;
import dev.neurontest.tensor.TensorView;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
        assertThat(printed.prints().get(0).shape()).containsExactly(2000L);
        assertThat(printed.prints().get(0).data().size()).isZero();
        assertThat(printed.notices())
                .containsExactly(
                        "Tensors with prefix big were abbreviated when they were written, and have no values here. Print fewer elements, or collect prints in another way than as text.");
    }

    @Test
    void refusesAbbreviatedTensorThatIsNestedUnevenly() {
        // when
        PrintFeed prints = read("big float32 (9, 9) [[1.] ... [[2.]]]\n");

        // then
        assertThat(prints.oddEvents())
                .extracting(OddEvent::reason)
                .containsExactly("the text after \"big\" cannot be read as a tensor: its rows differ in length");
        assertThat(prints.prints()).isEmpty();
    }

    @Test
    void keepsInterleavedTextAsOddEvent() {
        // when
        PrintFeed prints = read("acc int32 (2, 2)\n[[1 2]\nINFO step 3\n [3 4]]\nb int32 (1,) [5]\n");

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
        PrintFeed prints = PrintedText.of(broken, Set.of(), 0);

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
