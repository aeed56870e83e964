package dev.neurontest.assertj;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static dev.neurontest.assertj.NeuronAssertions.withinUlps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.byLessThan;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.neurontest.internal.print.child.PrintedText;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintExpectation;
import dev.neurontest.print.PrintExpectations;
import dev.neurontest.print.PrintFixture;
import dev.neurontest.tensor.Npy;
import dev.neurontest.tensor.NpyException;
import dev.neurontest.tensor.TensorView;
import dev.neurontest.tensor.Tolerance;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;

class DevicePrintsAssertTest {

    private static final DevicePrints PRINTS = new PrintFixture()
            .tile("acc", 2, 3, index -> index)
            .tile("acc", 2, 3, index -> index == 4 ? Double.NaN : 1)
            .floats("scale", 0.5f, Float.POSITIVE_INFINITY)
            .live();

    private static final TensorView TILE = PRINTS.get(0).tensor();

    private static void fails(ThrowingCallable assertion) {
        assertThatThrownBy(assertion).isInstanceOf(AssertionError.class);
    }

    @Test
    void countsPrints() {
        assertThat(PRINTS).hasSize(3).withPrefix("acc").hasSize(2).hasSizeOfAtLeast(1);
        assertThat(PRINTS).withPrefix("other").isEmpty();
        assertThat(PRINTS).onCore(0).hasSize(3);
        fails(() -> assertThat(PRINTS).withPrefix("acc").hasSize(3));
        fails(() -> assertThat(PRINTS).withPrefix("acc").hasSizeOfAtLeast(3));
        fails(() -> assertThat(PRINTS).isEmpty());
        assertThatThrownBy(() -> assertThat(PRINTS).hasSize(4))
                .hasMessage("Expected exactly 4 prints, but there are 3.\nArrived: 2 \"acc\", 1 \"scale\"\n");
    }

    @Test
    void failsExactAssertionsForDoubtfulPrints() {
        // given
        DevicePrints doubtful = new PrintFixture()
                .floats("acc", 1)
                .doubt(PrintDoubt.Kind.TAKEN, "other code reads the stream of core 0")
                .live();

        // then
        assertThat(doubtful).hasSizeOfAtLeast(1);
        fails(() -> assertThat(doubtful).hasSize(1));
        fails(() -> assertThat(doubtful).hasNoNaN());
        fails(() -> assertThat(doubtful).hasNoDoubts());
        assertThatThrownBy(() -> assertThat(doubtful).withPrefix("error").isEmpty())
                .hasMessage("0 device prints arrived, and there may have been more.\nIn doubt:\n"
                        + "  other code reads the stream of core 0\n");
        assertThat(PRINTS).hasNoDoubts();
    }

    @Test
    void findsNaNAndInfinity() {
        assertThat(PRINTS).withPrefix("scale").hasNoNaN();
        fails(() -> assertThat(PRINTS).withPrefix("scale").hasNoInfinity());
        assertThatThrownBy(() -> assertThat(PRINTS).withPrefix("acc").hasNoNaN())
                .hasMessage("print 1 \"acc\", bfloat16 (2, 3): 1 of 6 values is NaN, first at [1, 1]; "
                        + "no other of 2 prints has such values");
        assertThat(PRINTS).withPrefix("acc").hasNoInfinity().tensor(0).hasNoNaN();
        assertThatThrownBy(() -> assertThat(PRINTS).withPrefix("acc").tensor(1).hasNoNaN())
                .hasMessage("print 1 \"acc\", bfloat16 (2, 3): 1 of 6 values is NaN, first nan at [1, 1]\n"
                        + "Other prints of the test:\n"
                        + "  \"scale\" has infinity in 1 of 1 prints, first in print 2 at [1] (1 of 2 values)");
    }

