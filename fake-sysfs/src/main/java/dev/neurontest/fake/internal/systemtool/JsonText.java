package dev.neurontest.fake.internal.systemtool;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;

/** JSON text of maps, lists, strings, numbers and booleans. */
final class JsonText {

    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonText() {}

    /** Formats a value in one line without blanks. */
    static String line(Object value) {
        return written(value, null);
    }

    /** Formats a value with an indent of four blanks and one element per line, without a newline at the end. */
    static String indented(Object value) {
        DefaultIndenter indenter = new DefaultIndenter("    ", "\n");
        Separators separators = Separators.createDefaultInstance()
                .withObjectNameValueSpacing(Separators.Spacing.AFTER)
                .withArrayEmptySeparator("")
                .withObjectEmptySeparator("");
        return written(
                value,
                new DefaultPrettyPrinter(separators)
                        .withObjectIndenter(indenter)
                        .withArrayIndenter(indenter));
    }

    private static String written(Object value, @Nullable PrettyPrinter printer) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(
                new ObjectWriteContext.Base() {
                    @Override
                    public @Nullable PrettyPrinter getPrettyPrinter() {
                        return printer;
                    }

                    @Override
                    public boolean hasPrettyPrinter() {
                        return printer != null;
                    }
                },
                text)) {
            write(json, value);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, @Nullable Object value) {
        if (value instanceof Map<?, ?> object) {
            json.writeStartObject();
            object.forEach((name, member) -> {
                json.writeName(name.toString());
                write(json, member);
            });
            json.writeEndObject();
        } else if (value instanceof Iterable<?> array) {
            json.writeStartArray();
            array.forEach(element -> write(json, element));
            json.writeEndArray();
        } else if (value instanceof Double number) {
            json.writeNumber(
                    new BigDecimal(number.toString()).stripTrailingZeros().toPlainString());
        } else if (value instanceof Number number) {
            json.writeNumber(number.longValue());
        } else if (value instanceof Boolean flag) {
            json.writeBoolean(flag);
        } else if (value == null) {
            json.writeNull();
        } else {
            json.writeString(value.toString());
        }
    }

    /**
     * Parses a text.
     *
     * @return maps, lists, strings, numbers, booleans or null
     * @throws IllegalArgumentException if the text is not JSON; the message says where and what was expected
     */
    static @Nullable Object parse(String text) {
        try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            json.nextToken();
            Object value = read(json);
            if (json.nextToken() != null) {
                throw new IllegalArgumentException("there is text after its end");
            }
            return value;
        } catch (JacksonException wrong) {
            // Without the settings of the library, which a user cannot change.
            String reason = wrong.getOriginalMessage().replaceFirst(" \\(start marker at .*|, from `[^`]*`", "");
            TokenStreamLocation location = wrong.getLocation();
            throw new IllegalArgumentException(
                    location == null
                            ? reason
                            : "line " + location.getLineNr() + ", column " + location.getColumnNr() + ": " + reason,
                    wrong);
        }
    }

    private static @Nullable Object read(JsonParser json) {
        JsonToken token = json.currentToken();
        if (token == null) {
            throw new IllegalArgumentException("it is empty");
        }
        return switch (token) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> object = new LinkedHashMap<>();
                while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                    String name = json.currentName();
                    json.nextToken();
                    object.put(name, read(json));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<@Nullable Object> array = new ArrayList<>();
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    array.add(read(json));
                }
                yield array;
            }
            case VALUE_STRING -> json.getString();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getNumberValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }
}
