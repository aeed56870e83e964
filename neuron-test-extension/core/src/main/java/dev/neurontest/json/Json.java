package dev.neurontest.evidence;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** JSON objects as maps, and back. Numbers keep every digit. */
final class Json {

    private static final JsonFactory JSON = new JsonFactory();

    private Json() {}

    /** As text, and not as bytes, because text takes a lone surrogate of some display name. */
    static String text(Consumer<JsonGenerator> content) {
        StringWriter text = new StringWriter(512);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            content.accept(json);
        }
        return text.toString();
    }

    static String compact(String object) {
        StringWriter text = new StringWriter(object.length());
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), object);
                JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("not a JSON object: " + object);
            }
            json.copyCurrentStructureExact(parser);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("more than one JSON object: " + object);
            }
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a JSON object: " + e.getOriginalMessage() + ": " + object, e);
        }
        return text.toString();
    }

    /**
     * Gives null for whatever is not one complete JSON object.
     *
     * @param line in UTF-8, without line breaks
     * @param whole members whose objects are not taken apart, but given as a {@link JsonObject}
     */
    static @Nullable Map<String, @Nullable Object> parse(byte[] line, Set<String> whole) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            Map<String, @Nullable Object> object = new LinkedHashMap<>();
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                boolean apart = parser.nextToken() != JsonToken.START_OBJECT || !whole.contains(name);
                object.put(name, apart ? value(parser) : whole(parser, line));
            }
            return parser.nextToken() == null ? object : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    static String text(Map<?, ?> object) {
        return text(json -> write(json, object));
    }

    private static JsonObject whole(JsonParser parser, byte[] line) {
        int start = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        int end = (int) parser.currentLocation().getByteOffset();
        return JsonObject.ofLine(new String(line, start, end - start, StandardCharsets.UTF_8));
    }

    private static Map<String, @Nullable Object> object(JsonParser parser) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            parser.nextToken();
            object.put(name, value(parser));
        }
        return object;
    }

    private static @Nullable Object value(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> {
                List<@Nullable Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(parser));
                }
                yield array;
            }
            case VALUE_NUMBER_INT -> parser.getNumberValue();
            case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            case VALUE_NULL -> null;
            default -> parser.getString();
        };
    }

    private static void write(JsonGenerator json, @Nullable Object value) {
        if (value instanceof Map<?, ?> object) {
            json.writeStartObject();
            object.forEach((name, each) -> {
                json.writeName((String) name);
                write(json, each);
            });
            json.writeEndObject();
        } else if (value instanceof Collection<?> array) {
            json.writeStartArray();
            array.forEach(each -> write(json, each));
            json.writeEndArray();
        } else if (value instanceof JsonObject object) {
            json.writeRawValue(object.text());
        } else if (value instanceof Number number) {
            json.writeNumber(number.toString());
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value == null) {
            json.writeNull();
        } else {
            json.writeString((String) value);
        }
    }
}
