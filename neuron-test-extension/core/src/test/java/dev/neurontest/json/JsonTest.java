package dev.neurontest.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JsonTest {

    /** UTF-8 has none, and some names of tests do. */
    @Test
    void halfACharacterOfATextIsReadAgain() {
        // given
        Map<String, String> object = Map.of("a\"b", "half \ud83e of \"a\": pair, and a whole \ud83e\udd85");

        // when
        String json = Json.text(object);

        // then
        assertThat(json).isEqualTo("{\"a\\\"b\":\"half \\uD83E of \\\"a\\\": pair, and a whole \ud83e\udd85\"}");
        assertThat(Json.parse(json.getBytes(StandardCharsets.UTF_8), Set.of())).isEqualTo(object);
    }

    @Test
    void halfACharacterOfANameIsReplacedForNoReaderTakesIt() {
        // when
        String json = Json.text(Map.of("half \udc3d of \"a\" pair", Map.of("b", 1)));

        // then
        assertThat(json).isEqualTo("{\"half \ufffd of \\\"a\\\" pair\":{\"b\":1}}");
        assertThat(Json.parse(json.getBytes(StandardCharsets.UTF_8), Set.of())).isNotNull();
    }
}
