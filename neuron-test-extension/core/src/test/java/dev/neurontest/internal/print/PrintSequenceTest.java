package dev.neurontest.internal.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.internal.print.stream.EventFixture;
import dev.neurontest.print.DevicePrint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PrintSequenceTest {

    private static List<DevicePrint> numbers(int... numbers) throws IOException {
        EventFixture[] events = IntStream.of(numbers)
                .mapToObj(number -> EventFixture.counting("acc", number))
                .toArray(EventFixture[]::new);
        return EventFixture.stored(Path.of("unused"), events).prints();
    }

    @Test
    void isWholeWhenEveryNumberIsThere() throws IOException {
        // when
        PrintSequence sequence = PrintSequence.of(numbers(0, 1, 2, 3));

        // then
        assertThat(sequence.isWhole()).isTrue();
        assertThat(sequence.trouble()).isEmpty();
    }

    @Test
    void namesMissingNumbers() throws IOException {
        // when
        PrintSequence sequence = PrintSequence.of(numbers(1, 2, 5));

        // then
        assertThat(sequence.missing()).containsExactly(0L, 3L, 4L);
        assertThat(sequence.trouble())
                .contains(
                        "3 prints, 3 missing: 0, 3, 4. A stream that is full drops events: print less at once, or set NEURON_RT_DEBUG_STREAM_BUFFER_SIZE to a larger power of two.");
    }

    @Test
    void countsAllMissingNumbersAndShowsFirstOnes() throws IOException {
        // when
        PrintSequence sequence = PrintSequence.of(numbers(0, 1_000_000_000));

        // then
        assertThat(sequence.missingCount()).isEqualTo(999_999_999);
        assertThat(sequence.missing())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 20).mapToObj(Long::valueOf).toList());
        assertThat(sequence.trouble().orElseThrow()).contains("19, 20, ...");
    }

    @Test
    void acceptsAnyFirstNumberAndStep() throws IOException {
        // then
        assertThat(PrintSequence.of(numbers(10, 15, 25), 0, 10, 5).missing()).containsExactly(20L);
    }

    @Test
    void reportsRepeatedAndFallingNumbers() throws IOException {
        // when
        PrintSequence sequence = PrintSequence.of(numbers(0, 2, 1, 2));

        // then
        assertThat(sequence.isWhole()).isFalse();
        assertThat(sequence.repeated()).containsExactly(2L);
        assertThat(sequence.falls()).isEqualTo(1);
        assertThat(sequence.missingCount()).isZero();
    }

    @Test
    void reportsNumbersOutsideSequence() throws IOException {
        // when
        PrintSequence sequence = PrintSequence.of(numbers(0, -1, 1, 3), 0, 0, 2);

        // then
        assertThat(sequence.odd()).containsExactly("-1", "1", "3");
    }

    @Test
    void reportsMissingElementOfPrint() throws IOException {
        // then
        assertThat(PrintSequence.of(numbers(0), 4, 0, 1).odd()).containsExactly("no element 4");
    }

    @Test
    void refusesStepOfZero() {
        // then
        assertThatThrownBy(() -> PrintSequence.of(List.of(), 0, 0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A sequence rises by 1 or more, not by 0.");
    }
}