    @Test
    void namesOtherPrintsThatAreNotFinite() {
        // given
        PrintFixture tiles = new PrintFixture();
        for (int tile = 0; tile < 64; tile++) {
            int number = tile;
            tiles.tile("acc", 2, 2, index -> number == 40 && index == 3 ? Double.NaN : number);
        }
        DevicePrints prints = tiles.floats("scale", Float.NEGATIVE_INFINITY).live();

        // then
        assertThatThrownBy(() -> assertThat(prints).withPrefix("acc").tensor(17).isEqualTo(new double[] {1, 2, 3, 4}))
                .message()
                .endsWith("""

                        Other prints of the test:
                          "acc" has NaN in 1 of 64 prints, first in print 40 at [1, 1] (1 of 4 values)
                          "scale" has infinity in 1 of 1 prints, first in print 64 at [0] (1 of 1 values)""");
        assertThatThrownBy(() -> assertThat(prints).withPrefix("acc").tensor(17).hasShape(3))
                .hasMessageContaining("NaN in 1 of 64 prints, first in print 40");
        assertThatThrownBy(() -> assertThat(prints).withPrefix("acc").tensor(40).hasNoNaN())
                .message()
                .contains("\"scale\" has infinity")
                .doesNotContain("\"acc\" has NaN");
    }

    @Test
    void findsGapsOnEachCore() {
        // given
        DevicePrints whole = new PrintFixture()
                .floats("turn", 0)
                .print(1, "turn", "uint8", List.of(1L), (byte) 0)
                .floats("turn", 1)
                .print(1, "turn", "uint8", List.of(1L), (byte) 1)
                .live();
        DevicePrints gap =
                new PrintFixture().floats("turn", 0).floats("turn", 2).live();

        // then
        assertThat(whole).hasNoGaps();
        fails(() -> assertThat(whole).hasNoGaps(1, 1));
        assertThatThrownBy(() -> assertThat(gap).hasNoGaps())
                .hasMessage(
                        "Core 0 does not count 0, 1, ...: 2 prints, 1 missing: 1. A stream that is full drops events: print less at"
                                + " once, or set NEURON_RT_DEBUG_STREAM_BUFFER_SIZE to a larger power of two.");
    }

    @Test
    void namesMissingPrint() {
        assertThatThrownBy(() -> assertThat(PRINTS).withPrefix("acc").tensor(2))
                .isInstanceOf(AssertionError.class)
                .hasMessage(
                        "There is no print 2 with prefix \"acc\": there are 2, counted from 0.\nArrived: 2 \"acc\", 1 \"scale\"\n");
        assertThat(PRINTS).withPrefix("scale").onlyTensor().hasShape(2);
        fails(() -> assertThat(PRINTS).withPrefix("acc").onlyTensor());
    }

    @Test
    void listsArrivedPrintsWhenExpectedOneIsMissing() {
        // given
        DevicePrints prints = new PrintFixture()
                .floats("acc", 1)
                .odd("60 bytes are not 16 elements of float32")
                .live();

        // then
        assertThatThrownBy(() -> assertThat(prints).withPrefix("Acc").tensor(0))
                .hasMessage("There is no print 0 with prefix \"Acc\": there are 0.\n"
                        + "Arrived: 1 \"acc\"; and 1 event that is not a print, the first: "
                        + "60 bytes are not 16 elements of float32\n");
        assertThatThrownBy(() -> assertThat(prints).onCore(1).withPrefix("acc").hasSize(1))
                .hasMessageStartingWith(
                        "Expected exactly 1 print on core 1 with prefix \"acc\", but there are 0.\nArrived: 1 \"acc\"");
    }

    @Test
    void countsPrintsWithNaN() {
        DevicePrints prints = new PrintFixture()
                .floats("acc", Float.NaN, Float.NaN)
                .floats("acc", 1)
                .floats("acc", Float.NaN)
                .live();
        assertThatThrownBy(() -> assertThat(prints).hasNoNaN())
                .hasMessage("print 0 \"acc\", float32 (2,): 2 of 2 values are NaN, first at [0]; "
                        + "2 of 3 prints have such values");
    }

    @Test
    void appliesPrintRules() {
        PrintExpectations rules = PrintExpectations.builder()
                .expect(PrintExpectation.of("acc").exactly(2))
                .build();
        PrintExpectations strict = PrintExpectations.builder()
                .expect(PrintExpectation.of("acc").exactly(2).withoutNaN())
                .build();
        assertThat(PRINTS).meets(rules);
        fails(() -> assertThat(PRINTS).meets(strict));
    }

