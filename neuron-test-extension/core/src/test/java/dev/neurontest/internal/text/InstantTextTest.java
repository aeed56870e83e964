package dev.neurontest.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstantTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-07-31T10:15:30.123456789Z",
                "2026-07-31T10:15:30.123456Z",
                "2026-07-31T10:15:30.120Z",
                "2026-07-31T10:15:30.000001Z",
                "2026-07-31T10:15:30Z",
                "2026-07-31T10:15:00.000000001Z",
                "2026-07-31T10:15:00Z",
                "2026-01-01T00:00:00Z",
                "1970-01-01T00:00:00Z",
                "1969-12-31T23:59:59.999Z",
                "0001-01-01T00:00:00Z",
                "-0001-01-01T00:00:00Z",
                "+12026-01-01T00:00:00Z"
            })
    void equalsTheStandardText(String text) {
        Instant time = Instant.parse(text);

        assertThat(InstantText.of(time)).isEqualTo(time.toString()).isEqualTo(text);
    }
}
