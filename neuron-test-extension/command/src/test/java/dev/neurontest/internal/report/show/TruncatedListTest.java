package dev.neurontest.internal.report.show;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TruncatedListTest {

    @Test
    void omitsElementsAboveLimit() {
        assertThat(TruncatedList.of(List.of("a", "b", "c", "d"), 2))
                .isEqualTo(new TruncatedList<>(List.of("a", "b"), 2));
    }

    @Test
    void omitsNoSingleElement() {
        assertThat(TruncatedList.of(List.of("a", "b", "c"), 2))
                .isEqualTo(new TruncatedList<>(List.of("a", "b", "c"), 0));
    }

    @Test
    void countsOmittedElements() {
        assertThat(TruncatedList.of(List.of("a", "b", "c", "d"), 2).count()).isEqualTo(4);
    }
}
