package dev.neurontest.process;

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
    void masks_a_private_key_over_its_lines() {
        // when
        String masked = mask("""
                loading
                -----BEGIN RSA PRIVATE KEY-----
                Proc-Type: 4,ENCRYPTED
                DEK-Info: AES-128-CBC,0D

                MIIEpAIBAAKCAQEA-
                -----END RSA PRIVATE KEY-----
                loaded
                """);

        // then
        assertThat(masked).isEqualTo("""
                loading
                -----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----
                loaded
                """);
    }

    @Test
    void masks_a_private_key_behind_the_prefix_of_a_log() {
        // when
        String masked = mask("""
                2026-01-02 -----BEGIN PRIVATE KEY-----
                2026-01-02 MIIEpAIBAAKCAQEA
                2026-01-02 -----END PRIVATE KEY-----
                2026-01-02 next
                """);

        // then
        assertThat(masked).isEqualTo("""
                2026-01-02 -----BEGIN PRIVATE KEY-----***-----END PRIVATE KEY-----
                2026-01-02 next
                """);
    }

    @Test
    void masks_a_private_key_on_one_line() {
        // then
        assertThat(
                        mask(
                                "{\"pem\": \"-----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----\\n\", \"n\": 1}\nnext"))
                .isEqualTo(
                        "{\"pem\": \"-----BEGIN PRIVATE KEY-----***-----END PRIVATE KEY-----\\n\", \"n\": 1}\nnext\n");
        assertThat(mask("{\"pem\": \"-----BEGIN PRIVATE KEY-----\\nMIIE\", \"n\": 1}\nnext"))
                .isEqualTo("{\"pem\": \"-----BEGIN PRIVATE KEY-----***\", \"n\": 1}\nnext\n");
    }

    @Test
    void loses_no_further_line_to_a_message_about_keys() {
        // then
        assertThat(mask("no -----BEGIN PRIVATE KEY----- in the file\nnext"))
                .isEqualTo("no -----BEGIN PRIVATE KEY-----***\nnext\n");
    }

    @Test
    void masks_a_secret_value_in_brackets_over_its_lines() {
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
    void gives_up_a_secret_that_never_ends(String begin) {
        // given
        redaction.mask(begin + "\n");

        // when
        String masked = mask("x\n".repeat(LineRedaction.LINES_OF_A_SECRET) + "next");

        // then
        assertThat(masked).isEqualTo("next\n");
    }

    @Test
    void counts_the_lines_of_each_secret_anew() {
        // given
        String key = "-----BEGIN PRIVATE KEY-----\n" + "x\n".repeat(300) + "-----END PRIVATE KEY-----";

        // then
        assertThat(mask(key + "\n" + key + "\n" + key)).doesNotContain("x");
    }

    @Test
    void masks_every_line_on_its_own_otherwise() {
        // then
        assertThat(mask("HF_TOKEN=abc\nplain\nsent Bearer abcdefghijklmnop.qrs_tuv\nrun --token geheim"))
                .isEqualTo("HF_TOKEN=***\nplain\nsent Bearer ***\nrun --token ***\n");
    }

    @Test
    void takes_many_keys_in_a_line_without_getting_lost() {
        // given
        String masked = "-----BEGIN PRIVATE KEY-----***-----END PRIVATE KEY-----";

        // then
        assertThat(redaction.mask(masked.replace("***", "MIIE").repeat(20_000))).isEqualTo(masked.repeat(20_000));
        assertThat(redaction.mask("-----BEGIN PRIVATE KEY-----x\"".repeat(20_000)))
                .isEqualTo("-----BEGIN PRIVATE KEY-----***\"".repeat(20_000));
    }

    @Test
    void masks_a_key_inside_of_a_secret_value() {
        // then
        assertThat(mask("secret: [-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\ny\n] n: 1"))
                .isEqualTo("secret: *** n: 1\n");
    }

    @Test
    void masksIndentedLinesOfASecret() {
        // then
        assertThat(mask("db:\n  password: |\n    geheim\n    more\n  user: me"))
                .isEqualTo("db:\n  password: ***\n  user: me\n");
        assertThat(mask("- api_token: >-\n    geheim\n- user: me")).isEqualTo("- api_token: ***\n- user: me\n");
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

    @Test
    void separatesPairsThatAreFarApart() {
        // then
        assertThat(mask("- name: API_TOKEN\n  # from the vault\n  value: geheim\n- name: x\n  value: 1"))
                .isEqualTo("- name: API_TOKEN\n  # from the vault\n  value: ***\n- name: x\n  value: 1\n");
        assertThat(mask("key: password\na\nb\nc\nvalue: 5")).endsWith("value: 5\n");
    }
}
