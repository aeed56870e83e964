package dev.neurontest.configuration;

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
    void reads_what_people_write(String text, Duration expected) {
        // when
        Duration duration = DurationText.parse(text);

        // then
        assertThat(duration).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "30, the unit is missing",
        "1.5, the unit is missing",
        "soon, it is no duration",
        "30 seconds, it is no duration",
        "-5 s, it is no duration",
        "-PT5S, it is negative",
        "1 s 2 ms, it is no duration",
        "8761 h, it is too long",
        "999999999999999999 h, it is too long",
        "PT9999999999999999H, it is no duration"
    })
    void says_what_is_wrong_with_anything_else(String text, String problem) {
        // when, then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationText.parse(text))
                .withMessage(problem);
    }
}
