package dev.neurontest.internal.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.tensor.Npy;
import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;
import dev.neurontest.tensor.Tolerance;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of what is found in outputs of any source. */
class OutputCollectorTest {

    private static final String MODEL = "model.neff";
    private static final String CORE = "neuron0/neuron_core0";
    private static final OutputOrigin ORIGIN = new OutputOrigin(MODEL, CORE, 1, "y", false);
    private static final Tolerance EXACT = Tolerance.exact();

    @TempDir
    private Path folder;

    private static TensorView tensor(String dtype, String hex, Long... shape) {
        return TensorView.of(
                dtype, List.of(shape), TensorBytes.of(HexFormat.of().parseHex(hex.replace(" ", ""))));
    }

    private static OutputExpectation demand(OutputOddity... allowed) {
        return new OutputExpectation("y", Optional.empty(), EXACT, "", Set.of(allowed), false, "@ExpectOutput");
    }

    private OutputExpectation golden(TensorView values, String dtype, OutputOddity... allowed) throws IOException {
        Path file = folder.resolve("y.npy");
        try (OutputStream out = Files.newOutputStream(file)) {
            Npy.write(values, out);
        }
        return new OutputExpectation(
                "y", Optional.of(file), Tolerance.absolute(0.01), dtype, Set.of(allowed), false, "@ExpectOutput");
    }

    private static Judgement judged(TensorView tensor, OutputExpectation... expectations) {
        OutputExpectations rules = OutputExpectations.read(List.of(expectations));
        OutputCollector collector = new OutputCollector(rules);
        collector.executed(MODEL, CORE, List.of("y"), "");
        collector.add(new OutputTensor(ORIGIN, tensor, "", ""));
        return rules.judge(collector.collected());
    }

    private static List<String> found(Judgement judgement) {
        return Stream.of(
                        judgement.violations().stream().map(Violation::actual),
                        judgement.undecided().stream().map(each -> "undecided: " + each.reason()),
                        judgement.notices().stream())
                .flatMap(each -> each)
                .toList();
    }

    /** Tests of elements that still hold the fill pattern. */
    @Nested
    class Unwritten {

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                float32 | 0000803f 00000040 a5a5a5a5 a5a5a5a5 | unwritten in the last 2 of 4 elements
                float32 | a5a5a5a5 a5a5a5a5 00000040 0000803f | unwritten in the first 2 of 4 elements
                float32 | 0000803f a5a5a5a5 a5a5a5a5 00000040 | unwritten in 2 of 4 elements, from [1] to [2]
                float32 | a5a5a5a5 a5a5a5a5 a5a5a5a5 a5a5a5a5 | unwritten in all 4 elements
                uint64  | a5a5a5a5a5a5a5a5 0100000000000000    | unwritten in the first 1 of 2 elements
                """)
        void elementsAreFound(String dtype, String hex, String text) {
            long elements = dtype.equals("float32") ? 4 : 2;
            assertThat(found(judged(tensor(dtype, hex, elements), demand()))).containsExactly(text);
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                float32 | 4 | 0000803f a5a5a5a5 00000040 00004040
                float16 | 4 | 003c a5a5 a5a5 0040
                int8    | 8 | a5 a5 a5 01 02 a5 a5 03
                """)
        void patternInFewBytesIsResult(String dtype, long elements, String hex) {
            assertThat(found(judged(tensor(dtype, hex, elements), demand()))).isEmpty();
        }

        @Test
        void smallOutputMayBeResult() {
            assertThat(found(judged(tensor("int8", "a5"), demand())))
                    .containsExactly(
                            "undecided: its 1 byte equal the fill pattern by chance or because they were not written.");
        }

