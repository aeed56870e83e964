package dev.neurontest.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ListTextTest {

    @Test
    void listsAllItems() {
        assertThat(ListText.of(List.of())).isEmpty();
        assertThat(ListText.of(List.of(1, "b"))).isEqualTo("1, b");
        assertThat(ListText.of(List.of("a", "bc"), String::length)).isEqualTo("1, 2");
    }

    @Test
    void countsItemsBeyondLimit() {
        assertThat(ListText.some(List.of(), 2)).isEmpty();
        assertThat(ListText.some(List.of("a", "b"), 2)).isEqualTo("a, b");
        assertThat(ListText.some(List.of("a", "b", "c", "d"), 2)).isEqualTo("a, b and 2 more");
    }
}
