package dev.neurontest.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class JsonValueTest {

    private static JsonValue read(String json) {
        return JsonValue.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    private static void assertWrong(ThrowingCallable asked, String message) {
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(asked)
                .satisfies(wrong -> assertThat(wrong.placed()).isEqualTo(message));
    }

    @Test
    void saysInWhichLineOfAFileAValueIsWrong() {
        // given
        JsonValue json = read("{\n  \"a/b\": [\n    1,\n    {\"~\": {\n \"a/b\": -1.5}}\n  ]\n}");
        JsonValue inner = json.get("a/b").array().get(1).get("~");

        // then
        assertWrong(inner::text, "line 4, /a~1b/1/~0: is an object, expected a text");
        assertWrong(
                () -> inner.get("a/b").amount(),
                "line 5, /a~1b/1/~0/a~1b: is -1.5, expected a number that is not negative");
        assertWrong(() -> inner.get("c"), "line 4, /a~1b/1/~0: has no \"c\", expected an object with that member");
        assertWrong(json::array, "line 1: is an object, expected an array");
        assertThat(inner.get("a/b").number()).isEqualTo(-1.5);
    }

    @Test
    void refusesWhatIsNotOneValueOrTooDeep() {
        assertWrong(() -> read(""), "line 1: is empty, expected a JSON object");
        assertWrong(() -> read("{}\n{}"), "line 2: something follows the JSON object, expected the end of the file");
        assertThatExceptionOfType(JsonException.class).isThrownBy(() -> read("{\"a\":1,\"a\":2}"));
        assertThatExceptionOfType(JsonException.class).isThrownBy(() -> read("[".repeat(100_000)));
        assertThatExceptionOfType(JsonException.class).isThrownBy(() -> read("1".repeat(100_000)));
    }

    @Test
    void takesNumbersBeyondTheirRangeForWrong() {
        // given
        List<JsonValue> numbers = read("[1e999, 2147483648, 1.5, 0, -1]").array();

        // then
        assertWrong(() -> numbers.get(0).number(), "line 1, /0: is 1E+999, expected a finite number");
        assertWrong(() -> numbers.get(1).whole(), "line 1, /1: is 2147483648, expected a whole number");
        assertWrong(() -> numbers.get(1).positive(), "line 1, /1: is 2147483648, expected a whole number above 0");
        assertWrong(() -> numbers.get(2).whole(), "line 1, /2: is 1.5, expected a whole number");
        assertWrong(() -> numbers.get(3).positive(), "line 1, /3: is 0, expected a whole number above 0");
        assertWrong(() -> numbers.get(2).unsigned(), "line 1, /2: is 1.5, expected a whole number of 64 bits");
        assertWrong(() -> numbers.get(4).unsigned(), "line 1, /4: is -1, expected a whole number of 64 bits");
        assertThat(numbers.get(4).whole()).isEqualTo(-1);
        assertThat(read("18446744073709551615").unsigned()).isEqualTo("18446744073709551615");
        assertWrong(
                () -> read("18446744073709551616").unsigned(),
                "line 1: is 18446744073709551616, expected a whole number of 64 bits");
    }

    @Test
    void takesWhatIsThereWhenAskedByName() {
        // given
        JsonValue json = JsonValue.of(new JsonObject(
                "{\"text\":\"t\",\"number\":1.50,\"null\":null,\"list\":[{\"a\":1},2,\"x\"],\"in\":{\"a\":7}}"));

        // then
        assertThat(json.text("text")).isEqualTo("t");
        assertThat(json.text("number")).isEqualTo("1.50");
        assertThat(json.text("list")).isEmpty();
        assertThat(json.number("number")).contains(new BigDecimal("1.50"));
        assertThat(json.number("text")).isEmpty();
        assertThat(json.numbers()).isEqualTo(Map.of("number", new BigDecimal("1.50")));
        assertThat(json.each("list")).hasSize(1);
        assertThat(json.each("missing")).isEmpty();
        assertThat(json.texts("list")).containsExactly("{a=1}", "2", "x");
        assertThat(json.in("in").text("a")).isEqualTo("7");
        assertThat(json.in("text").text("a")).isEmpty();
        assertThat(json.find("null")).isPresent();
        assertThat(json.find("missing")).isEmpty();
    }
}