        @Test
        void elementsCanBeAllowed() {
            assertThat(found(judged(
                            tensor("float32", "0000803f a5a5a5a5 a5a5a5a5 a5a5a5a5", 4L),
                            demand(OutputOddity.UNWRITTEN))))
                    .isEmpty();
        }
    }

    /** Tests of contents without a golden. */
    @Nested
    class Contents {

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                float32 | 2 | 00000000 00000080                 | zero in all 2 values
                float32 | 2 | 0000c07f 0000803f                 | NaN in 1 of 2 values, first at [0]
                float32 | 2 | 0000807f 000080ff                 | infinite in all 2 values
                bool    | 3 | 01 01 01                          | True in all 3 values
                int64   | 2 | 0200000000000000 0200000000000000 | 2 in all 2 values
                """)
        void seldomRightAreFound(String dtype, long elements, String hex, String text) {
            assertThat(found(judged(tensor(dtype, hex, elements), demand()))).containsExactly(text);
        }

        @Test
        void ofSingleValueAreNotConstant() {
            assertThat(found(judged(tensor("float32", "0000803f"), demand()))).isEmpty();
        }

        @Test
        void differingBeyondPrecisionOfDoubleAreNotConstant() {
            assertThat(found(judged(tensor("int64", "0100000000002000 0200000000002000", 2L), demand())))
                    .isEmpty();
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                int64   | ffffffffffffff7f ffffffffffffff7f | 9223372036854775807 in all 2 values
                uint64  | 0000000000000080 0000000000000080 | 9223372036854775808 in all 2 values
                float64 | 0000000000005043 0000000000005043 | 1.8014398509481984e+16 in all 2 values
                """)
        void constantBeyondPrecisionOfDoubleAreFound(String dtype, String hex, String text) {
            assertThat(found(judged(tensor(dtype, hex, 2L), demand()))).containsExactly(text);
        }

        @Test
        void infiniteByIntentionAreStillConstant() {
            TensorView infinite = TensorView.of(new float[] {Float.POSITIVE_INFINITY, Float.POSITIVE_INFINITY});

            assertThat(found(judged(infinite, demand(OutputOddity.INFINITY)))).containsExactly("inf in all 2 values");
        }

        @Test
        void ofUnknownTypeAreUndecided() {
            assertThat(found(judged(tensor("unknown", "0000803f", 2L), demand())))
                    .singleElement()
                    .asString()
                    .startsWith("undecided: ")
                    .endsWith(" Set dtype in the annotation.");
        }

        @Test
        void ofUnknownTypeAreStillZero() {
            assertThat(judged(tensor("unknown", "00000000", 2L), demand()).violations())
                    .singleElement()
                    .extracting(Violation::actual)
                    .isEqualTo("zero in all 4 bytes");
        }

        @Test
        void ofUnknownTypeAreNoticedWithoutExpectation() {
            assertThat(found(judged(tensor("unknown", "00000000", 2L))))
                    .containsExactly(
                            "Output \"y\" of model.neff on neuron0/neuron_core0, execution 1: zero in all 4 bytes.");
        }

        @Test
        void canBeReadInNamedType() {
            OutputExpectation bfloat16 =
                    new OutputExpectation("y", Optional.empty(), EXACT, "bf16", Set.of(), false, "@ExpectOutput");

            assertThat(found(judged(tensor("unknown", "803f 0040", 2L), bfloat16)))
                    .isEmpty();
            assertThat(found(judged(tensor("unknown", "c07f 0040", 2L), bfloat16)))
                    .containsExactly("NaN in 1 of 2 values, first at [0]");
            assertThat(found(judged(tensor("float16", "003c 0040", 2L), bfloat16)))
                    .containsExactly("dtype float16");
            assertThat(found(judged(tensor("unknown", "803f 0040 0000", 2L), bfloat16)))
                    .hasSize(1);
        }

        @Test
        void ofEightBitFloatReportedAsIntegerAreReadAsFloat() {
            OutputExpectation fp8 =
                    new OutputExpectation("y", Optional.empty(), EXACT, "float8e5m2", Set.of(), false, "@ExpectOutput");

            assertThat(found(judged(tensor("int8", "7f 3c", 2L), fp8)))
                    .containsExactly("NaN in 1 of 2 values, first at [0]");
        }
    }

    /** Tests of comparisons with a golden. */
    @Nested
    class WithGolden {

        private final TensorView values = TensorView.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);

        @Test
        void equalValuesPass() throws IOException {
            assertThat(found(judged(values, golden(values, "")))).isEmpty();
        }

        @Test
        void valuesOfUnknownTypeAreReadInTypeOfGolden() throws IOException {
            TensorView unknown = TensorView.of("unknown", List.of(2L, 3L), values.bytes());

            assertThat(found(judged(unknown, golden(values, "")))).isEmpty();
        }

        @Test
        void namedTypeIsComparedByValues() throws IOException {
            TensorView narrow = tensor("bfloat16", "803f 0040 4040 8040 a040 c040", 2L, 3L);

            assertThat(found(judged(narrow, golden(values, "bfloat16")))).isEmpty();
            assertThat(found(judged(narrow, golden(values, "")))).containsExactly("dtype bfloat16");
        }

        @Test
        void transposedValuesAreNamedInEitherShape() throws IOException {
            float[] transposed = {1, 4, 2, 5, 3, 6};

            assertThat(found(judged(TensorView.of(transposed, 2, 3), golden(values, ""))))
                    .containsExactly("different in 4 of 6 values: equal to the golden transposed");
            assertThat(found(judged(TensorView.of(transposed, 3, 2), golden(values, ""))))
                    .containsExactly("shape (3, 2): equal to the golden transposed");
        }

        @Test
        void infinityMatchesOnlyInfinity() throws IOException {
            TensorView masked = TensorView.of(new float[] {1, Float.NEGATIVE_INFINITY});

            assertThat(found(judged(masked, golden(masked, "")))).isEmpty();
            assertThat(found(judged(TensorView.of(new float[] {1, -1e30f}), golden(masked, ""))))
                    .hasSize(1);
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                0, 0, 0             | zero in all 3 values
                0.001, 0.001, 0.001 | 0.001 in all 3 values
                """)
        void seldomRightValuesFailWithinTolerance(String numbers, String found) throws IOException {
            double[] output = Arrays.stream(numbers.split(", "))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            TensorView small = TensorView.of(new double[] {0.001, 0.002, 0.003});

            assertThat(judged(TensorView.of(output), golden(small, "")).violations())
                    .singleElement()
                    .extracting(Violation::actual)
                    .asString()
                    .startsWith(found);
        }

        @Test
        void zerosWithinToleranceCanBeAllowed() throws IOException {
            TensorView small = TensorView.of(new double[] {0.001, 0.002, 0.003});

            assertThat(found(judged(TensorView.of(new double[3]), golden(small, "", OutputOddity.ZEROS))))
                    .isEmpty();
        }

        @Test
        void patternOfGoldenIsResult() throws IOException {
            TensorView mask = tensor("uint8", "a5a5a5a5a5a5a5a5 0102030405060708", 16L);
            TensorView unwritten = tensor("uint8", "a5a5a5a5a5a5a5a5 a5a5a5a5a5a5a5a5", 16L);

            assertThat(found(judged(mask, golden(mask, "")))).isEmpty();
            assertThat(found(judged(unwritten, golden(mask, "")))).containsExactly("unwritten in all 16 elements");
        }

        @Test
        void outputThatIsUnknownToBeWrittenPasses() throws IOException {
            OutputExpectations rules = OutputExpectations.read(List.of(golden(values, "")));
            OutputCollector collector = new OutputCollector(rules);
            collector.executed(MODEL, CORE, List.of("y"), "");
            collector.add(new OutputTensor(ORIGIN, values, "its tensor is an input too", ""));

            assertThat(found(rules.judge(collector.collected()))).isEmpty();
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                0, 0, 0   | zero in all 3 values
                2, 2, 2   | 2.0 in all 3 values
                Infinity, Infinity, Infinity | inf in all 3 values
                1, NaN, 2 | NaN in 1 of 3 values, first at [1]
                """)
        void goldenThatProvesNothingIsRefused(String numbers, String reason) throws IOException {
            double[] golden = Arrays.stream(numbers.split(", "))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            OutputExpectation expectation = golden(TensorView.of(golden), "");

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> OutputExpectations.read(List.of(expectation)))
                    .withMessageContaining("is no reference: " + reason);
        }

        @Test
        void goldenWithoutValuesIsRefused() throws IOException {
            OutputExpectation expectation = golden(TensorView.of(new float[0], 0), "");

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> OutputExpectations.read(List.of(expectation)))
                    .withMessageContaining("is no reference: it has no values");
        }

        @Test
        void goldenThatIsNoArrayIsRefused() throws IOException {
            OutputExpectation expectation = golden(values, "");
            Files.writeString(folder.resolve("y.npy"), "no array");

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> OutputExpectations.read(List.of(expectation)))
                    .withMessageContaining("is not a .npy file");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "float32"})
        void goldenOfTypeWithoutNameFails(String dtype) throws IOException {
            OutputExpectation expectation = golden(tensor("bfloat16", "803f 0040 4040 8040 a040 c040", 2L, 3L), dtype);
            Path file = folder.resolve("y.npy");
            String npy = Files.readString(file, StandardCharsets.ISO_8859_1);
            Files.writeString(file, npy.replace("<u2", "|V2"), StandardCharsets.ISO_8859_1);

            assertThat(judged(values, expectation).violations())
                    .extracting(Violation::expected)
                    .containsExactly("a golden with numbers");
        }

        @Test
        void nanMatchesNanWhereAllowed() throws IOException {
            TensorView withNaN = TensorView.of(new float[] {1, Float.NaN});

            assertThat(found(judged(withNaN, golden(withNaN, "", OutputOddity.NAN))))
                    .isEmpty();
        }
    }

    /** Tests of the outputs that are taken. */
    @Nested
    class Size {

        private static final long LARGE = 65L << 20;

        @Test
        void largeOutputIsTakenOnlyWithExpectation() {
            OutputCollector silent = new OutputCollector(OutputExpectations.read(List.of()));

            assertThat(silent.takes(ORIGIN, 64)).isTrue();
            assertThat(silent.takes(ORIGIN, LARGE)).isFalse();
            assertThat(OutputText.of(silent.collected())).contains("not examined: its 68,157,440 bytes");
            assertThat(new OutputCollector(OutputExpectations.read(List.of(demand()))).takes(ORIGIN, LARGE))
                    .isTrue();
        }

        @Test
        void outputBeyondAnArrayIsUndecided() {
            OutputExpectations rules = OutputExpectations.read(List.of(demand()));
            OutputCollector collector = new OutputCollector(rules);
            collector.executed(MODEL, CORE, List.of("y"), "");

            assertThat(collector.takes(ORIGIN, 3L << 30)).isFalse();
            assertThat(rules.judge(collector.collected()).undecided())
                    .singleElement()
                    .extracting(Undecided::reason)
                    .isEqualTo("its 3,221,225,472 bytes are more than an array holds");
        }
    }

    @Test
    void namesStatusWhenNoExecutionCompleted() {
        // given
        OutputExpectations rules = OutputExpectations.read(List.of(demand()));
        OutputCollector collector = new OutputCollector(rules);

        // when
        long number = collector.executed(MODEL, CORE, List.of("y"), "NRT_EXEC_OOB (1006)");

        // then
        assertThat(number).isZero();
        assertThat(rules.judge(collector.collected()).undecided())
                .singleElement()
                .extracting(Undecided::reason)
                .isEqualTo(
                        "No execution of model.neff on neuron0/neuron_core0 completed, so there is no output. The last of 1 execution ended with NRT_EXEC_OOB (1006).");
    }

    @ParameterizedTest
    @CsvSource({"2, ''", "3, other bytes"})
    void comparesExecutionsWithSameInputsOnAllCores(float second, String found) {
        // given
        OutputExpectations rules = OutputExpectations.read(
                List.of(new OutputExpectation("y", Optional.empty(), EXACT, "", Set.of(), true, "@ExpectOutput")));
        OutputCollector collector = new OutputCollector(rules);
        OutputOrigin other = new OutputOrigin(MODEL, "neuron0/neuron_core1", 1, "y", false);

        // when
        collector.executed(MODEL, CORE, List.of("y"), "");
        collector.add(new OutputTensor(ORIGIN, TensorView.of(new float[] {1, 2}), "", "inputs"));
        collector.executed(MODEL, other.core(), List.of("y"), "");
        collector.add(new OutputTensor(other, TensorView.of(new float[] {1, second}), "", "inputs"));

        // then
        assertThat(String.join("", found(rules.judge(collector.collected())))).isEqualTo(found);
    }

    @Test
    void violationIsNotHiddenByUndecidedExecutionBefore() {
        // given
        OutputExpectations rules = OutputExpectations.read(List.of(demand()));
        OutputCollector collector = new OutputCollector(rules);
        collector.executed(MODEL, CORE, List.of("y"), "");
        collector.executed(MODEL, CORE, List.of("y"), "");

        // when
        collector.add(new OutputTensor(ORIGIN, TensorView.of(new float[] {1, 2}), "the test provided its tensor", ""));
        collector.add(new OutputTensor(
                new OutputOrigin(MODEL, CORE, 2, "y", false), TensorView.of(new float[] {1, Float.NaN}), "", ""));

        // then
        assertThat(rules.judge(collector.collected()).violations())
                .extracting(Violation::subject, Violation::actual)
                .containsExactly(tuple(
                        "output \"y\" of model.neff on neuron0/neuron_core0, execution 2",
                        "NaN in 1 of 2 values, first at [1]"));
    }

    @Test
    void undecidedExecutionAfterViolationIsNotCountedAsViolation() {
        // given
        OutputExpectations rules = OutputExpectations.read(List.of(demand()));
        OutputCollector collector = new OutputCollector(rules);
        collector.executed(MODEL, CORE, List.of("y"), "");
        collector.executed(MODEL, CORE, List.of("y"), "");

        // when
        collector.add(new OutputTensor(ORIGIN, TensorView.of(new float[] {1, Float.NaN}), "", ""));
        collector.add(new OutputTensor(
                new OutputOrigin(MODEL, CORE, 2, "y", false),
                TensorView.of(new float[] {1, 2}),
                "the test provided its tensor",
                ""));

        // then
        assertThat(found(rules.judge(collector.collected()))).containsExactly("NaN in 1 of 2 values, first at [1]");
    }

    @Test
    void unreadOutputIsNotForgottenAfterSoundOne() {
        // given
        OutputExpectations rules = OutputExpectations.read(List.of(demand()));
        OutputCollector collector = new OutputCollector(rules);
        collector.executed(MODEL, CORE, List.of("y"), "");
        collector.executed(MODEL, CORE, List.of("y"), "");

        // when
        collector.notRead(ORIGIN, "it cannot be read");
        collector.add(new OutputTensor(
                new OutputOrigin(MODEL, CORE, 2, "y", false), TensorView.of(new float[] {1, 2}), "", ""));

        // then
        assertThat(rules.judge(collector.collected()).undecided())
                .extracting(Undecided::subject, Undecided::reason)
                .containsExactly(
                        tuple("output \"y\" of model.neff on neuron0/neuron_core0, execution 1", "it cannot be read"));
    }

    @Test
    void requiresOutputOfEachCore() {
        // given
        OutputExpectations rules = OutputExpectations.read(List.of(demand()));
        OutputCollector collector = new OutputCollector(rules);
        collector.executed(MODEL, CORE, List.of("y"), "");
        collector.add(new OutputTensor(ORIGIN, TensorView.of(new float[] {1, 2}), "", ""));
        collector.executed(MODEL, "neuron0/neuron_core1", List.of("y"), "NRT_EXEC_OOB (1006)");

        // then
        assertThat(rules.judge(collector.collected()).undecided())
                .singleElement()
                .extracting(Undecided::reason)
                .asString()
                .startsWith("No execution of model.neff on neuron0/neuron_core1 completed");
    }
}
