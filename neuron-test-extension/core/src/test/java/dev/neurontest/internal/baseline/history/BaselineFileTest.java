package dev.neurontest.internal.baseline.history;

import static dev.neurontest.internal.baseline.history.BaselineFixture.INF2;
import static dev.neurontest.internal.baseline.history.BaselineFixture.KEY;
import static dev.neurontest.internal.baseline.history.BaselineFixture.LATENCY;
import static dev.neurontest.internal.baseline.history.BaselineFixture.TEST_CLASS;
import static dev.neurontest.internal.baseline.history.BaselineFixture.TODAY;
import static dev.neurontest.internal.baseline.history.BaselineFixture.TRN2;
import static dev.neurontest.internal.baseline.history.BaselineFixture.around;
import static dev.neurontest.internal.baseline.history.BaselineFixture.entry;
import static dev.neurontest.internal.baseline.history.BaselineFixture.instructions;
import static dev.neurontest.internal.baseline.history.BaselineFixture.latency;
import static dev.neurontest.internal.baseline.history.BaselineFixture.runs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.internal.baseline.BaselineEntry;
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
        return BaselineFile.read(text.getBytes(StandardCharsets.UTF_8), FILE);
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
        void hasOneLineForEachMemberOfEntry() {
            // then
            assertThat(file(instructions(2048000), FULL).text()).isEqualTo("""
                            {
                              "version": 1,
                              "kind": "baselines",
                              "testClass": "com.acme.BertTest",
                              "entries": [
                                {
                                  "key": {"testClass": "com.acme.BertTest", "test": "inference(int)[1]", "metric": "instruction_count"},
                                  "metric": {"name": "instruction_count", "unit": "count", "better": "lower", "noise": "fixed"},
                                  "stack": {"driver": "2.30", "instance": "trn2.48xlarge", "lnc": "2", "runtime": "2.33"},
                                  "sample": {"runs": [2048000], "iterationsPerRun": 1},
                                  "recorded": "2026-11-21",
                                  "commit": "",
                                  "note": "",
                                  "history": []
                                },
                                {
                                  "key": {"testClass": "com.acme.BertTest", "test": "inference(int)[1]", "metric": "total_time"},
                                  "metric": {"name": "total_time", "unit": "seconds", "better": "lower", "noise": "noisy"},
                                  "stack": {"driver": "2.30", "instance": "trn2.48xlarge", "lnc": "2", "runtime": "2.33"},
                                  "sample": {"runs": [0.01691, 0.01688, 0.017], "iterationsPerRun": 30},
                                  "neff": "ab12",
                                  "recorded": "2026-11-21",
                                  "commit": "abc1234",
                                  "note": "longer \\"sequences\\"",
                                  "history": [
                                    {"median": 0.0165, "recorded": "2026-10-22", "commit": "def5678", "note": "first"},
                                    {"median": 0.016, "recorded": "2026-09-22", "commit": "", "note": ""}
                                  ]
                                }
                              ]
                            }
                            """);
        }

        @Test
        void isReadBackUnchanged() {
            // given
            BaselineFile written = file(FULL, instructions(2048000), latency("other()", 3));

            // then
            assertThat(read(written.text())).isEqualTo(written);
        }

        @Test
        void doesNotDependOnTheOrderOfArrival() {
            // given
            BaselineEntry elsewhere = entry(KEY, LATENCY, INF2, around(5));

            // then
            assertThat(file(FULL, elsewhere, instructions(1)).text())
                    .isEqualTo(file(instructions(1), elsewhere, FULL).text());
        }

        @Test
        void changesOnlyTheLinesOfTheEntryThatChanged() {
            // given
            BaselineFile before = file(latency("a()", 1), latency("b()", 2), latency("c()", 3));

            // when
            BaselineFile after = before.with(latency("b()", 2.5));

            // then
            List<String> old = before.text().lines().toList();
            List<String> changed = after.text().lines().toList();
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
                    before.with(latency("b()", 2)).text().lines().toList());

            // then
            before.text()
                    .lines()
                    .forEach(line -> assertThat(left.remove(line)).as(line).isTrue());
            assertThat(left).hasSize(10);
        }

        @Test
        void preservesEveryFiniteNumber() {
            // given
            RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
            double[] numbers = random.longs(10_000)
                    .mapToDouble(Double::longBitsToDouble)
                    .map(Math::abs)
                    .filter(Double::isFinite)
                    .toArray();

            // when
            BaselineFile read =
                    read(file(entry(KEY, LATENCY, TRN2, runs(1, numbers))).text());

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
        void writesNumbersTheSameOnEveryJdk(double number, String written) {
            // then
            assertThat(file(entry(KEY, LATENCY, TRN2, runs(1, number))).text()).contains("\"runs\": [" + written + "]");
        }

        @ParameterizedTest
        @ValueSource(strings = {"größe \"日本\" 😀", "a\nb\tc\\d/e", "half \ud83d of a character", "</script>", ""})
        void preservesAnyTestName(String name) {
            // given
            BaselineFile written = file(latency(name, 1));

            // then
            assertThat(read(written.text())).isEqualTo(written);
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
        void staysUniqueWhenShortened() {
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

        private static final String GOOD = file(instructions(7), latency(17)).text();

        private void assertRefused(String text, String message) {
            assertThatThrownBy(() -> read(text))
                    .isInstanceOf(BaselineException.class)
                    .hasMessage(FILE + ": " + message + ". Correct it, or restore the file from version control.");
        }

        @Test
        void refusesUnknownVersion() {
            assertRefused(
                    GOOD.replace("\"version\": 1", "\"version\": 2").replace("\"runs\"", "\"measurements\""),
                    "is of version 2, but this reader supports 1: use the version that wrote it");
        }

        @Test
        void refusesFileTruncatedAnywhere() {
            for (int length = 0; length < GOOD.length() - 2; length++) {
                String half = GOOD.substring(0, length);
                assertThatThrownBy(() -> read(half))
                        .as("the first %s characters", length)
                        .isInstanceOf(BaselineException.class)
                        .hasMessageMatching(
                                "(?s).*BertTest.json: (line \\d+|is empty).*restore .* from version control\\.");
            }
        }

        @Test
        void refusesInvalidUtf8() {
            byte[] latin1 = GOOD.replace("inference", "größe").getBytes(StandardCharsets.ISO_8859_1);
            assertThatThrownBy(() -> BaselineFile.read(latin1, FILE))
                    .isInstanceOf(BaselineException.class)
                    .hasMessageContaining("line 7: Invalid UTF-8");
        }

        @Test
        void refusesMergeMarks() {
            assertThatThrownBy(() -> read(GOOD.replaceFirst("    \\{\n", "<<<<<<< HEAD\n    {\n")))
                    .isInstanceOf(BaselineException.class)
                    .hasMessageStartingWith(FILE + ": line 6: Unexpected character ('<'");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "[7]|[]|has a baseline of com.acme.BertTest#inference(int)[1] instruction_count on driver 2.30, instance trn2.48xlarge, lnc 2, runtime 2.33 with runs [], expected at least one, none below 0",
                    "[7]|[-7]|has a baseline of com.acme.BertTest#inference(int)[1] instruction_count on driver 2.30, instance trn2.48xlarge, lnc 2, runtime 2.33 with runs [-7.0], expected at least one, none below 0",
                    "[7]|[1e999]|line 10, /entries/0/sample/runs/0: is 1e999, expected a finite number",
                    "\"lower\"|\"lowr\"|line 8, /entries/0/metric/better: is \"lowr\", expected \"lower\"",
                    "\"recorded\"|\"recoded\"|line 11, /entries/0/recoded: is unknown, expected \"recorded\"",
                    "\"lnc\"|\"driver\"|line 9, /entries/0/stack/driver: occurs twice, expected it once",
                })
        void refusesWrongValue(String good, String bad, String found) {
            assertThat(GOOD).contains(good);
            assertRefused(GOOD.replaceFirst(Pattern.quote(good), bad), found);
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "'\"count\"'|'\"text\"'",
                    "'Run\": 1'|'Run\": 0'",
                    "'\"history\": []'|'\"history\": [{\"median\": -1, \"recorded\": \"2026-10-22\", \"commit\": \"\", \"note\": \"\"}]'",
                    "'\"testClass\": \"com.acme.BertTest\", \"test\"'|'\"testClass\": \"com.acme.OtherTest\", \"test\"'",
                    "'\"metric\": \"instruction_count\"'|'\"metric\": \"total_time\"'",
                })
        void refusesInconsistentBaseline(String good, String bad) {
            assertThat(GOOD).contains(good);
            assertThatThrownBy(() -> read(GOOD.replaceFirst(Pattern.quote(good), bad)))
                    .isInstanceOf(BaselineException.class)
                    .hasMessageContaining(": has a baseline of ")
                    .hasMessageContaining(", expected ");
        }

        @Test
        void refusesRepeatedBaseline() {
            String entry = GOOD.substring(GOOD.indexOf("    {"), GOOD.indexOf("    },") + 5);
            assertThatThrownBy(() -> read(GOOD.replace(entry, entry + ",\n" + entry)))
                    .isInstanceOf(BaselineException.class)
                    .hasMessageContaining("a second time, expected one for each stack");
        }
    }
}