    @Test
    void checksShapeAndDType() {
        assertThat(TILE).hasShape(2, 3).hasDType("bf16").hasDType("bfloat16");
        assertThatThrownBy(() -> assertThat(TILE).hasShape(3, 2))
                .hasMessageContaining("tensor: expected shape (3, 2), was (2, 3)");
        assertThatThrownBy(() -> assertThat(TILE).hasDType("fp32"))
                .hasMessageContaining("tensor: expected dtype float32, was bfloat16");
    }

    @Test
    void comparesWithArraysAndTensors() {
        double[] doubles = {0, 1, 2, 3, 4, 5};
        float[] floats = {0, 1, 2, 3, 4, 5};
        assertThat(TILE).isEqualTo(doubles).isEqualTo(floats).isEqualTo(new int[] {0, 1, 2, 3, 4, 5});
        assertThat(TILE).isEqualTo(new long[] {0, 1, 2, 3, 4, 5}).isEqualTo(TensorView.of(doubles, 2, 3));
        assertThat(PRINTS.get(0)).isEqualTo(doubles);
        fails(() -> assertThat(TILE).isEqualTo(new int[] {0, 1, 2, 3, 4, 6}));
        fails(() -> assertThat(TILE).isEqualTo(new int[] {0, 1, 2, 3, 4}));
        fails(() -> assertThat(TILE).isEqualTo(TensorView.of(doubles)));
    }

    @Test
    void refusesComparisonOfTensorWithItself() {
        assertThatThrownBy(() -> assertThat(TILE).isEqualTo(TILE))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("was compared with itself, which proves nothing");
    }

    @Test
    void comparesWithinTolerances() {
        double[] near = {0, 1, 2, 3, 4, 5.01};
        float[] nearFloats = {0, 1, 2, 3, 4, 5.01f};
        TensorView nearTensor = TensorView.of(near, 2, 3);
        assertThat(TILE).isCloseTo(near, within(0.02)).isCloseTo(near, withinUlps(1));
        assertThat(TILE).isCloseTo(near, withinPercentage(1)).isCloseTo(near, Tolerance.absolute(0.02));
        assertThat(TILE).isCloseTo(nearFloats, within(0.02)).isCloseTo(nearFloats, withinPercentage(1));
        assertThat(TILE).isCloseTo(nearTensor, within(0.02)).isCloseTo(nearTensor, withinPercentage(1));
        fails(() -> assertThat(TILE).isCloseTo(near, within(0.005)));
        fails(() -> assertThat(TILE).isCloseTo(near, withinPercentage(0.1)));
        fails(() -> assertThat(TILE).isCloseTo(nearFloats, within(0.005)));
        fails(() -> assertThat(TILE).isCloseTo(nearTensor, within(0.005)));
        double[] one = {0, 1, 2, 3, 4, 6};
        assertThat(TILE).isCloseTo(one, within(1.0));
        fails(() -> assertThat(TILE).isCloseTo(one, byLessThan(1.0)));
    }

    @Test
    void comparesWithFilesInTheDTypeOfTheTensor(@TempDir Path folder) throws IOException {
        // given
        Path golden = folder.resolve("acc.npy");
        try (OutputStream out = Files.newOutputStream(golden)) {
            Npy.write(TILE, out);
        }

        // then
        assertThat(TILE).isEqualTo(golden).isCloseTo(golden, withinUlps(0)).isCloseTo(golden, within(0.0));
        assertThatThrownBy(() -> assertThat(PRINTS.get(1)).isCloseTo(golden, withinPercentage(1)))
                .hasMessageEndingWith("Expected: bfloat16 (2, 3)\nThe expected values are those of " + golden + ".\n");
        assertThatThrownBy(() -> assertThat(TILE).isEqualTo(folder.resolve("none.npy")))
                .isInstanceOf(NpyException.class);
    }

    @Test
    void limitsValues() {
        assertThat(TILE).hasValuesBetween(0, 5).hasValuesThat("are whole", value -> value == Math.rint(value));
        assertThatThrownBy(() -> assertThat(TILE).hasValuesBetween(0, 4))
                .hasMessage("tensor, bfloat16 (2, 3): 1 of 6 values is outside 0.0 to 4.0, first 5.0 at [1, 2]");
        fails(() -> assertThat(PRINTS.get(1)).hasValuesBetween(0, 5));
        fails(() -> assertThat(TILE).hasValuesThat("are even", value -> value % 2 == 0));
    }

