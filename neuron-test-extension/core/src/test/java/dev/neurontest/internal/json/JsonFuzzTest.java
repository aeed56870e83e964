package dev.neurontest.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fuzz.Fuzzing;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonFuzzTest {

    private record Content(
            String text,
            List<Double> numbers,
            Optional<BigInteger> bits,
            JsonObject whole,
            Map<String, List<Boolean>> words) {}

    private static final String OBJECT = """
            {"text": "größe \\ud83d\\ude00 \\"q\\" \\\\ \\/", "numbers": [0, -1, 1.50, 1e3, 0.12345678901234567890], "bits": 18446744073709551615,
             "whole": {"a": [{}, [], null, true], "b": {"c": "\\n", "d": -0.0}}, "words": {"a": [true, false], "": []}}""";
    private static final byte[] WHOLE = OBJECT.getBytes(StandardCharsets.UTF_8);

    @Test
    void writtenJsonReadsBackEqual() {
        Fuzzing.of(JsonFuzzTest.class, "json-tree")
                .words("\"whole\"", "\\ud83d", "\\udc00", "\\u0000", "1e1001", "{\"a\":")
                .seeds(OBJECT, OBJECT.replace("\n", ""))
                .refusing(JsonException.class)
                .check(input -> RecordReader.EXACT.read(input, Content.class), (input, read) -> {
                    assertThat(input.length < WHOLE.length && Arrays.mismatch(input, WHOLE) == input.length)
                            .as("the beginning of a file is no file")
                            .isFalse();
                    String written = RecordWriter.text(read);
                    JsonObject object = new JsonObject(written);
                    assertThat(RecordWriter.text(RecordReader.LENIENT.read(object, Content.class)))
                            .isEqualTo(written);
                    assertThat(object.withTexts((name, text) -> text)).isEqualTo(object);
                    assertThat(new JsonObject(RecordWriter.lines(read))).isEqualTo(object);
                });
    }
}
