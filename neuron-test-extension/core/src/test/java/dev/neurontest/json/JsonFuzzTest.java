package dev.neurontest.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fuzz.Fuzzing;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonFuzzTest {

    private static final String OBJECT = """
            {"text": "größe \\ud83d\\ude00 \\"q\\" \\\\ \\/", "numbers": [0, -1, 1.50, 1e3, 0.12345678901234567890, 18446744073709551615, 2147483648],
             "whole": {"a": [{}, [], null, true], "b": {"c": "\\n", "d": -0.0}}, "words": [true, false, null], "": ""}""";
    private static final String LINE = OBJECT.replace("\n", "");
    private static final byte[] WHOLE = OBJECT.getBytes(StandardCharsets.UTF_8);
    private static final Set<String> KEPT = Set.of("whole");

    private static Fuzzing fuzzing(String target) {
        return Fuzzing.of(JsonFuzzTest.class, target)
                .words("\"whole\"", "\\ud83d", "\\udc00", "\\u0000", "1e1001", "{\"a\":");
    }

    private static void assertNotCut(byte[] input, byte[] whole) {
        assertThat(input.length < whole.length && Arrays.mismatch(input, whole) == input.length)
                .as("the beginning of a file is no file")
                .isFalse();
    }

    @Test
    void aTreeIsReadAsItIsWritten() {
        fuzzing("json-tree")
                .seeds(OBJECT, "[1, {\"a\": [\"b\"]}]", "{\"a\": {\"b\": 7}}")
                .refusing(JsonException.class)
                .check(JsonValue::parse, (input, read) -> {
                    assertNotCut(input, WHOLE);
                    assertAnswers(read);
                    if (Json.tree(input) instanceof Map<?, ?> object) {
                        assertWrittenAgain(Json.text(object), Json::tree);
                    }
                });
    }

    private static void assertWrittenAgain(String written, Fuzzing.Reader<?> reader) throws Exception {
        Object again = reader.read(written.getBytes(StandardCharsets.UTF_8));
        assertThat(Json.text((Map<?, ?>) again)).isEqualTo(written);
    }

    /** Whatever is asked, a value answers or says in which line it is something else. */
    private static void assertAnswers(JsonValue value) {
        Set.<Consumer<JsonValue>>of(
                        JsonValue::text,
                        JsonValue::number,
                        JsonValue::amount,
                        JsonValue::whole,
                        JsonValue::positive,
                        JsonValue::unsigned,
                        JsonValue::truth,
                        each -> each.object().values().forEach(JsonFuzzTest::assertAnswers))
                .forEach(question -> {
                    try {
                        question.accept(value);
                    } catch (JsonException other) {
                        assertThat(other.placed()).matches("(?s)line [1-9].*, expected .*");
                    }
                });
    }

    @Test
    void aLineIsReadAsItIsWritten() {
        fuzzing("json-line")
                .seeds(LINE, "{\"whole\": {\"a\": \"b\"}, \"n\": 1}")
                .refusing(NoObject.class)
                .check(JsonFuzzTest::line, (input, read) -> {
                    assertNotCut(input, LINE.getBytes(StandardCharsets.UTF_8));
                    assertWrittenAgain(Json.text(read), JsonFuzzTest::line);
                    if (read.get("whole") instanceof JsonObject object) {
                        assertThat(JsonValue.of(new JsonObject(object.text())).object())
                                .hasSameSizeAs(JsonValue.of(object).object());
                        assertThat(object.withTexts((name, text) -> text)).isEqualTo(new JsonObject(object.text()));
                    }
                });
    }

    private static Map<String, @Nullable Object> line(byte[] input) throws NoObject {
        Map<String, @Nullable Object> read = Json.parse(input, KEPT);
        if (read == null) {
            throw new NoObject();
        }
        return read;
    }

    private static final class NoObject extends Exception {

        private static final long serialVersionUID = 1;
    }
}
