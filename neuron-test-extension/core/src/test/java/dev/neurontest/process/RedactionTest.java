package dev.neurontest.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class RedactionTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "AWS_SECRET_ACCESS_KEY=abc/def+123 | AWS_SECRET_ACCESS_KEY=***",
                "AWS_ACCESS_KEY_ID=AKIA123 AWS_REGION=eu-west-1 | AWS_ACCESS_KEY_ID=*** AWS_REGION=eu-west-1",
                "export AWS_SESSION_TOKEN='a b c' | export AWS_SESSION_TOKEN='***'",
                "HF_TOKEN: hf_abcdef | HF_TOKEN: ***",
                "db.password = geheim, db.user = me | db.password = ***, db.user = me",
                "DB_PWD=x1 PWD=/home/me | DB_PWD=*** PWD=/home/me",
                "{\"secretAccessKey\": \"a\\\"b\", \"n\": 1} | {\"secretAccessKey\": \"***\", \"n\": 1}",
                "{\"password\":12,\"n\":1} | {\"password\":\"***\",\"n\":1}",
                "{\"password\":null,\"n\":1} | {\"password\":null,\"n\":1}",
                "{\"credentials\": {\"a\": \"}\", \"b\": [1]}, \"n\": 1} | {\"credentials\": \"***\", \"n\": 1}",
                "{\"env\": {\"API_KEY\": \"x\"}} | {\"env\": {\"API_KEY\": \"***\"}}",
                "\"{\\\"token\\\": \\\"abc\\\"}\" | \"{\\\"token\\\": \\\"***\\\"}\"",
                "run --password geheim --batch 8 | run --password *** --batch 8",
                "run --api-key=geheim --batch=8 | run --api-key=*** --batch=8",
                "[\"run\", \"--token\", \"geheim\", \"x\"] | [\"run\", \"--token\", \"***\", \"x\"]",
                "[run, --token, geheim, x] | [run, --token, ***, x]",
                "Authorization: Basic dXNlcjpwYXNz more | Authorization: ***",
                "curl -H 'Authorization: Bearer abc' x | curl -H 'Authorization: ***' x",
                "sent Bearer abcdefghijklmnop.qrs_tuv | sent Bearer ***",
                "Cookie: a=b; c=d | Cookie: ***",
                "Authorization: {x} abc def | Authorization: ***",
                "password=[a]bc x | password=*** x",
                "git clone https://me:geheim@host/repo | git clone https://me:***@host/repo",
                "https://:geheim@host | https://:***@host",
            })
    void masks_values_of_keys_that_look_secret(String text, String expected) {
        // when, then
        assertThat(Redaction.mask(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "max_tokens=512, num_tokens: 7",
                "{\"eos_token\": \"</s>\", \"pad_token\": \"<pad>\"}",
                "time per token: 12.5 ms",
                "ms_per_token = 3",
                "token: 5",
                "tokens per second: 900",
                "key_cache=paged, keyword: neuron, signature=serving_default",
                "monkey: banana",
                "neuron0/neuron_core1 status/hw_error: +3",
                "https://host:8080/path?x=1",
                "password",
                "password=",
                "",
                "a bearer of news",
            })
    void leaves_everything_else_as_it_is(String text) {
        // when, then
        assertThat(Redaction.mask(text)).isEqualTo(text);
    }

    @Test
    void masks_private_keys() {
        // given
        String text = """
                before
                -----BEGIN RSA PRIVATE KEY-----
                MIIEpAIBAAKCAQEA
                -----END RSA PRIVATE KEY-----
                after
                """;

        // when, then
        assertThat(Redaction.mask(text)).isEqualTo("""
                        before
                        -----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----
                        after
                        """);
    }

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

    @Test
    void masks_arguments_of_a_program() {
        // when, then
        assertThat(Redaction.mask(
                        List.of("run", "--token", "a b", "--batch", "8", "HF_TOKEN=x", "--api-key=y", "--token")))
                .containsExactly("run", "--token", "***", "--batch", "8", "HF_TOKEN=***", "--api-key=***", "--token");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password", "passwd", "passphrase", "secret", "secrets", "credential", "credentials", "apikey",
                "authorization", "cookie", "accessKey", "api_key", "PRIVATE-KEY", "token", "hfToken", "db_pwd"
            })
    void masks_every_key_that_looks_secret(String key) {
        // when, then
        assertThat(Redaction.mask("a: " + key + "=geheim")).isEqualTo("a: " + key + "=***");
        assertThat(Redaction.mask(key + ": geheim")).isEqualTo(key + ": ***");
    }
}
