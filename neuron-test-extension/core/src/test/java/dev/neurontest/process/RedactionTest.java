package dev.neurontest.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class RedactionTest {

    @Test
    void keeps_json_readable_for_programs() {
        // given
        String json = """
                {"a": {"password": 12, "client_secret": ["x", {"y": "]"}], "token": true}, "count": 3, "text": "token=abc"}
                """;

        // when
        String masked = Redaction.mask(json);

        // then
        assertThat(JsonMapper.shared().readValue(masked, Object.class))
                .isEqualTo(Map.of(
                        "a",
                        Map.of("password", "***", "client_secret", "***", "token", true),
                        "count",
                        3,
                        "text",
                        "token=***"));
    }

    @Test
    void takes_long_texts_without_getting_lost() {
        // given
        String letters = "a".repeat(1_000_000);
        String escapes = "\\\"".repeat(500_000);
        String text = letters + " password=" + letters + "\n{\"secret\": \"" + escapes + "\"}\n" + "[{".repeat(100_000);

        // when
        String masked = Redaction.mask(text);

        // then
        assertThat(masked).isEqualTo(letters + " password=***\n{\"secret\": \"***\"}\n" + "[{".repeat(100_000));
    }
}
