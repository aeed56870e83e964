package dev.neurontest.json;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** A JSON object on one line. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class JsonObject {

    private final String text;

    /**
     * Puts the object on one line.
     *
     * @param text one JSON object, over as many lines as it likes
     * @throws IllegalArgumentException when it is anything else
     */
    public JsonObject(String text) {
        this.text = Json.compact(text);
    }

    private JsonObject(CharSequence onOneLine) {
        this.text = onOneLine.toString();
    }

    /**
     * Writes an object.
     *
     * @param members writes its members
     * @return the object
     */
    public static JsonObject of(Consumer<JsonGenerator> members) {
        return new JsonObject((CharSequence) Json.text(json -> {
            json.writeStartObject();
            members.accept(json);
            json.writeEndObject();
        }));
    }

    /**
     * Copies an object out of a larger text.
     *
     * @param parser at its beginning, and at its end then
     * @return the object
     */
    public static JsonObject copyOf(JsonParser parser) {
        return new JsonObject((CharSequence) Json.text(json -> json.copyCurrentStructureExact(parser)));
    }

    /** One that a parser has found to be whole in a line. */
    static JsonObject ofLine(String text) {
        return new JsonObject((CharSequence) text);
    }

    Map<String, @Nullable Object> members() {
        return Objects.requireNonNull(Json.parse(text.getBytes(StandardCharsets.UTF_8), Set.of()));
    }

    /**
     * The same object with other texts; names, numbers and structure stay.
     *
     * @param change takes the name of a text, empty in a list, and the text
     * @return another object
     */
    public JsonObject withTexts(BinaryOperator<String> change) {
        return new JsonObject((CharSequence) Json.text(json -> {
            try (JsonParser parser = Json.parser(text)) {
                for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                    if (token == JsonToken.VALUE_STRING) {
                        json.writeString(
                                change.apply(Objects.requireNonNullElse(parser.currentName(), ""), parser.getString()));
                    } else {
                        json.copyCurrentEventExact(parser);
                    }
                }
            }
        }));
    }

    /**
     * The object.
     *
     * @return JSON without line breaks
     */
    public String text() {
        return text;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonObject object && object.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
