package dev.neurontest.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {

    @ParameterizedTest
    @CsvSource({
        "0, PT0S",
        "0 s, PT0S",
        "250 us, PT0.00025S",
        "500 ms, PT0.5S",
        "500ms, PT0.5S",
        "30 s, PT30S",
        "1.5 s, PT1.5S",
        "10 min, PT10M",
        "2 h, PT2H",
        "PT10S, PT10S",
        "PT1M30.5S, PT1M30.5S",
        "8760 h, PT8760H"
    })
    void readsUsualNotations(String text, Duration expected) {
        // when
        Duration duration = DurationText.parse(text);

        // then
        assertThat(duration).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "30, the unit is missing",
        "1.5, the unit is missing",
        "soon, it is not a duration",
        "30 seconds, it is not a duration",
        "-5 s, it is not a duration",
        "-PT5S, it is negative",
        "1 s 2 ms, it is not a duration",
        "8761 h, it is too long",
        "999999999999999999 h, it is too long",
        "PT9999999999999999H, it is not a duration"
    })
    void refusesInvalidTextWithReason(String text, String problem) {
        // when, then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationText.parse(text))
                .withMessage(problem);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 ms",
        "PT0.0019S, 1 ms",
        "PT0.999S, 999 ms",
        "PT1S, 1.0 s",
        "PT59.99S, 59.9 s",
        "PT1M, 1 min 0 s",
        "PT59M59S, 59 min 59 s",
        "PT1H, 1 h 0 min",
        "PT51H, 2 d 3 h"
    })
    void writesElapsedTimeRoughly(Duration time, String text) {
        assertThat(DurationText.of(time)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 s",
        "PT0.00000095S, 950 ns",
        "PT0.0000015S, 1.5 µs",
        "PT0.01637S, 16.4 ms",
        "PT0.25S, 250 ms",
        "PT5S, 5 s",
        "PT5.016S, 5.02 s",
        "PT100S, 100 s",
        "PT-1S, -1 s"
    })
    void writesMeasuredTimeInThreeDigits(Duration time, String text) {
        assertThat(DurationText.exact(time)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"PT0S, 0 s", "PT0.3S, 300 ms", "PT1.5S, 1500 ms", "PT90S, 90 s", "PT10M, 10 min", "PT2H, 120 min"})
    void writesLimitsAsTheyWereSet(Duration time, String text) {
        assertThat(DurationText.limit(time)).isEqualTo(text);
    }
}
