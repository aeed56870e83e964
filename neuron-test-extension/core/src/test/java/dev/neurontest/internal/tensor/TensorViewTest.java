package dev.neurontest.internal.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TensorViewTest {

    private static TensorView tensor(String dtype, List<Long> shape, String bytes) {
        return TensorView.of(dtype, shape, TensorBytes.of(HexFormat.of().parseHex(bytes)));
    }

    @Test
    void decodesValuesByPosition() {
        // given
        TensorView tensor = tensor("bfloat16", List.of(2L, 2L), "803f00404040803f");

        // then
        assertThat(tensor.toDoubles()).containsExactly(1, 2, 3, 1);
        assertThat(tensor.toFloats()).containsExactly(1, 2, 3, 1);
        assertThat(tensor.flat(1, 0)).isEqualTo(2);
        assertThat(tensor.index(2)).containsExactly(1L, 0L);
        assertThat(tensor.code(3)).isEqualTo(0x3f80);
        assertThatThrownBy(() -> tensor.number(4)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> tensor.flat(0, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> tensor.flat(1)).hasMessage("1 indices for the shape (2, 2)");
    }

    @Test
    void keepsWholeNumbersExact() {
        // given
        TensorView tensor = tensor("uint64", List.of(1L), "feffffffffffffff");

        // then
        assertThat(tensor.integer(0)).isEqualTo(new BigInteger("18446744073709551614"));
        assertThat(tensor.text(0)).isEqualTo("18446744073709551614");
    }

    @ParameterizedTest
    @CsvSource({
        // four values of 8 bits in 4 bytes, the lowest first
        "float8e4m3fn_x4, '2', 383c404430b8bcc0, '8', '1.0 1.5 2.0 3.0 0.5 -1.0 -1.5 -2.0'",
        "float8e5m2_x4, '2 1', 3c4044483c404448, '2 4', '1.0 2.0 4.0 8.0 1.0 2.0 4.0 8.0'",
        // the shape counts values
        "float8e4m3fn_x4, '4', 383c4044, '4', '1.0 1.5 2.0 3.0'",
        "float4e2m1fn_x4, '4', 020f0107, '4', '1.0 -6.0 0.5 6.0'",
        // four values of 4 bits in 2 bytes, the lowest first
        "float4e2m1fn_x4, '2', 2143f765, '8', '0.5 1.0 1.5 2.0 6.0 -6.0 3.0 4.0'",
        // one unit without dimensions
        "float4e2m1fn_x4, '', 2143, '4', '0.5 1.0 1.5 2.0'",
        // two in a byte, also of an odd number
        "float4e2m1fn, '3', 2103, '3', '0.5 1.0 1.5'"
    })
    void unpacksValuesAccordingToByteCount(String dtype, String shape, String bytes, String shown, String values) {
        // given
        TensorView tensor = tensor(dtype, longs(shape), bytes);

        // then
        assertThat(tensor.trouble()).isEmpty();
        assertThat(tensor.shape()).isEqualTo(longs(shown));
        assertThat(tensor.printedShape()).isEqualTo(longs(shape));
        assertThat(LongStream.range(0, tensor.size()).mapToObj(tensor::text)).containsExactly(values.split(" "));
    }

    private static List<Long> longs(String numbers) {
        return numbers.isEmpty()
                ? List.of()
                : Arrays.stream(numbers.split(" ")).map(Long::valueOf).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "mystery, '2', 803f0040, '2', 0x3f80, 'dtype \"mystery\" is unknown'",
        "mystery, '3', 803f0040, '4', 0x80, 'dtype \"mystery\" is unknown'",
        "float32, '2', 803f0040, '2', 0x3f80, 'float32 of shape (2,) takes 8 bytes, but there are 4'",
        "mystery, '2', 000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f, '2',"
                + " 0x0f0e0d0c0b0a09080706050403020100, 'dtype \"mystery\" is unknown'",
        "mystery, '1', 000102030405060708090a0b0c0d0e0f10, '17', 0x00, 'dtype \"mystery\" is unknown'",
        "mystery, '0', 8081, '2', 0x80, 'dtype \"mystery\" is unknown'",
        "float8e4m3_x4, '2', 383838, '3', 0x38, 'float8e4m3_x4 of shape (2,) takes 2 or 8 bytes, but there are 3'",
        "float4e2m1fn, '3', 02030405, '4', 0x02, 'float4e2m1fn of shape (3,) takes 3 or 2 bytes, but there are 4'",
        "float8e4m3_x4, '1', 383838, '1', 0x383838, 'float8e4m3_x4 of shape (1,) takes 1 or 4 bytes, but there are 3'",
        "float4e2m1fn_x4, '1', 38383838, '1', 0x38383838, 'float4e2m1fn_x4 of shape (1,) takes 1 or 2 bytes, but there are 4'",
        "float32, '9223372036854775807 9', 803f0040, '4', 0x80, '(9223372036854775807, 9) has more values than can be counted'"
    })
    void showsUndecodableValuesAsHex(
            String dtype, String shape, String bytes, String shown, String text, String trouble) {
        // given
        TensorView tensor = tensor(dtype, longs(shape), bytes);

        // then
        assertThat(tensor.isDecodable()).isFalse();
        assertThat(tensor.dtypeName()).isEqualTo(dtype);
        assertThat(tensor.shape()).isEqualTo(longs(shown));
        assertThat(tensor.text(0)).isEqualTo(text);
        assertThat(tensor.trouble()).isEqualTo(trouble);
        assertThatThrownBy(() -> tensor.number(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(trouble + "; reinterpret(dtype, shape...) reads the bytes another way");
    }

    @Test
    void reinterpretsBytesAsOtherDtype() {
        // given
        TensorView tensor = tensor("mystery", List.of(4L), "803f0040");

        // then
        assertThat(tensor.reinterpret("bf16", 1, 2).toDoubles()).containsExactly(1, 2);
    }

    @Test
    void findsAndCountsValues() {
        // given
        TensorView tensor = TensorView.of(new double[] {1, Double.NaN, 2, Double.NaN});

        // then
        assertThat(tensor.count(Double::isNaN)).isEqualTo(2);
        assertThat(tensor.count(value -> value == 2)).isEqualTo(1);
        assertThat(tensor.first(Double::isNaN)).hasValue(1);
        assertThat(tensor.first(value -> value > 2)).isEmpty();
    }

    @Test
    void wrapsJavaArrays() {
        // then
        assertThat(TensorView.of(new float[] {1, 2, 3, 4}, 2, 2).shape()).containsExactly(2L, 2L);
        assertThat(TensorView.of(new int[] {-1}).integer(0)).isEqualTo(-1);
        assertThat(TensorView.of(new long[] {Long.MIN_VALUE}).integer(0)).isEqualTo(Long.MIN_VALUE);
        assertThatThrownBy(() -> TensorView.of(new float[3], 2, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("3 values do not fill the shape (2, 2)");
    }

    @Test
    void printsArraysLikeNumPy() {
        // then
        assertThat(TensorView.of(new float[] {0, 1, -2.5f, Float.NaN, 4, 5}, 2, 3))
                .hasToString("float32 (2, 3)\n[[ 0.0000  1.0000 -2.5000]\n [    nan  4.0000  5.0000]]");
        assertThat(TensorView.of(new int[] {1, 20, 300})).hasToString("int32 (3,)\n[  1  20 300]");
        assertThat(tensor("float32", List.of(), "0000803f")).hasToString("float32 ()\n1.0000");
        assertThat(TensorView.of(new double[] {1e-5, 1})).hasToString("float64 (2,)\n[1.0000e-05 1.0000e+00]");
        assertThat(tensor("mystery", List.of(2L), "803f0040")).hasToString("mystery (2,)\n[0x3f80 0x4000]");
        assertThat(TensorView.of(new int[] {1, 2, 3, 4}, 2, 1, 2))
                .hasToString("int32 (2, 1, 2)\n[[[1 2]]\n\n [[3 4]]]");
    }

    @Test
    void leavesOutTheMiddleOfManyValues() {
        // given
        int[] values = new int[100 * 20];
        Arrays.setAll(values, i -> i);

        // then
        assertThat(TensorView.of(values, 100, 20)).hasToString("""
                int32 (100, 20)
                [[   0    1    2 ...   17   18   19]
                 [  20   21   22 ...   37   38   39]
                 [  40   41   42 ...   57   58   59]
                 ...
                 [1940 1941 1942 ... 1957 1958 1959]
                 [1960 1961 1962 ... 1977 1978 1979]
                 [1980 1981 1982 ... 1997 1998 1999]]""");
    }

    @Test
    void hasNoElementsWithoutBytes() {
        // then
        assertThat(tensor("mystery", List.of(2L), "").shape()).containsExactly(0L);
    }

    @Test
    void countsValuesUpToGreatestBufferSize() {
        // given
        long most = Long.MAX_VALUE / Byte.SIZE;

        // then
        assertThat(Layout.count(List.of(most))).isEqualTo(most);
        assertThat(Layout.count(List.of(most + 1))).isNegative();
        assertThat(Layout.count(List.of(most, 0L, 2L))).isZero();
    }
}
