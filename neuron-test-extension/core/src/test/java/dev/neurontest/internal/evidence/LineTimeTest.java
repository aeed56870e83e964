package dev.neurontest.internal.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.DateTimeException;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineTimeTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-21T09:30:00Z",
                "2026-11-21T09:30:00.1Z",
                "2026-11-21T09:30:00.123Z",
                "2026-11-21T23:59:59.123456Z",
                "2024-02-29T00:00:00.123456789Z",
                "2026-11-21T09:30:60Z",
                "2026-11-21T24:00:00Z",
                "+12026-11-21T09:30:00Z",
                "2026-11-21t09:30:00z"
            })
    void parsesLikeInstant(String text) {
        // when
        Instant expected;
        try {
            expected = Instant.parse(text);
        } catch (DateTimeException refused) {
            assertThatExceptionOfType(DateTimeException.class).isThrownBy(() -> LineTime.parse(text));
            return;
        }

        // then
        assertThat(LineTime.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Z",
                "2026-02-30T09:30:00Z",
                "2026-13-01T09:30:00Z",
                "2026-11-21T09:30:00",
                "2026-11-21T09:30:0xZ",
                "2026-11-21T09:30:00.12x4Z",
                "2026-11-21T09:30:00.1234567890Z"
            })
    void refusesMalformedTime(String text) {
        // then
        assertThatExceptionOfType(DateTimeException.class).isThrownBy(() -> LineTime.parse(text));
    }
}
