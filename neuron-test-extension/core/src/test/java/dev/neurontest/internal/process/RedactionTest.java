package dev.neurontest.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class RedactionTest {

    @Test
    void keepsMaskedJsonParseable() {
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
    void masksVeryLongTexts() {
        // given
        String letters = "a".repeat(1_000_000);
        String escapes = "\\\"".repeat(500_000);
        String text = letters + " password=" + letters + "\n{\"secret\": \"" + escapes + "\"}\n" + "[{".repeat(100_000);

        // when
        String masked = Redaction.mask(text);

        // then
        assertThat(masked).isEqualTo(letters + " password=***\n{\"secret\": \"***\"}\n" + "[{".repeat(100_000));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "run¦--token¦a b¦--batch¦8¦HF_TOKEN=x¦--api-key=y¦--token | run¦--token¦***¦--batch¦8¦HF_TOKEN=***¦--api-key=***¦--token",
                "run¦--password¦a⏎b¦x | run¦--password¦***¦x",
                "run¦HF_TOKEN=a⏎b¦x | run¦HF_TOKEN=***¦x",
                "run¦--pass¦123456 | run¦--pass¦***",
                "run¦--password¦<geheim>¦x | run¦--password¦***¦x",
                "run¦--password¦¦x | run¦--password¦***¦x",
                "run¦--password¦'ge'heim¦x | run¦--password¦***¦x",
                "run¦password=missing in action¦x | run¦password=***¦x",
                "curl¦--header=Authorization: Bearer abc¦-u¦me:geheim | curl¦--header=Authorization: ***¦-u¦me:***",
                "run¦--data={\"credentials\": [1¦--password¦geheim | run¦--data={\"credentials\": \"***\"¦--password¦***",
                "run¦-----BEGIN PRIVATE KEY-----¦--password¦geheim | run¦-----BEGIN PRIVATE KEY-----***¦--password¦***",
                "mysql¦-p$geheim¦x | mysql¦-p***¦x",
                "curl¦https://x/login¦-u¦me:ge heim | curl¦https://x/login¦-u¦me:***",
                "wandb¦login¦--host¦https://x¦0123456789abcdef0123 | wandb¦login¦--host¦https://x¦***",
            })
    void masksArgumentsOfProgram(String arguments, String expected) {
        // when
        List<String> masked =
                Redaction.mask(List.of(arguments.replace('⏎', '\n').split("¦", -1)));

        // then
        assertThat(masked).containsExactly(expected.split("¦", -1));
    }
}
