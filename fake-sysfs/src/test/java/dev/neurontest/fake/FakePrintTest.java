package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of scripted prints. */
class FakePrintTest {

    private static byte[] data(FakePrint print) {
        byte[] payload = print.payload(0);
        return Arrays.copyOfRange(payload, 1024, payload.length);
    }

    @Test
    void payloadMatchesTheHeaderLayout() {
        FakePrint print = FakePrint.of("acc", "bfloat16", 3, 1).ones().pipe(1);

        ByteBuffer payload = ByteBuffer.wrap(print.payload(6)).order(ByteOrder.LITTLE_ENDIAN);

        assertThat(payload.capacity()).isEqualTo(1024 + 6);
        assertThat(new String(payload.array(), 0, 4, StandardCharsets.US_ASCII)).isEqualTo("acc\0");
        assertThat(payload.getInt(512)).isEqualTo(6);
        assertThat(payload.getInt(516)).isEqualTo(1);
        assertThat(new String(payload.array(), 520, 9, StandardCharsets.US_ASCII))
                .isEqualTo("bfloat16\0");
        assertThat(payload.getLong(536)).isEqualTo(3);
        assertThat(payload.getLong(544)).isEqualTo(1);
        assertThat(payload.getLong(552)).isZero();
        assertThat(payload.getLong(600)).isEqualTo(6);
        assertThat(payload.get(608)).isZero();
        assertThat(payload.getShort(1024)).isEqualTo((short) 0x3f80);
    }

    @Test
    void fillsElementsWithRequestedValues() {
        FakePrint print = FakePrint.of("p", "int8", 2, 2);

        assertThat(data(print)).containsExactly(0, 0, 0, 0);
        assertThat(data(print.arange())).containsExactly(0, 1, 2, 3);
        assertThat(data(print.ones())).containsExactly(1, 1, 1, 1);
        assertThat(data(print.fill(-7))).containsExactly(-7, -7, -7, -7);
        assertThat(data(print.value(3, 5))).containsExactly(0, 0, 0, 5);
        assertThat(data(FakePrint.of("p", "float8e4m3fn", 2).nan(1))).containsExactly(0, 0x7f);
    }

    @Test
    void holdsAHundredThousandElements() {
        byte[] data = data(FakePrint.parse("large uint32 100x1000 arange@65535=7@65536=8"));

        ByteBuffer elements = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(data).hasSize(400_000);
        for (int i : new int[] {0, 1, 65_534, 65_537, 99_999}) {
            assertThat(elements.getInt(4 * i)).isEqualTo(i);
        }
        assertThat(elements.getInt(4 * 65_535)).isEqualTo(7);
        assertThat(elements.getInt(4 * 65_536)).isEqualTo(8);
    }

    @Test
    void copiesLeaveTheOriginalUnchanged() {
        FakePrint print = FakePrint.of("p", "int8", 1);

        assertThat(print.ones()).isNotEqualTo(print);
        assertThat(print.ones().fill(0)).isEqualTo(print).hasSameHashCodeAs(print);
        assertThat(print.times(2)).isNotEqualTo(print).hasToString("p int8 1 times=2");
    }

    @Test
    void parsesCommandSyntax() {
        assertThat(FakePrint.parse("acc float32 4x4 arange"))
                .isEqualTo(FakePrint.of("acc", "float32", 4, 4).arange());
        assertThat(FakePrint.parse(" s  int32 - fill:3 "))
                .isEqualTo(FakePrint.of("s", "int32").fill(3));
        assertThat(FakePrint.parse("acc bf16 8 zeros@3=nan@1=-inf pipe=1 times=5 core=3"))
                .isEqualTo(FakePrint.of("acc", "bf16", 8)
                        .nan(3)
                        .value(1, Double.NEGATIVE_INFINITY)
                        .pipe(1)
                        .times(5)
                        .coreId(3));
        assertThat(FakePrint.parse("n int32 1 zeros times=9 sequence"))
                .isEqualTo(FakePrint.of("n", "int32", 1).sequence().times(9));
        assertThat(FakePrint.parse("raw uint8 2 hex:ff00"))
                .isEqualTo(FakePrint.of("raw", "uint8", new long[] {2}, new byte[] {-1, 0}));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "acc",
                "acc float32 4",
                "acc float32 4y4 ones",
                "acc float32 1x1x1x1x1x1x1x1x1 ones",
                "acc float32 4 hex:00",
                "acc float32 4 ones@x=1",
                "acc float32 4 fill:much",
                "acc int8 1 fill:nan",
                "acc float32 4 ones times=0",
                "acc float32 4 ones times=x",
                "acc float8e5m2_x4 4 ones sequence",
                "acc float32 9999999999999999x9999999999999999 ones",
            })
    void refusesInvalidText(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> FakePrint.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "int8, 256, false",
        "int8, 257, true",
        "bool, 3, true",
        "float8e4m3, 20, true",
        "int8, 2, false",
        "float16, 2049, false"
    })
    void refusesSequenceBeyondDistinctValues(String dtype, int times, boolean refused) {
        FakePrint print = FakePrint.of("n", dtype, 1).times(times);

        if (refused) {
            assertThatIllegalArgumentException()
                    .isThrownBy(print::sequence)
                    .withMessageContaining("cannot represent all numbers");
        } else {
            assertThat(print.sequence()).isNotEqualTo(print);
        }
    }

    @Test
    void refusesValuesOutOfBounds() {
        FakePrint print = FakePrint.of("x".repeat(511), "float32", 1);

        assertThatIllegalArgumentException().isThrownBy(() -> FakePrint.of("x".repeat(512), "float32", 1));
        assertThatIllegalArgumentException().isThrownBy(() -> print.times(0));
        assertThatIllegalArgumentException().isThrownBy(() -> print.value(1, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FakePrint.of("p", "a name of 17 byte", new long[0], new byte[0]));
        assertThatIllegalArgumentException().isThrownBy(() -> FakePrint.of("p", "int8", new long[9], new byte[0]));
    }
}
