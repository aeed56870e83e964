package dev.neurontest.internal.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;
import dev.neurontest.tensor.Tolerance;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TensorComparisonTest {

    private static final double NAN = Double.NaN;
    private static final double INF = Double.POSITIVE_INFINITY;

    private static boolean matches(double actual, double expected, Tolerance tolerance) {
        return TensorComparison.of(
                        TensorView.of(new double[] {actual}), TensorView.of(new double[] {expected}), tolerance)
                .matches();
    }

    @ParameterizedTest
    @CsvSource({
        "1.001, 1, 0.0011, 0, true",
        "1.001, 1, 0.0009, 0, false",
        "0.999, 1, 0.0011, 0, true",
        "101, 100, 0, 0.01, true",
        "102, 100, 0, 0.01, false",
        "102, 100, 1, 0.01, true",
        "-101, -100, 0, 0.01, true",
        "1, -1, 1, 0, false",
        "0.0, -0.0, 0, 0, true",
        "Infinity, Infinity, 0, 0, true",
        "Infinity, -Infinity, 9, 9, false",
        "1e308, Infinity, 1e300, 1, false",
        "NaN, NaN, 1, 1, false",
        "1, NaN, 1, 1, false",
        "NaN, 1, 1, 1, false"
    })
    void appliesAbsoluteAndRelativeTolerance(
            double actual, double expected, double absolute, double relative, boolean matches) {
        // then
        assertThat(matches(actual, expected, Tolerance.absolute(absolute).plusRelative(relative)))
                .isEqualTo(matches);
    }

    @Test
    void treatsOnlyTwoNaNsAsEqualOnRequest() {
        // then
        assertThat(matches(NAN, NAN, Tolerance.exact().withNanEqualToNan())).isTrue();
        assertThat(matches(1, NAN, Tolerance.exact().withNanEqualToNan())).isFalse();
        assertThat(matches(NAN, 1, Tolerance.exact().withNanEqualToNan())).isFalse();
        assertThat(matches(INF, Double.MAX_VALUE, Tolerance.ulps(9))).isFalse();
    }

    @Test
    void countsUlpsInActualDtype() {
        // given
        TensorView actual = TensorView.of(
                "bfloat16", List.of(3L), TensorBytes.of(HexFormat.of().parseHex("803f813f833f")));
        TensorView expected = TensorView.of(new double[] {1.001, 1, 1});

        // when
        TensorComparison one = TensorComparison.of(actual, expected, Tolerance.ulps(1));

        // then
        assertThat(one.mismatches()).isEqualTo(1);
        assertThat(one.first())
                .containsExactly(new Mismatch(2, List.of(2L), "1.0", "1.02344", 0.0234375, OptionalLong.of(3)));
        assertThat(TensorComparison.of(actual, expected, Tolerance.ulps(3)).matches())
                .isTrue();
        assertThat(TensorComparison.of(actual, expected, Tolerance.ulps(0)).mismatches())
                .isEqualTo(2);
        assertThat(TensorComparison.of(
                                actual, expected, Tolerance.absolute(0.002).orUlps(2))
                        .mismatches())
                .isEqualTo(1);
    }

    @Test
    void comparesEveryDigitOfWholeNumbers() {
        // given
        TensorView actual = TensorView.of(new long[] {(1L << 60) + 1});
        TensorView expected = TensorView.of(new long[] {1L << 60});

        // then
        assertThat(TensorComparison.of(actual, expected, Tolerance.exact()).first())
                .extracting(Mismatch::difference)
                .containsExactly(1.0);
        assertThat(TensorComparison.of(actual, expected, Tolerance.absolute(1)).matches())
                .isTrue();
        assertThat(TensorComparison.of(actual, actual, Tolerance.exact()).matches())
                .isTrue();
    }

    @Test
    void keepsFirstAndWorstMismatchesAndTheirCount() {
        // given
        double[] actual = new double[100];
        actual[90] = 7;
        Arrays.fill(actual, 20, 40, 1);

        // when
        TensorComparison comparison = TensorComparison.of(
                TensorView.of(actual, 10, 10), TensorView.of(new double[100], 10, 10), Tolerance.exact());

        // then
        assertThat(comparison.mismatches()).isEqualTo(21);
        assertThat(comparison.first())
                .hasSize(10)
                .extracting(Mismatch::flat)
                .startsWith(20L)
                .endsWith(29L);
        assertThat(comparison.worst().orElseThrow().index()).containsExactly(9L, 0L);
    }

    @Test
    void treatsNaNAsWorstMismatch() {
        // when
        TensorComparison comparison = TensorComparison.of(
                TensorView.of(new double[] {5, NAN, 9, NAN}), TensorView.of(new double[4]), Tolerance.exact());

        // then
        assertThat(comparison.worst().orElseThrow().flat()).isEqualTo(1);
    }

    @Test
    void explainsWhyTensorsCannotBeCompared() {
        // given
        TensorView two = TensorView.of(new float[2]);
        TensorView odd = TensorView.of("mystery", List.of(2L), two.bytes());

        // then
        assertThat(TensorComparison.of(two, TensorView.of(new float[2], 1, 2), Tolerance.exact())
                        .whyNot())
                .isEqualTo("shapes differ: expected (1, 2), was (2,)");
        assertThat(TensorComparison.of(odd, two, Tolerance.exact()).whyNot())
                .isEqualTo("the actual tensor cannot be decoded: dtype \"mystery\" is unknown");
        assertThat(TensorComparison.of(two, odd, Tolerance.exact()).whyNot())
                .isEqualTo("the expected tensor cannot be decoded: dtype \"mystery\" is unknown");
        assertThat(TensorComparison.of(odd, two, Tolerance.exact()).matches()).isFalse();
    }

    @Test
    void describesTolerance() {
        // then
        assertThat(Tolerance.exact()).hasToString("exactly");
        assertThat(Tolerance.absolute(0.001)).hasToString("within 0.001");
        assertThat(Tolerance.ulps(0)).hasToString("within 0 ULP");
        assertThat(Tolerance.absolute(0.001).plusRelative(0.01).orUlps(2))
                .hasToString("within 0.001 + 0.01 of the expected value or 2 ULP");
        assertThat(Tolerance.relative(0.01).withNanEqualToNan())
                .hasToString("within 0.01 of the expected value, NaN equal to NaN");
        assertThatThrownBy(() -> Tolerance.absolute(NAN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Tolerance.relative(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Tolerance.ulps(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void mapsBlocksWithoutHidingTheirExtremes() {
        // given
        HeatMap map = HeatMap.of(
                List.of(2L, 100L, 300L), 32, flat -> flat == 5 ? 1000 : flat == 299 ? NAN : flat == 59_999 ? INF : 1);

        // then
        assertThat(map.rows()).isEqualTo(29);
        assertThat(map.columns()).isEqualTo(30);
        assertThat(map.blockWidth()).isEqualTo(10);
        assertThat(map.blockHeight()).isEqualTo(7);
        assertThat(map.most(0, 0)).isEqualTo(1000);
        assertThat(map.least(0, 0)).isEqualTo(1);
        assertThat(map.mean(0, 0)).isEqualTo(1069.0 / 70, within(1e-9));
        assertThat(map.nan(0, 29)).isEqualTo(1);
        assertThat(map.infinite(28, 29)).isEqualTo(1);
        assertThat(map.mean(1, 1)).isEqualTo(1);
    }

    @Test
    void foldsALongRow() {
        // given
        HeatMap map = HeatMap.of(List.of(1L, 1000L), 32, flat -> flat);

        // then
        assertThat(map.rows()).isEqualTo(32);
        assertThat(map.isFinite(31, 7)).isTrue();
        assertThat(map.isFinite(31, 8)).as("behind the end").isFalse();
        assertThat(HeatMap.of(List.of(), 32, flat -> 1).rows()).isEqualTo(1);
        assertThat(HeatMap.of(List.of(0L), 32, flat -> 1).rows()).isZero();
    }

    @Test
    void comparesWholeNumbersOfTwoWidthsExactly() {
        // given
        TensorView one = TensorView.of(new int[] {1});
        TensorView large = TensorView.of(new long[] {(1L << 53) + 1});

        // then
        assertThat(TensorComparison.of(one, large, Tolerance.exact()).first())
                .extracting(Mismatch::difference)
                .containsExactly(0x1p53);
        assertThat(TensorComparison.of(one, TensorView.of(new long[] {1}), Tolerance.exact())
                        .matches())
                .isTrue();
    }

    @Test
    void comparesWholeNumbersWithFractions() {
        // given
        TensorView whole = TensorView.of(new long[] {1, 2});
        TensorView fractions = TensorView.of(new float[] {1, 2.5f});

        // then
        assertThat(TensorComparison.of(whole, fractions, Tolerance.exact()).first())
                .extracting(Mismatch::difference)
                .containsExactly(0.5);
        assertThat(TensorComparison.of(fractions, whole, Tolerance.exact()).first())
                .extracting(Mismatch::difference)
                .containsExactly(0.5);
    }

    @Test
    void mapsDifferenceOfEachValue() {
        // given
        TensorView actual = TensorView.of(new double[] {1, 2, NAN, NAN, INF, INF}, 6, 1);
        TensorView expected = TensorView.of(new double[] {1, 5, NAN, 1, INF, 1}, 6, 1);

        // when
        HeatMap strict =
                TensorComparison.of(actual, expected, Tolerance.absolute(9)).differences(6);
        HeatMap lenient = TensorComparison.of(
                        actual, expected, Tolerance.exact().withNanEqualToNan())
                .differences(6);

        // then
        assertThat(strict.rows()).isEqualTo(6);
        assertThat(strict.most(0, 0)).isZero();
        assertThat(strict.most(1, 0)).as("also what is allowed").isEqualTo(3);
        assertThat(strict.nan(2, 0)).isEqualTo(1);
        assertThat(strict.nan(3, 0)).isEqualTo(1);
        assertThat(strict.isFinite(4, 0)).as("the same infinity").isTrue();
        assertThat(strict.infinite(5, 0)).isEqualTo(1);
        assertThat(lenient.isFinite(2, 0)).isTrue();
        assertThat(lenient.nan(3, 0)).isEqualTo(1);
    }

    @Test
    void refusesMapOfIncomparableTensors() {
        // given
        TensorView two = TensorView.of(new float[2]);
        TensorComparison comparison = TensorComparison.of(two, TensorView.of(new float[3]), Tolerance.exact());

        // then
        assertThatThrownBy(() -> comparison.differences(6))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("shapes differ: expected (3,), was (2,)");
    }

    @Test
    void keepsTensorsAndTolerance() {
        // given
        TensorView actual = TensorView.of(new float[2]);
        TensorView expected = TensorView.of(new float[2]);

        // when
        TensorComparison comparison = TensorComparison.of(actual, expected, Tolerance.ulps(1));

        // then
        assertThat(comparison.actual()).isSameAs(actual);
        assertThat(comparison.expected()).isSameAs(expected);
        assertThat(comparison.tolerance()).isEqualTo(Tolerance.ulps(1));
    }

    @Test
    void mapsNegativeValuesToo() {
        // given
        double[] values = {-5, -2, -8, -3};
        HeatMap map = HeatMap.of(List.of(1L, 4L), 1, flat -> values[(int) flat]);

        // then
        assertThat(map.least(0, 0)).isEqualTo(-8);
        assertThat(map.most(0, 0)).isEqualTo(-2);
        assertThat(map.mean(0, 0)).isEqualTo(-4.5);
    }

    @Test
    void doesNotFoldARowThatFits() {
        // given
        HeatMap map = HeatMap.of(List.of(32L), 32, flat -> flat);

        // then
        assertThat(map.rows()).isEqualTo(1);
        assertThat(map.columns()).isEqualTo(32);
    }

    @Test
    void listsRequestedNumberOfMismatches() {
        // given
        TensorComparison comparison = TensorComparison.of(
                TensorView.of(new double[] {1, 0, 2, 3}), TensorView.of(new double[4]), Tolerance.exact());

        // then
        assertThat(comparison.first(2)).extracting(Mismatch::flat).containsExactly(0L, 2L);
        assertThat(comparison.first(9)).isEqualTo(comparison.first());
    }
}