    @Test
    void failsForUndecodablePrints() {
        DevicePrints prints = new PrintFixture()
                .print(0, "x", "mystery", List.of(1L), (byte) 1)
                .live();
        fails(() -> assertThat(prints).hasNoNaN());
        fails(() -> assertThat(prints).hasNoGaps());
        assertThatThrownBy(() -> assertThat(prints).tensor(0).hasNoNaN())
                .hasMessage("print 0 \"x\" cannot be decoded: dtype \"mystery\" is unknown");
        fails(() -> assertThat(prints).tensor(0).isEqualTo(new int[] {1}));
    }

    @Test
    void showsDifferingValues() {
        // given
        double[] expected = {0, 1, 2.125, 3, 4, Double.NaN};

        // when
        AssertionFailedError error = catchThrowableOfType(
                AssertionFailedError.class,
                () -> assertThat(PRINTS).withPrefix("acc").tensor(0).isCloseTo(expected, withinUlps(1)));

        // then
        assertThat(error).hasMessageStartingWith("""
                print 0 "acc", bfloat16 (2, 3): 2 of 6 values are not what was expected within 1 ULP

                index   expected  actual  difference  ULP
                [0, 2]     2.125     2.0      0.1250    8
                [1, 2]       nan     5.0         nan

                Worst: [1, 2], expected nan, was 5.0
                Expected: float64 (2, 3)
                """);
        assertThat(error.getExpected().getStringRepresentation()).isEqualTo("[0, 2]: 2.125\n[1, 2]: nan");
        assertThat(error.getActual().getStringRepresentation()).isEqualTo("[0, 2]: 2.0\n[1, 2]: 5.0");
    }

    @Test
    void recordsOnlyFailedComparisonsForPicture() {
        // given
        DevicePrints prints = new PrintFixture().floats("acc", 1, 2).live();

        // when
        fails(() -> assertThat(prints).withPrefix("acc").tensor(0).isEqualTo(new int[] {1, 3}));
        assertThat(prints).withPrefix("acc").tensor(0).isEqualTo(new int[] {1, 2});

        // then
        assertThat(prints.frozen().compared()).singleElement().satisfies(compared -> {
            assertThat(compared.print().order()).isZero();
            assertThat(compared.comparison().mismatches()).isEqualTo(1);
        });
    }

    @Test
    void collectsFailures() {
        // given
        DevicePrints prints = new PrintFixture().floats("acc", 1, 2).live();
        NeuronSoftAssertions softly = new NeuronSoftAssertions();

        // when
        softly.assertThat(prints).withPrefix("acc").hasSize(2);
        softly.assertThat(prints).withPrefix("acc").tensor(0).isEqualTo(new int[] {1, 3});
        softly.assertThat(prints.get(0).tensor()).hasShape(3);
        softly.assertThat(prints.get(0)).hasDType("int8");

        // then
        assertThat(softly.errorsCollected()).hasSize(4);
        assertThat(prints.compared()).hasSize(1);
    }

    private static DevicePrints text(String output) {
        return DevicePrints.of(PrintedText.of(output, Set.of("acc"), 0), List.of());
    }

