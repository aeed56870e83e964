package dev.neurontest.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteSizeTest {

    @ParameterizedTest
    @CsvSource({
        "1 GiB, 1073741824",
        "512 MiB, 536870912",
        "4096 B, 4096",
        "0 B, 0",
        "1.5 KiB, 1536",
        "4KiB, 4096",
        "' 2 TiB ', 2199023255552"
    })
    void readsAnAmountWithItsUnit(String text, long bytes) {
        assertThat(ByteSize.parse(text)).isEqualTo(new ByteSize(bytes));
    }

    @ParameterizedTest
    @CsvSource({
        "4096, has no unit",
        "0, has no unit",
        "1 GB, has the unknown unit \"GB\"",
        "1 gib, has the unknown unit \"gib\"",
        "-1 B, is not an amount of memory",
        "'', is not an amount of memory",
        "much, is not an amount of memory",
        "1  GiB, is not an amount of memory",
        "1.5 B, is not a whole number of bytes below 8 EiB",
        "9999999999 TiB, is not a whole number of bytes below 8 EiB"
    })
    void explainsInvalidText(String text, String problem) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"" + text + "\" " + problem
                        + ". Write a number and one of B, KiB, MiB, GiB, TiB, such as \"1 GiB\" or \"4096 B\".");
    }

    @ParameterizedTest
    @CsvSource({"1073741824, 1 GiB", "1536, 1.5 KiB", "4096, 4 KiB", "7, 7 B"})
    void isShownInTheLargestUnit(long bytes, String text) {
        assertThat(new ByteSize(bytes)).hasToString(text);
    }
}
