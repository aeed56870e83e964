package dev.neurontest.internal.json;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.BinaryOperator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;

/** A JSON object on one line. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class JsonObject {

    /** An object without members. */
    public static final JsonObject EMPTY = new JsonObject((CharSequence) "{}");

    private final String text;

    /**
     * Creates an object from text, and puts it on one line.
     *
     * @param text one JSON object, on any number of lines
     * @throws IllegalArgumentException when the text is not exactly one JSON object
     */
    public JsonObject(String text) {
        try (JsonParser parser = Json.parser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("not a JSON object: " + text);
            }
            this.text = copyOf(parser).text;
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("more than one JSON object: " + text);
            }
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a JSON object: " + e.getOriginalMessage() + ": " + text, e);
        }
    }

    private JsonObject(CharSequence onOneLine) {
        this.text = onOneLine.toString();
    }

    /** Creates an object from a record. */
    public static JsonObject of(Record value) {
        return new JsonObject((CharSequence) RecordWriter.text(value));
    }

    /**
     * Copies an object out of a larger text.
     *
     * @param parser a parser at the beginning of the object; it moves to the end of the object
     */
    public static JsonObject copyOf(JsonParser parser) {
        TokenStreamLocation begin = parser.currentTokenLocation();
        if (begin.contentReference().getRawContent() instanceof byte[] line) {
            // Such objects make up most of a run file.
            int start = (int) begin.getByteOffset();
            parser.skipChildren();
            int end = (int) parser.currentLocation().getByteOffset();
            return new JsonObject((CharSequence) new String(line, start, end - start, StandardCharsets.UTF_8));
        }
        return copy(parser, (name, text) -> text);
    }

    /**
     * Returns a copy with other texts; names, numbers and structure remain.
     *
     * @param change receives the name of a text (empty in a list) and the text
     */
    public JsonObject withTexts(BinaryOperator<String> change) {
        try (JsonParser parser = Json.parser(text)) {
            parser.nextToken();
            return copy(parser, change);
        }
    }

    private static JsonObject copy(JsonParser parser, BinaryOperator<String> texts) {
        return new JsonObject((CharSequence) Json.text(json -> {
            int open = 0;
            do {
                JsonToken token = parser.currentToken();
                open += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (token == JsonToken.VALUE_STRING) {
                    json.writeString(
                            texts.apply(Objects.requireNonNullElse(parser.currentName(), ""), parser.getString()));
                } else if (token.isNumeric()) {
                    json.writeNumber(parser.getString());
                } else {
                    json.copyCurrentEvent(parser);
                }
            } while (open > 0 && parser.nextToken() != null);
        }));
    }

    /** Returns the object as JSON without line breaks. */
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
