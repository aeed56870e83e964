package dev.neurontest.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RangeTextTest {

    @Test
    void joinsConsecutiveNumbers() {
        assertThat(RangeText.of(List.of(0, 1, 2, 3, 7))).isEqualTo("0-3, 7");
        assertThat(RangeText.of(List.of(5))).isEqualTo("5");
        assertThat(RangeText.of(List.of(0, 2, 3))).isEqualTo("0, 2-3");
        assertThat(RangeText.of(List.of())).isEmpty();
    }

    @Test
    void sortsNumbersAndOmitsRepetitions() {
        assertThat(RangeText.of(List.of(9, 2, 1, 2, 10))).isEqualTo("1-2, 9-10");
    }
}
