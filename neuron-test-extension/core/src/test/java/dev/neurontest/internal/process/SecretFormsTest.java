package dev.neurontest.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the table of forms in which secrets appear, and of texts that only look like them. */
class SecretFormsTest {

    private static final Pattern MADE_UP = Pattern.compile("<([huab]?)(\\d+)>");
    private static final String DIGITS = "0123456789";
    private static final String CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz" + CAPITALS;
    private static final Map<String, String> CHARACTERS = Map.of(
            "",
            LETTERS + DIGITS,
            "h",
            DIGITS + "abcdef",
            "u",
            CAPITALS + "234567",
            "a",
            LETTERS,
            "b",
            LETTERS + "0123456789+/");

    private static Stream<String> table() {
        try (var table = SecretFormsTest.class.getResourceAsStream("secret-forms.txt")) {
            return new String(table.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<String> forms() {
        return table().filter(line -> line.contains("«"));
    }

    static Stream<String> lookAlikes() {
        return table().filter(line -> !line.contains("«"));
    }

    /** Generates the tokens of a line: always the same, and unknown to scanners of this repository. */
    private static String complete(String line) {
        Random random = new Random(line.hashCode());
        return MADE_UP.matcher(line.replace('⏎', '\n')).replaceAll(token -> {
            String characters = CHARACTERS.get(token.group(1));
            StringBuilder text = new StringBuilder();
            random.ints(Integer.parseInt(token.group(2)), 0, characters.length())
                    .forEach(at -> text.append(characters.charAt(at)));
            return Matcher.quoteReplacement(text.toString());
        });
    }

    static String secret(String line) {
        return complete(line).replaceAll("[«»]", "");
    }

    @ParameterizedTest
    @MethodSource("forms")
    void masksEverySecretForm(String line) {
        // given
        String expected = complete(line).replaceAll("«[^»]*»", "***");

        // when
        String masked = Redaction.mask(secret(line));

        // then
        assertThat(masked).isEqualTo(expected);
        assertThat(Redaction.mask(masked)).as("masked again").isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("lookAlikes")
    void leavesLookAlikesUnmasked(String line) {
        // given
        String text = complete(line);

        // when, then
        assertThat(Redaction.mask(text)).isEqualTo(text);
    }

    @Test
    void tableHoldsEnoughForms() {
        // then
        assertThat(forms().distinct()).hasSizeGreaterThanOrEqualTo(250);
        assertThat(lookAlikes().distinct()).hasSizeGreaterThanOrEqualTo(130);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password=",
                "curl -u a:b ",
                "curl ",
                "a=",
                "token ",
                "://a:",
                "://a:b@",
                "@",
                "eyJ",
                "eyJabcdefgh.",
                "ghp_",
                "sk-a1",
                "-p ",
                "--a",
                "?sig=",
                "https://a/?key=a1b2c3d4e5f6",
                "\\\"",
                "\"",
                "'",
                "Basic ",
                "Basic aGVsbG8gd29ybGQ",
                "AKIA",
                "_KEY",
                "a_pass",
                "mysql -p",
                "docker login -p ",
                "key ",
                "xoxb-1-",
                "-----BEGIN ",
                "\\u0026",
                "aB",
                "\t",
                "auth=\"",
                "secret: [{",
                "_sk-",
                "SG.",
                "%20sk-",
                "Bearer ",
                "{\"value\":\"secret\",",
                "{\"name\":",
                "set a_b ",
                "login a password ",
                "<password>x",
                "key=\"a\">",
                "(\"token\",",
                "token: Optional[",
                "token: str | None",
                "token=a(",
                "token=$",
                "wandb login ",
                "\u001b[",
                "\u001b]",
                "---- BEGIN ",
                "-----BEGIN A PRIVATE KEY-----x",
                "hooks.slack.com/services/",
                "LS0tLS1CRUdJTiBQUklWQVRF"
            })
    void maskingEndsForLongRepetitiveLine(String part) {
        // given
        String line = part.repeat((1 << 17) / part.length());

        // when, then
        assertThat(Redaction.mask(line)).hasSizeLessThan(2 * line.length() + 100);
        assertThat(Redaction.mask(line + "=x")).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            curl,-u,me:a b,x                  | curl,-u,me:***,x
            /usr/bin/curl,--user=me:a b       | /usr/bin/curl,--user=me:***
            sshpass,-p,a b,ssh,-p,22,host     | sshpass,-p,***,ssh,-p,22,host
            env,PGPASSWORD=a b,psql           | env,PGPASSWORD=***,psql
            keytool,-storepass,a b            | keytool,-storepass,***
            docker,login,-p,a b               | docker,login,-p,***
            docker,run,-p,80:80               | docker,run,-p,80:80
            mysql,-pgeheim,db                 | mysql,-p***,db
            run,--token,a b,--batch,8,A_KEY=x | run,--token,***,--batch,8,A_KEY=***
            run,--api-key=y z,--token         | run,--api-key=***,--token
            python,-u,infer.py,--max-tokens,8 | python,-u,infer.py,--max-tokens,8
            """)
    void masksArguments(String arguments, String expected) {
        // when, then
        assertThat(Redaction.mask(List.of(arguments.split(",")))).containsExactly(expected.split(","));
    }
}
