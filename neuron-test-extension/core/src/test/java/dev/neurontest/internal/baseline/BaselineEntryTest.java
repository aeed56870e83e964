package dev.neurontest.internal.baseline;

import static dev.neurontest.internal.baseline.ComparedFixture.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.Sample;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BaselineEntryTest {

    @Test
    void listsCurrentMedianBeforeFormerOnes() {
        // given
        BaselineEntry entry = new BaselineEntry(
                ComparedFixture.key(TIME),
                TIME,
                ComparedFixture.STACK,
                new Sample(List.of(3.0, 1.0, 2.0), 30),
                Optional.empty(),
                LocalDate.of(2026, 5, 4),
                "abc",
                "compiler 2.25",
                List.of(new BaselineEntry.Former(4, LocalDate.of(2026, 2, 2), "def", "")));

        // when, then
        assertThat(entry.accepted())
                .containsExactly(
                        new Comparison.Accepted(2, LocalDate.of(2026, 5, 4), "compiler 2.25"),
                        new Comparison.Accepted(4, LocalDate.of(2026, 2, 2), ""));
    }
}
