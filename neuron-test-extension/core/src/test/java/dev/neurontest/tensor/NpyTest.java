package dev.neurontest.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NpyTest {

    private static TensorView read(ByteBuffer file) {
        return Npy.read("x.npy", file, "");
    }

    private static byte[] written(TensorView tensor) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Npy.write(tensor, out);
        return out.toByteArray();
    }

    private static ByteBuffer headed(String header) {
        byte[] text = header.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(10 + text.length + 8)
                .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) text.length, 0})
                .put(text)
                .rewind();
    }

    @Test
    void readsFilesOfNumPy() {
        // then
        assertThat(read(NumPyFixture.FLOATS).toDoubles()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(read(NumPyFixture.FLOATS).shape()).containsExactly(2L, 3L);
        assertThat(read(NumPyFixture.FLOATS).dtype()).contains(DType.FLOAT32);
        assertThat(read(NumPyFixture.TRUTH).toDoubles()).containsExactly(1, 0, 1);
        assertThat(read(NumPyFixture.LARGEST).text(0)).isEqualTo("18446744073709551615");
        assertThat(read(NumPyFixture.SCALAR).shape()).isEmpty();
        assertThat(read(NumPyFixture.SCALAR).number(0)).isEqualTo(2.5);
    }

    @Test
    void readsBigEndianBytes() {
        // then
        assertThat(read(NumPyFixture.BIG_ENDIAN).dtype()).contains(DType.FLOAT64);
        assertThat(read(NumPyFixture.BIG_ENDIAN).toDoubles()).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void readsFortranOrder() {
        // then
        assertThat(read(NumPyFixture.FORTRAN).toDoubles()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(read(NumPyFixture.FORTRAN_3D).shape()).containsExactly(2L, 3L, 4L);
        assertThat(read(NumPyFixture.FORTRAN_3D).toDoubles())
                .containsExactly(IntStream.range(0, 24).asDoubleStream().toArray());
    }

    @Test
    void readsVoidTypeAsGivenDType() {
        // when
        TensorView unnamed = read(NumPyFixture.VOID);
        TensorView named = Npy.read("x.npy", NumPyFixture.VOID, "bf16");

        // then
        assertThat(unnamed.isDecodable()).isFalse();
        assertThat(unnamed.text(1)).isEqualTo("0x4049");
        assertThat(named.toDoubles()).containsExactly(1, 3.140625);
        assertThat(Npy.read("x.npy", NumPyFixture.VOID, "float32").isDecodable())
                .as("of another width")
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "bfloat16, BFLOAT16",
        "'', UINT16",
        "mystery, UINT16",
        // NumPy would have written these types
        "float16, UINT16",
        // another width
        "float8e4m3fn, UINT16"
    })
    void readsUnsignedTypeAsGivenDType(String said, DType dtype) throws IOException {
        // given
        byte[] file = written(TensorView.of("bfloat16", List.of(1L), TensorBytes.of(new byte[] {0x49, 0x40})));

        // then
        assertThat(Npy.read("x.npy", ByteBuffer.wrap(file), said).dtype()).contains(dtype);
    }

    @Test
    void readsAFile(@TempDir Path folder) throws IOException {
        // given
        Path file = folder.resolve("x.npy");
        Files.write(file, written(TensorView.of("bfloat16", List.of(1L), TensorBytes.of(new byte[] {0x49, 0x40}))));

        // then
        assertThat(Npy.read(file).toDoubles()).containsExactly(0x4049);
        assertThat(Npy.read(file, "bfloat16").toDoubles()).containsExactly(3.140625);
    }

    @Test
    void usesNativeByteOrderWhenNoneIsGiven() {
        // given
        ByteBuffer file = headed("{'descr': 'f4', 'fortran_order': False, 'shape': (2,), }");
        file.order(ByteOrder.nativeOrder()).putFloat(file.limit() - 8, 1).putFloat(file.limit() - 4, -2);

        // then
        assertThat(read(file).toDoubles()).containsExactly(1, -2);
    }

    @Test
    void writesATensorWithoutBytes() throws IOException {
        // given
        TensorView nothing = TensorView.of("mystery", List.of(0L), TensorBytes.of(new byte[0]));

        // then
        assertThat(new String(written(nothing), StandardCharsets.ISO_8859_1))
                .contains("'descr': '|u1'", "'shape': (0,)");
    }

    @ParameterizedTest
    @CsvSource({
        // magic number, version, length of the header
        "934e554d5059 0100 0000, has an unreadable header",
        "934e554d5059 0100 0500, ends inside its header",
        "934e554d5059 0100 00, is not a .npy file",
        "934e554d5059 0200 00000000, has an unreadable header",
        "934e554d5059 0200 000000, ends inside its header",
        "934e554d5059 0000 0000, is a .npy file of version 0; the supported versions are 1 to 3",
        "934e554d5059 0400 0000, is a .npy file of version 4; the supported versions are 1 to 3"
    })
    void reportsTruncatedHeaderAndUnknownVersion(String bytes, String trouble) {
        // then
        assertThatThrownBy(() -> read(ByteBuffer.wrap(HexFormat.of().parseHex(bytes.replace(" ", "")))))
                .isInstanceOf(NpyException.class)
                .hasMessageStartingWith("x.npy: " + trouble);
    }

    @ParameterizedTest
    @CsvSource({
        "bool, 1, |b1",
        "int8, 1, |i1",
        "int64, 8, <i8",
        "uint32, 4, <u4",
        "float16, 2, <f2",
        "float32r, 4, <f4",
        "bfloat16, 2, <u2",
        "float8e4m3fn, 1, |u1",
        "float8e8m0fnu, 1, |u1",
        "mystery, 2, <u2",
        "mystery, 3, |u1",
        "float8e5m2_x4, 4, |u1",
        "float4e2m1fn_x4, 2, <u2"
    })
    void writesEveryDTypeAndReadsItBack(String dtype, int width, String descr) throws IOException {
        // given
        byte[] bytes = new byte[6 * width];
        bytes[0] = 0x31;
        TensorView tensor = TensorView.of(dtype, List.of(2L, 3L), TensorBytes.of(bytes));

        // when
        byte[] file = written(tensor);
        TensorView back = Npy.read("x.npy", ByteBuffer.wrap(file), dtype);

        // then
        ByteArrayOutputStream copied = new ByteArrayOutputStream();
        back.bytes().copyTo(copied);
        assertThat(new String(file, StandardCharsets.ISO_8859_1)).contains("'descr': '" + descr + "'");
        assertThat(copied.toByteArray()).isEqualTo(bytes);
        assertThat((file.length - bytes.length) % 64).as("alignment").isZero();
    }

    @Test
    void reportsMissingAndForeignFile(@TempDir Path folder) throws IOException {
        // given
        Path file = Files.writeString(folder.resolve("acc.npy"), "version https://git-lfs.github.com/spec/v1");

        // then
        assertThatThrownBy(() -> Npy.read(file))
                .isInstanceOf(NpyException.class)
                .hasMessage(file + ": is not a .npy file: it does not begin with \\x93NUMPY");
        assertThatThrownBy(() -> Npy.read(folder.resolve("absent.npy")))
                .isInstanceOf(NpyException.class)
                .hasMessage(folder.resolve("absent.npy") + ": does not exist");
        assertThatThrownBy(() -> Npy.read(Path.of("absent.npy")))
                .isInstanceOf(NpyException.class)
                .hasMessage("absent.npy: does not exist in " + Path.of("").toAbsolutePath());
    }

    @Test
    void refusesTextComplexAndRecordTypes() {
        // then
        assertThatThrownBy(() -> read(NumPyFixture.TEXT))
                .hasMessage("x.npy: contains 'U1', which cannot become a tensor");
        assertThatThrownBy(() -> read(NumPyFixture.COMPLEX))
                .hasMessage("x.npy: contains 'c16', which cannot become a tensor");
        assertThatThrownBy(() -> read(NumPyFixture.RECORD))
                .hasMessage("x.npy: contains [('x', '<i4'), ('y', '<f4')], which cannot become a tensor");
    }

    @Test
    void reportsSizeOfTruncatedFile() {
        // given
        ByteBuffer cut = NumPyFixture.FLOATS.slice(0, NumPyFixture.FLOATS.capacity() - 1);

        // then
        assertThatThrownBy(() -> read(cut))
                .hasMessage("x.npy: is truncated: 6 values of 4 bytes in the shape (2, 3), but 23 bytes are present");
        assertThatThrownBy(() -> read(NumPyFixture.FLOATS.slice(0, 40))).hasMessage("x.npy: ends inside its header");
        assertThatThrownBy(() -> read(NumPyFixture.FLOATS.slice(0, 5)))
                .hasMessageStartingWith("x.npy: is not a .npy file");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 3), }; is truncated",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }; has an unreadable shape",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }; has an unreadable header",
                "{'descr': '<f0', 'fortran_order': False, 'shape': (1,), }; is truncated",
                "{'descr': '<f0', 'fortran_order': False, 'shape': (0,), }; is truncated: 0 values of 0 bytes",
                "{'descr': '<f4', 'fortran_order': Perhaps, 'shape': (1,), }; has an unreadable header",
                "nonsense; has an unreadable header"
            })
    void refusesInvalidHeader(String header, String trouble) {
        // then
        assertThatThrownBy(() -> read(headed(header)))
                .isInstanceOf(NpyException.class)
                .hasMessageStartingWith("x.npy: " + trouble);
    }

    @Test
    void readsAnEmptyTensorOfAnyShape() {
        // then
        assertThat(read(headed("{'descr': '<f4', 'fortran_order': True, 'shape': (1000000000, 0), }")))
                .satisfies(tensor -> assertThat(tensor.size()).isZero())
                .hasToString("float32 (1000000000, 0)\n[[]\n []\n []\n ...\n []\n []\n []]");
    }
}