    @Test
    void judgesWrittenValuesOfAbbreviatedPrint() {
        // given
        DevicePrints finite = text("acc [0. 1. 2. ... 997. 998. 999.]\n");
        DevicePrints wrong = text("acc [0. 1. 2. ... 997. nan 999.]\n");
        double[] expected = IntStream.range(0, 1000).asDoubleStream().toArray();

        // then
        assertThat(finite).withPrefix("acc").hasSize(1);
        assertThatThrownBy(() -> assertThat(finite).hasNoNaN())
                .hasMessage("print 0 \"acc\" is abbreviated: only 6 of an unknown number of values were written");
        assertThatThrownBy(() -> assertThat(finite).onlyTensor().hasNoNaN())
                .hasMessage("print 0 \"acc\" is abbreviated: only 6 of an unknown number of values were written");
        assertThatThrownBy(() -> assertThat(wrong).hasNoNaN())
                .hasMessageContaining("1 of 6 values is NaN, first at [-2]");
        assertThatThrownBy(() -> assertThat(finite).onlyTensor().isCloseTo(expected, within(0.1)))
                .hasMessageContaining(
                        "undecided, because only 6 values could be compared, and all are what was expected within 0.1: the actual tensor is abbreviated");
        assertThatThrownBy(() -> assertThat(wrong).onlyTensor().isCloseTo(expected, within(0.1)))
                .hasMessageContaining("1 of 6 values that could be compared is not what was expected")
                .hasMessageContaining("[998]");
        fails(() -> assertThat(finite).onlyTensor().hasShape(1000));
    }

    private static DevicePrints device() {
        return new PrintFixture()
                .floats("acc", 0.12346f, 2)
                .floats("norm", 3)
                .floats("acc", 4, 5)
                .live();
    }

    private static DevicePrints simulated(String... lines) {
        return text(String.join("\n", lines) + "\n");
    }

    @Test
    void comparesPrintsOfTwoRuns() {
        // given
        String acc = "acc float32 (2,) [0.1235 2.0000]";
        String norm = "norm float32 (1,) [3.0000]";
        String last = "acc float32 (2,) [4.0000 5.0000]";

        // then
        assertThat(device()).sameAs(simulated(acc, norm, last), Tolerance.exact());
        assertThat(device()).sameAs(simulated(norm, acc, last), Tolerance.exact());
        assertThat(device()).withPrefix("acc").sameAs(simulated(acc, last), Tolerance.exact());
        assertThatThrownBy(() -> assertThat(device())
                        .sameAs(simulated(acc.replace("0.1235", "0.1236"), norm, last), Tolerance.exact()))
                .hasMessageContaining("print 0 \"acc\", float32 (2,): 1 of 2 values is not what was expected")
                .hasMessageContaining("The expected values are those of print 0 \"acc\" of the other run.");
        assertThatThrownBy(() -> assertThat(device()).sameAs(simulated(last, norm, acc), Tolerance.absolute(0.1)))
                .hasMessageContaining("2 of 3 prints differ.");
        assertThatThrownBy(() -> assertThat(device()).sameAs(simulated(acc, norm), Tolerance.exact()))
                .hasMessageContaining("\"acc\": expected 1 print, was 2 (extra: print 2 \"acc\")");
        assertThatThrownBy(() -> assertThat(device()).sameAs(simulated(acc, last), Tolerance.exact()))
                .hasMessageContaining("\"norm\": expected 0 prints, was 1 (extra: print 1 \"norm\")");
        assertThatThrownBy(() -> assertThat(device()).sameAs(simulated(acc, norm, last, last), Tolerance.exact()))
                .hasMessageContaining("\"acc\": expected 3 prints, was 2 (missing: print 3 \"acc\")");
        assertThatThrownBy(() -> assertThat(device())
                        .sameAs(simulated(acc, norm, "acc float32 (2, 1) [[4.0000] [5.0000]]"), Tolerance.exact()))
                .hasMessageContaining("shapes differ: expected (2, 1), was (2,)");
    }

    @Test
    void comparesOnlyWrittenValuesOfAbbreviatedPrints() {
        // given
        DevicePrints tile = new PrintFixture()
                .tile("acc", 2, 1000, index -> index % 1000 / 8)
                .live();
        String text = "acc [[0. 0. 0. ... 124. 124. 124.]\n [0. 0. 0. ... 124. 124. 124.]]";

        // when
        assertThat(tile).sameAs(simulated(text), Tolerance.exact());

        // then
        assertThat(tile.notices())
                .containsExactly(
                        "Comparison with the prints of another run: Only 12 values of 1 print were compared, because 1 print is abbreviated.");
        assertThatThrownBy(
                        () -> assertThat(tile).sameAs(simulated(text.replace("124.]]", "125.]]")), Tolerance.exact()))
                .hasMessageContaining("1 of 12 values that could be compared is not what was expected within 0 ULP")
                .hasMessageContaining("[1, 999]     125.0   124.0")
                .hasMessageContaining("Only 12 values of 1 print were compared");
        assertThatThrownBy(() -> assertThat(tile).sameAs(simulated("acc [[...]\n [...]]"), Tolerance.exact()))
                .hasMessageContaining("No value was compared.");
        assertThatThrownBy(() -> assertThat(tile).sameAs(simulated("acc [0. 0. ... 0. 0.]"), Tolerance.exact()))
                .hasMessageContaining("shapes differ: expected (?,), was (2, 1000)");
    }

