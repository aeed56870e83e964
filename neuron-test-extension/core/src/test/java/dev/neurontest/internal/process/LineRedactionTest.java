package dev.neurontest.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineRedactionTest {

    private final LineRedaction redaction = new LineRedaction(LineRedaction.LINES_OF_A_SECRET);

    private String mask(String text) {
        return text.lines().map(line -> redaction.mask(line + "\n")).collect(Collectors.joining());
    }

    @Test
    void masksBracketedSecretAcrossLines() {
        // when
        String masked = mask("""
                {
                  "credentials": {
                    "user": "me",
                    "key": "}"
                  }, "password": "x",
                  "batch": 8
                }
                """);

        // then
        assertThat(masked).isEqualTo("""
                {
                  "credentials": "***", "password": "***",
                  "batch": 8
                }
                """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-----BEGIN PRIVATE KEY-----", "secret: ["})
    void stopsMaskingSecretWithoutEnd(String begin) {
        // given
        redaction.mask(begin + "\n");

        // when
        String masked = mask("x\n".repeat(LineRedaction.LINES_OF_A_SECRET) + "next");

        // then
        assertThat(masked).isEqualTo("next\n");
    }

    @Test
    void countsLinesOfEachSecretSeparately() {
        // given
        String key = "-----BEGIN PRIVATE KEY-----\n" + "x\n".repeat(300) + "-----END PRIVATE KEY-----";

        // then
        assertThat(mask(key + "\n" + key + "\n" + key)).doesNotContain("x");
    }

    @Test
    void masksManyKeysInOneLine() {
        // given
        String masked = "-----BEGIN PRIVATE KEY-----***-----END PRIVATE KEY-----";

        // then
        assertThat(redaction.mask(masked.replace("***", "MIIE").repeat(20_000))).isEqualTo(masked.repeat(20_000));
        assertThat(redaction.mask("-----BEGIN PRIVATE KEY-----x\"".repeat(20_000)))
                .isEqualTo("-----BEGIN PRIVATE KEY-----***\"".repeat(20_000));
    }

    @Test
    void masksSecretsInColours() {
        // given
        String escape = "\u001b[";

        // then
        assertThat(mask(escape + "1mHF_TOKEN" + escape + "0m=" + escape + "32mabc" + escape + "0m"))
                .isEqualTo("HF_TOKEN=***\n");
        assertThat(mask(escape + "32mghp_" + "a".repeat(36))).isEqualTo("ghp_***\n");
        assertThat(mask(escape + "32mplain" + escape + "0m")).isEqualTo(escape + "32mplain" + escape + "0m\n");
    }
}
