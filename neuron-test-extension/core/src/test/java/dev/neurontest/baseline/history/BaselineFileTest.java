package dev.neurontest.baseline.history;

import static dev.neurontest.baseline.history.BaselineFixture.INF2;
import static dev.neurontest.baseline.history.BaselineFixture.KEY;
import static dev.neurontest.baseline.history.BaselineFixture.LATENCY;
import static dev.neurontest.baseline.history.BaselineFixture.TEST_CLASS;
import static dev.neurontest.baseline.history.BaselineFixture.TODAY;
import static dev.neurontest.baseline.history.BaselineFixture.TRN2;
import static dev.neurontest.baseline.history.BaselineFixture.around;
import static dev.neurontest.baseline.history.BaselineFixture.entry;
import static dev.neurontest.baseline.history.BaselineFixture.instructions;
import static dev.neurontest.baseline.history.BaselineFixture.latency;
import static dev.neurontest.baseline.history.BaselineFixture.runs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.baseline.BaselineEntry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BaselineFileTest {

    private static final Path FILE = Path.of("baselines", "com.acme.BertTest.json");

    private static BaselineFile file(BaselineEntry... entries) {
        return new BaselineFile(TEST_CLASS, List.of(entries));
    }

    private static BaselineFile read(String text) {
        return BaselineJson.read(text.getBytes(StandardCharsets.UTF_8), FILE);
    }

    private static final BaselineEntry FULL = new BaselineEntry(
            KEY,
            LATENCY,
            TRN2,
            runs(30, 0.01691, 0.01688, 0.017),
            Optional.of("ab12"),
            TODAY,
            "abc1234",
            "longer \"sequences\"",
            List.of(
                    new BaselineEntry.Former(0.0165, TODAY.minusDays(30), "def5678", "first"),
                    new BaselineEntry.Former(0.016, TODAY.minusDays(60), "", "")));

    @Nested
    class Written {

        @Test
        void hasLinesForEachEntryAndOneForEachMember() {
            // then
            assertThat(BaselineJson.write(file(instructions(2048000), FULL))).isEqualTo("""
                            {
                              "schema": 1,
                              "class": "com.acme.BertTest",
                              "entries": [
                                {
                                  "test": "inference(int)[1]",
                                  "metric": "instruction_count",
                                  "unit": "count",
                                  "better": "lower",
                                  "noise": "fixed",
                                  "stack": {"driver": "2.30", "instance": "trn2.48xlarge", "lnc": "2", "runtime": "2.33"},
                                  "iterationsPerRun": 1,
                                  "runs": [2048000],
                                  "recorded": "2026-11-21"
                                },
                                {
                                  "test": "inference(int)[1]",
                                  "metric": "total_time",
                                  "unit": "s",
                                  "better": "lower",
                                  "noise": "noisy",
                                  "stack": {"driver": "2.30", "instance": "trn2.48xlarge", "lnc": "2", "runtime": "2.33"},
                                  "neff": "ab12",
                                  "iterationsPerRun": 30,
                                  "runs": [0.01691, 0.01688, 0.017],
                                  "recorded": "2026-11-21",
                                  "commit": "abc1234",
                                  "note": "longer \\"sequences\\"",
                                  "history": [
                                    {"median": 0.0165, "recorded": "2026-10-22", "commit": "def5678", "note": "first"},
                                    {"median": 0.016, "recorded": "2026-09-22"}
                                  ]
                                }
                              ]
                            }
                            """);
        }

        @Test
        void isReadAsItWas() {
            // given
            BaselineFile written = file(FULL, instructions(2048000), latency("other()", 3));

            // then
            assertThat(read(BaselineJson.write(written))).isEqualTo(written);
        }

        @Test
        void doesNotDependOnTheOrderOfArrival() {
            // given
            BaselineEntry elsewhere = entry(KEY, LATENCY, INF2, around(5));

            // then
            assertThat(BaselineJson.write(file(FULL, elsewhere, instructions(1))))
                    .isEqualTo(BaselineJson.write(file(instructions(1), elsewhere, FULL)));
        }

        @Test
        void changesOnlyTheLinesOfTheEntryThatChanged() {
            // given
            BaselineFile before = file(latency("a()", 1), latency("b()", 2), latency("c()", 3));

            // when
            BaselineFile after = before.with(latency("b()", 2.5));

            // then
            List<String> old = BaselineJson.write(before).lines().toList();
            List<String> changed = BaselineJson.write(after).lines().toList();
            assertThat(changed).hasSameSizeAs(old);
            assertThat(changed)
                    .filteredOn(line -> !old.contains(line))
                    .singleElement()
                    .asString()
                    .contains("\"runs\"");
        }

        @Test
        void addsOnlyLinesWhereAnEntryIsAdded() {
            // given
            BaselineFile before = file(latency("a()", 1), latency("c()", 3));

            // when
            List<String> left = new ArrayList<>(
                    BaselineJson.write(before.with(latency("b()", 2))).lines().toList());

            // then
            BaselineJson.write(before)
                    .lines()
                    .forEach(line -> assertThat(left.remove(line)).as(line).isTrue());
            assertThat(left).hasSize(11);
        }

        @Test
        void givesTheSameNumbersBack() {
            // given
            RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
            double[] numbers = random.longs(10_000)
                    .mapToDouble(Double::longBitsToDouble)
                    .map(Math::abs)
                    .filter(Double::isFinite)
                    .toArray();

            // when
            BaselineFile read = read(BaselineJson.write(file(entry(KEY, LATENCY, TRN2, runs(1, numbers)))));

            // then
            assertThat(read.entries().get(0).sample().toArray()).containsExactly(numbers);
        }

        @ParameterizedTest
        @CsvSource({
            "5.684341886080802E-14, 5.684341886080802E-14",
            "0.01691,               0.01691",
            "9007199254740991,      9007199254740991",
            "1e-9,                  0.000000001",
            "2e-3,                  0.002",
            "0,                     0",
            "1e300,                 1.0E300"
        })
        void writesNumbersTheSameOnEveryJdkAndPlainWhereThatIsShort(double number, String written) {
            // then
            assertThat(BaselineJson.write(file(entry(KEY, LATENCY, TRN2, runs(1, number)))))
                    .contains("\"runs\": [" + written + "]");
        }

        @ParameterizedTest
        @ValueSource(strings = {"größe \"日本\" 😀", "a\nb\tc\\d/e", "half \ud83d of a character", "</script>", ""})
        void keepsWhateverATestIsCalled(String name) {
            // given
            BaselineFile written = file(latency(name, 1));

            // then
            assertThat(read(BaselineJson.write(written))).isEqualTo(written);
        }
    }

    @Nested
    class Name {

        @ParameterizedTest
        @CsvSource({
            "com.acme.BertTest,            com.acme.BertTest.json",
            "com.acme.BertTest$Long_Run,   com.acme.BertTest$Long_Run.json",
            "../../etc/passwd,             %2E.%2F..%2Fetc%2Fpasswd.json",
            "a\\b:c,                       a%5Cb%3Ac.json",
            ".hidden,                      %2Ehidden.json",
            "com.acme.Größe,               com.acme.Gr%C3%B6%C3%9Fe.json",
            "100%25,                       100%2525.json"
        })
        void isSafeInAnyFolder(String testClass, String name) {
            // then
            assertThat(BaselineFile.nameOf(testClass)).isEqualTo(name);
        }

        @Test
        void staysDifferentWhereItHasToBeCut() {
            // given
            String common = "com.acme." + "x".repeat(300);

            // then
            assertThat(BaselineFile.nameOf(common + "A"))
                    .hasSizeLessThan(220)
                    .isNotEqualTo(BaselineFile.nameOf(common + "B"));
        }
    }

    @Nested
    class Refused {

        private static final String GOOD = BaselineJson.write(file(instructions(7), latency(17)));

        private void assertRefused(String text, String message) {
            assertThatThrownBy(() -> read(text))
                    .isInstanceOf(BaselineException.class)
                    .hasMessage(message);
        }

        @Test
        void whenItIsOfANewerSchemaWhateverElseIsInIt() {
            assertRefused(
                    GOOD.replace("\"schema\": 1", "\"schema\": 2").replace("\"runs\"", "\"measurements\""),
                    FILE + " has schema 2, this version knows 1. It was written by a newer version: use that one."
                            + " Nothing was changed.");
        }

        @Test
        void whenAMemberIsMisspelt() {
            assertRefused(
                    GOOD.replaceFirst("\"recorded\"", "\"recoded\""),
                    FILE + ", line 14, /entries/0/recoded: is unknown, expected \"recorded\"."
                            + " Correct it, or take the file back from version control.");
        }

        @Test
        void whenAMemberIsThereTwice() {
            assertThatThrownBy(() -> read(GOOD.replaceFirst("\"lnc\"", "\"driver\"")))
                    .isInstanceOf(BaselineException.class)
                    .hasMessageStartingWith(FILE + ", line 11: Duplicate Object property \"driver\"");
        }

        @Test
        void whenABaselineIsThereTwice() {
            String entry = GOOD.substring(GOOD.indexOf("    {"), GOOD.indexOf("    },") + 5);
            assertRefused(
                    GOOD.replace(entry, entry + ",\n" + entry),
                    FILE + ", line 16, /entries/1: is a second baseline of com.acme.BertTest#inference(int)[1]"
                            + " instruction_count on driver 2.30, instance trn2.48xlarge, lnc 2, runtime 2.33,"
                            + " expected one for each stack. Correct it, or take the file back from version control.");
        }

        @Test
        void whenItWasNotWrittenToItsEndWhereverThatWas() {
            for (int length = 0; length < GOOD.length() - 2; length++) {
                String half = GOOD.substring(0, length);
                assertThatThrownBy(() -> read(half))
                        .as("the first %s characters", length)
                        .isInstanceOf(BaselineException.class)
                        .hasMessageMatching("(?s).*BertTest.json, line \\d+.*take .* back from version control\\.");
            }
        }

        @Test
        void whenSomethingFollows() {
            assertRefused(
                    GOOD + "{}",
                    FILE + ", line 29: something follows the JSON object, expected the end of the file."
                            + " Correct it, or take the file back from version control.");
        }

        @Test
        void whenItIsNotUtf8() {
            byte[] latin1 = GOOD.replace("inference", "größe").getBytes(StandardCharsets.ISO_8859_1);
            assertThatThrownBy(() -> BaselineJson.read(latin1, FILE))
                    .isInstanceOf(BaselineException.class)
                    .hasMessageContaining("line 6: Invalid UTF-8");
        }

        @Test
        void whenItHasMergeMarks() {
            assertThatThrownBy(() -> read(GOOD.replaceFirst("    \\{\n", "<<<<<<< HEAD\n    {\n")))
                    .isInstanceOf(BaselineException.class)
                    .hasMessageStartingWith(FILE + ", line 5: Unexpected character ('<'");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "\"runs\": [7]|\"runs\": []|line 13, /entries/0/runs: is empty, expected at least one number",
                    "\"runs\": [7]|\"runs\": [-7]|line 13, /entries/0/runs/0: is -7, expected a number that is not negative",
                    "\"runs\": [7]|\"runs\": [\"7\"]|line 13, /entries/0/runs/0: is \"7\", expected a number that is not negative",
                    "\"runs\": [7]|\"runs\": [1e999]|line 13, /entries/0/runs/0: is 1E+999, expected a number that is not negative",
                    "\"runs\": [7]|\"runs\": [1e9999999990]|line 13: A number is too large or too small: 1e9999999990",
                    "\"runs\": [7]|\"runs\": [1e-999999999]|line 13: A number is too large or too small: 1e-999999999",
                    "Run\": 1|Run\": 1e999999999|line 12: A number is too large or too small: 1e999999999",
                    "\"2026-11-21\"|\"+1000000000-01-01\"|line 14, /entries/0/recorded: is \"+1000000000-01-01\", expected a date such as \"2026-11-21\"",
                    "\"runs\": [7]|\"runs\": 7|line 13, /entries/0/runs: is 7, expected an array",
                    "Run\": 1|Run\": 1.5|line 12, /entries/0/iterationsPerRun: is 1.5, expected a whole number above 0",
                    "\"lower\"|\"lowr\"|line 9, /entries/0/better: is \"lowr\", expected \"lower\"",
                    "\"fixed\"|null|line 10, /entries/0/noise: is null, expected a text",
                    "\"count\"|\"text\"|line 8, /entries/0/unit: is \"text\", expected one of s, ns, cycles, flops, flops/byte, count, bytes, fraction, index",
                    "\"2026-11-21\"|\"21.11.2026\"|line 14, /entries/0/recorded: is \"21.11.2026\", expected a date such as \"2026-11-21\"",
                    "\"lnc\": \"2\"|\"l/n~c\": 2|line 11, /entries/0/stack/l~1n~0c: is 2, expected a text",
                    "\"unit\": \"count\",||line 5, /entries/0: has no \"unit\", expected an object with that member",
                    "\"schema\": 1|\"schema\": \"one\"|line 2, /schema: is \"one\", expected a number that is not negative"
                })
        void whenAValueIsWrong(String good, String bad, String found) {
            assertThat(GOOD).contains(good);
            assertRefused(
                    GOOD.replaceFirst(Pattern.quote(good), bad == null ? "" : bad),
                    FILE + ", " + found + ". Correct it, or take the file back from version control.");
        }
    }
}
