package dev.neurontest.internal.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.tensor.TensorView;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TensorTextTest {

    /** Returns whole numbers with the given number of digits, counted up in the last ones. */
    private static TensorView ofDigits(int digits, int count, long... shape) {
        long first = (long) Math.pow(10, digits - 1);
        return TensorView.of(LongStream.range(first, first + count).toArray(), shape);
    }

    @ParameterizedTest
    @CsvSource({
        "0 0, '[0.0000 0.0000]'",
        "0 1, '[0.0000 1.0000]'",
        // large ones
        "99999999 1e6, '[99999999.0000  1000000.0000]'",
        "1e8 1e6, '[1.0000e+08 1.0000e+06]'",
        // small ones
        "1e-4 0, '[0.0001 0.0000]'",
        "9e-5 0, '[9.0000e-05 0.0000e+00]'",
        // far apart
        "1 1000, '[   1.0000 1000.0000]'",
        "1 1001, '[1.0000e+00 1.0010e+03]'",
        "0.01 11, '[1.0000e-02 1.1000e+01]'",
        "-1 2000, '[-1.0000e+00  2.0000e+03]'",
        // infinite values and NaN do not count
        "1 Infinity, '[1.0000    inf]'"
    })
    void writesExponentsForLargeSmallOrDistantValues(String values, String text) {
        // given
        double[] numbers = Arrays.stream(values.split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();

        // then
        assertThat(TensorText.of(TensorView.of(numbers))).isEqualTo(text);
    }

    @Test
    void fillsALineUpTo110Characters() {
        // when
        String text = TensorText.of(ofDigits(9, 23));

        // then
        assertThat(text.lines()).map(String::length).containsExactly(110, 110, 11);
        assertThat(text.lines().skip(1)).allSatisfy(line -> assertThat(line).matches(" [1-9].*"));
        assertThat(text).startsWith("[100000000 100000001 ").endsWith("\n 100000022]");
    }

    @Test
    void breaksTheRowsOfAMatrixBelowTheirFirstValue() {
        // when
        String text = TensorText.of(ofDigits(9, 42, 2, 21));

        // then
        assertThat(text.lines()).map(String::length).containsExactly(101, 101, 12, 101, 101, 13);
        assertThat(text.lines().map(line -> line.substring(0, 3)))
                .containsExactly("[[1", "  1", "  1", " [1", "  1", "  1");
    }

    @Test
    void countsOmissionTowardsLineLength() {
        // then
        assertThat(TensorText.of(ofDigits(16, 1001)).lines()).hasSize(1);
        assertThat(TensorText.of(ofDigits(17, 1001)).lines()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "1000, false",
        "1001, true",
        // a dimension that is short enough stays whole
        "200 6, true",
        "501 2 1, true",
        "8 125, false"
    })
    void leavesOutTheMiddleOfMoreThanAThousandValues(String shape, boolean leavesOut) {
        // when
        String text = textOfZeros(shape);

        // then
        assertThat(text.contains("...")).isEqualTo(leavesOut);
    }

    @Test
    void leavesADimensionOfSixWhole() {
        // then
        assertThat(textOfZeros("200 6")).startsWith("[[0 0 0 0 0 0]\n");
        assertThat(textOfZeros("200 7")).startsWith("[[0 0 0 ... 0 0 0]\n");
    }

    @Test
    void showsOneValueAtEachEndBeyondFourDimensions() {
        // then
        assertThat(textOfZeros("2 2 2 200")).startsWith("[[[[0 0 0 ... 0 0 0]\n");
        assertThat(textOfZeros("2 2 2 2 200")).startsWith("[[[[[0 ... 0]\n");
        assertThat(textOfZeros("2 2 2 200 2")).startsWith("[[[[[0 0]\n    ...\n    [0 0]]");
    }

    private static String textOfZeros(String shape) {
        long[] dimensions =
                Arrays.stream(shape.split(" ")).mapToLong(Long::parseLong).toArray();
        int count = (int) Arrays.stream(dimensions).reduce(1, (a, b) -> a * b);
        return TensorText.of(TensorView.of(new int[count], dimensions));
    }
}
