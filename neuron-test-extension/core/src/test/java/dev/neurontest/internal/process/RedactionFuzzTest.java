package dev.neurontest.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fuzz.Fuzzing;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RedactionFuzzTest {

    private static final String KEY = """
            -----BEGIN RSA PRIVATE KEY-----
            MIIEpAIBAAKCAQEA
            -----END RSA PRIVATE KEY-----
            """;
    private static final String BRACKETS = """
            secrets: {"a": ["b", "}"],
              "c": "verborgen"} end
            """;
    private static final String LOG = """
            PGPASSWORD=geheim psql, db.password = "a b" max_tokens=512
            export AWS_SESSION_TOKEN='a b c' --api-key=x --token y z
            https://me:ge@heim@host/x?sig=a%2Bb&sv=1 curl -u me:geheim https://0123456789abcdef0123@host
            Authorization: Bearer abcdefghijklmnop.qrs_tuv
            cloned with ghp_abcdefghijklmnopqrstuvwxyz0123456789, eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc
            """;
    private static final String JSON = """
            {"secretAccessKey": "a\\"b", "credentials": {"a": "}", "b": [1]}, "n": 1, "env": {"API_KEY": "x", "password": null},
             "text": "token=abc\\nhf_abcdefghijklmnopqrstuvwxyzABCDEFGH", "nested": "\\"token\\": \\"abc\\"", "keys": ["--token", "x"]}
            """;

    @Test
    void maskedTextStaysMasked() {
        Fuzzing.of(RedactionFuzzTest.class, "redaction")
                .seeds(LOG, "before\n" + KEY + BRACKETS, JSON)
                .words(
                        "password=",
                        "\"token\":",
                        "--password ",
                        "://a:b@",
                        "secret: [",
                        "-----BEGIN PRIVATE KEY-----",
                        "\\\"",
                        "'")
                .check(input -> new String(input, StandardCharsets.UTF_8), (input, text) -> {
                    text.lines().forEach(RedactionFuzzTest::assertMaskedAtOnce);
                    // Removing the lines of a secret joins the text around them to one line.
                    String masked = Redaction.mask(text);
                    assertThat(masked.lines().count())
                            .isLessThanOrEqualTo(text.lines().count());
                    assertHidden("MIIEpAIBAAKCAQEA", KEY, text, masked);
                    assertHidden("verborgen", BRACKETS, text, masked);
                    assertMaskedAtOnce(Redaction.mask(masked));
                });
    }

    private static void assertMaskedAtOnce(String line) {
        String masked = Redaction.mask(line);
        if (!masked.equals(line)) {
            assertThat(Redaction.mask(masked)).isEqualTo(masked);
        }
    }

    /** Verifies that the secret is masked if its lines are untouched, regardless of other lines. */
    private static void assertHidden(String secret, String lines, String text, String masked) {
        int at = text.indexOf('\n' + lines);
        if (at >= 0 && text.indexOf(secret) > at && text.lastIndexOf(secret) < at + lines.length()) {
            assertThat(masked).doesNotContain(secret);
        }
    }
}
