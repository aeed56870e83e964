package dev.neurontest.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordReaderTest {

    private record Part(double value) {

        Part {
            if (value < 0) {
                throw new IllegalArgumentException("a part is not negative: " + value);
            }
        }
    }

    private record Named(String id, String name) {}

    private record Row(long count, boolean bad) {}

    private record All(
            @Unwrapped Named named,
            int number,
            Part part,
            BigInteger bits,
            Duration took,
            Instant time,
            LocalDate day,
            Path file,
            TimeUnit unit,
            JsonObject object,
            List<Row> rows,
            Map<String, Optional<Long>> map,
            Optional<Row> row,
            @Nullable String note) {}

    private static final String WRITTEN = """
            {"id":"a","name":"b","number":-1,"part":1.5,"bits":18446744073709551615,"tookNanos":7,"time":"2026-11-21T12:00:00Z",
             "day":"2026-11-21","file":"a/b","unit":"seconds","object":{"x":[1.50]},"rows":[{"count":3,"bad":true}],"map":{"c":1,"d":null}}
            """.replace("\n", "").replace(", \"", ",\"");

    private static All read(String json) {
        return RecordReader.EXACT.read(json.getBytes(StandardCharsets.UTF_8), All.class);
    }

    @Test
    void readsBackWrittenJson() {
        assertThat(RecordWriter.text(read(WRITTEN))).isEqualTo(WRITTEN);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    "id":"a"         | "id":7            | /id: is 7, expected a text
                    "id":"a"         | "i":"a"           | /i: is unknown, expected "id"
                    "id":"a",        | ''                | : has no "id", expected an object with that member
                    "id":"a"         | "id":null         | /id: is null, expected a text
                    "name"           | "id"              | /id: occurs twice, expected it once
                    "number":-1      | "number":2147483648 | /number: is 2147483648, expected a whole number
                    "number":-1      | "number":1.0      | /number: is 1.0, expected a whole number
                    "part":1.5       | "part":-1.5       | /part: a part is not negative: -1.5
                    "part":1.5       | "part":1e999      | /part: is 1e999, expected a finite number
                    "part":1.5       | "part":1e999999999 | /part: is 1e999999999, expected a finite number
                    18446744073709551615 | 18446744073709551616 | /bits: is 18446744073709551616, expected a whole number of 64 bits
                    2026-11-21T      | 21.11.2026T       | /time: is "21.11.2026T12:00:00Z", expected a time such as "2026-11-21T02:10:00Z"
                    "day":"2026      | "day":"+1000002026 | /day: is "+1000002026-11-21", expected a date such as "2026-11-21"
                    "seconds"        | "second"          | /unit: is "second", expected "seconds"
                    "seconds"        | "years"           | /unit: is "years", expected one of nanoseconds, microseconds, milliseconds, seconds, minutes, hours, days
                    "object":{"x":[1.50]} | "object":[]  | /object: is an array, expected an object
                    [{"count":3      | [7,{"count":3     | /rows/0: is 7, expected an object
                    "count":3,       | ''                | /rows/0: has no "count", expected an object with that member
                    true             | 1                 | /rows/0/bad: is 1, expected true or false
                    "map":{"c":1     | "map":{"c/~":"x"  | /map/c~1~0: is "x", expected a whole number
                    "map":{"c":1     | "map":{"d":1      | /map/d: occurs twice, expected it once
                    """)
    void refusesValueThatDoesNotFitRecord(String written, String instead, String problem) {
        assertThat(WRITTEN).contains(written);
        assertRefused(
                "\n" + WRITTEN.replace(written, instead), "line 2" + (problem.startsWith("/") ? ", " : "") + problem);
    }

    private static void assertRefused(String json, String message) {
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> read(json))
                .satisfies(wrong -> assertThat(wrong.placed()).startsWith(message));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''      | is empty, expected a JSON object
                    []      | line 1: is an array, expected an object
                    {       | line 1: breaks off, expected a whole JSON object
                    {"id":NaN} | line 1: Non-standard token 'NaN'
                    """)
    void refusesTextThatIsNoObject(String json, String message) {
        assertRefused(json, message);
    }

    @Test
    void refusesTrailingTextDeepNestingAndLongNumbers() {
        assertRefused(WRITTEN + "\n{}", "line 2: something follows the JSON object, expected the end of the file");
        assertRefused("{\"object\":" + "{\"a\":".repeat(100_000), "Document nesting depth");
        assertRefused("{\"number\":" + "1".repeat(100_000) + "}", "Number value length");
    }

    @Test
    void openReaderIgnoresUnknownMembers() {
        // given
        String json = "{\"more\":[{}],\"count\":1,\"bad\":false}";

        // then
        assertThat(RecordReader.OPEN.read(new JsonObject(json), Row.class)).isEqualTo(new Row(1, false));
    }

    private record Some(String text, List<Row> rows, Map<String, Double> numbers, Optional<Long> number, Row row) {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"text\":7,\"rows\":[7,null,[]],\"numbers\":{\"a\":\"b\"},\"number\":\"x\",\"row\":[[]],\"more\":[{}]}",
                "{\"text\":[\"a\"],\"rows\":{},\"numbers\":[],\"number\":null,\"row\":{\"count\":{},\"bad\":0}}"
            })
    void lenientReaderDefaultsMissingOrUnfitMembers(String json) {
        assertThat(RecordReader.LENIENT.read(new JsonObject(json), Some.class))
                .isEqualTo(new Some("", List.of(), Map.of(), Optional.empty(), new Row(0, false)));
    }

    @Test
    void lenientReaderUsesLastOfDuplicateMembers() {
        assertThat(RecordReader.LENIENT.read(
                        new JsonObject("{\"text\":\"a\",\"text\":\"b\",\"numbers\":{\"n\":1,\"n\":2}}"), Some.class))
                .isEqualTo(new Some("b", List.of(), Map.of("n", 2.0), Optional.empty(), new Row(0, false)));
    }

    private record Text(String text, Map<String, Integer> map) {}

    /** Verifies lone surrogates, which UTF-8 cannot encode and some names of tests contain. */
    @Test
    void keepsLoneSurrogateInTextAndReplacesItInName() {
        // given
        String half = "half \ud83e of \"a\": pair, and a whole \ud83e\udd85";

        // when
        String json = RecordWriter.text(new Text(half, Map.of("half \udc3d", 1)));

        // then
        assertThat(json)
                .isEqualTo("{\"text\":\"half \\uD83E of \\\"a\\\": pair, and a whole \ud83e\udd85\","
                        + "\"map\":{\"half \ufffd\":1}}");
        assertThat(RecordReader.EXACT.read(new JsonObject(json), Text.class).text())
                .isEqualTo(half);
    }
}