    @Test
    void refusesComparisonsThatProveNothing() {
        // given
        DevicePrints doubtful = new PrintFixture()
                .floats("acc", 1)
                .doubt(PrintDoubt.Kind.LOST, "a print was lost")
                .live();
        DevicePrints twoCores = new PrintFixture()
                .print(0, "acc", "int8", List.of(1L), (byte) 1)
                .print(1, "acc", "int8", List.of(1L), (byte) 1)
                .live();

        // then
        assertThatThrownBy(() -> assertThat(simulated("")).sameAs(simulated(""), Tolerance.exact()))
                .hasMessageContaining("No value was compared.");
        assertThatThrownBy(() -> assertThat(doubtful).sameAs(simulated("acc [1]"), Tolerance.exact()))
                .hasMessageContaining("No difference was found in 1 value, and prints may be missing.")
                .hasMessageContaining("a print was lost");
        assertThatThrownBy(() -> assertThat(simulated("acc [1]")).sameAs(doubtful, Tolerance.exact()))
                .hasMessageContaining("a print was lost");
        assertThatThrownBy(() -> assertThat(twoCores).sameAs(twoCores, Tolerance.exact()))
                .hasMessageContaining("several cores have no common order");
        assertThat(twoCores).onCore(1).sameAs(simulated("acc [1]"), Tolerance.exact());
        assertThatThrownBy(() -> assertThat(simulated("acc [nan]")).sameAs(simulated("acc [nan]"), Tolerance.exact()))
                .hasMessageContaining("Tolerance.withNanEqualToNan() accepts it");
        assertThat(simulated("acc [nan]"))
                .sameAs(simulated("acc [nan]"), Tolerance.exact().withNanEqualToNan());
    }

    @Test
    void refusesComparisonOfPrintsWithThemselves() {
        // given
        DevicePrints device = device();

        // then
        assertThatThrownBy(() -> assertThat(device).sameAs(device, Tolerance.exact()))
                .hasMessageContaining("The prints were compared with themselves, which proves nothing.");
        assertThatThrownBy(() -> assertThat(device)
                        .withPrefix("acc")
                        .sameAs(device.frozen().withPrefix("acc"), Tolerance.exact()))
                .hasMessageContaining("compared with themselves");
    }

    @Test
    void failsIfPrintHasNoComparedValue() {
        // given
        DevicePrints tile = new PrintFixture()
                .tile("acc", 2, 1000, index -> index)
                .floats("norm", 3)
                .live();

        // then
        assertThatThrownBy(() -> assertThat(tile)
                        .sameAs(simulated("acc [[...]\n [...]]", "norm float32 (1,) [3.0000]"), Tolerance.exact()))
                .hasMessageContaining("No value of print 0 \"acc\" was compared.");
    }

    @Test
    void comparesShortNumbersInDtypeOfDevice() {
        // given
        DevicePrints half = new PrintFixture()
                .print(0, "acc", "float16", List.of(2L), (byte) 0x3b, (byte) 0x33, (byte) 0x66, (byte) 0x2e)
                .live();

        // then
        assertThat(new PrintFixture().floats("acc", 0.1f, 1e-30f).live())
                .sameAs(simulated("acc [1.e-01 1.e-30]"), Tolerance.exact());
        assertThat(half).sameAs(simulated("acc [0.226 0.1]"), Tolerance.exact());
        fails(() -> assertThat(half).sameAs(simulated("acc [0.226 0.101]"), Tolerance.exact()));
        fails(() -> assertThat(half).sameAs(simulated("acc [0.2262 0.1]"), Tolerance.exact()));
    }
}
