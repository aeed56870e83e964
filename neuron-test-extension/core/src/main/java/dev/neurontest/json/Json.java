package dev.neurontest.json;

import java.io.Reader;
import java.io.StringWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/** JSON to be read and written piece by piece, and objects as maps, whose numbers keep every digit. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Json {

    /** Far beyond what a double can hold, and few enough digits to be written out. */
    private static final int LARGEST_EXPONENT = 1_000;

    private static final char REPLACEMENT = '\ufffd';

    /** The place where a cut object began, which Jackson names by its settings alone. */
    private static final Pattern START = Pattern.compile(" \\(start marker at .*");

    private static final JsonFactory JSON = new JsonFactory();

    /** A line is UTF-8; one with a NUL in front would be taken for UTF-16 otherwise, which has no offsets. */
    private static final JsonFactory LINES = JsonFactory.builder()
            .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
            .build();

    private static final JsonFactory WITHOUT_DUPLICATES = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** As a line of a run file: reports have reasons for names. */
    private static final int LONGEST_NAME = 16 << 20;

    /** Remembers no names: a large file may have any number of them. */
    private static final JsonFactory STREAMS = JsonFactory.builder()
            .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNameLength(LONGEST_NAME).build())
            .build();

    private static final int DEEPEST_OF_LENIENT = 64;

    /** Accepts what tools write that keep to no standard; keys may repeat. */
    private static final JsonFactory LENIENT = JsonFactory.builder()
            .enable(
                    JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS,
                    JsonReadFeature.ALLOW_LEADING_DECIMAL_POINT_FOR_NUMBERS,
                    JsonReadFeature.ALLOW_TRAILING_DECIMAL_POINT_FOR_NUMBERS)
            .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST_OF_LENIENT)
                    .build())
            .build();

    private Json() {}

    /**
     * Reads what a tool printed: {@code NaN} and its like are numbers, and keys may repeat.
     *
     * @param json the text, from the beginning of a value
     * @return a parser of at most 64 levels
     */
    public static JsonParser lenient(Reader json) {
        return LENIENT.createParser(ObjectReadContext.empty(), json);
    }

    /**
     * Writes piece by piece.
     *
     * @param out where to; closed with the generator
     * @return the generator
     */
    public static JsonGenerator generator(Writer out) {
        return JSON.createGenerator(ObjectWriteContext.empty(), out);
    }

    /**
     * Reads piece by piece.
     *
     * @param text JSON
     * @return the parser, before the first token
     */
    public static JsonParser parser(String text) {
        return JSON.createParser(ObjectReadContext.empty(), text);
    }

    /**
     * Reads piece by piece what may be larger than memory. Only what is asked for is held.
     *
     * @param json closed with the parser
     * @return the parser, before the first token
     */
    public static JsonParser parser(Reader json) {
        return STREAMS.createParser(ObjectReadContext.empty(), json);
    }

    /**
     * Writes into a text. Half a character, which some display name may have and UTF-8 cannot, is escaped.
     *
     * @param content writes one value
     * @return the text
     */
    public static String text(Consumer<JsonGenerator> content) {
        StringWriter text = new StringWriter(512);
        try (JsonGenerator json = generator(text)) {
            content.accept(json);
        }
        return withoutHalves(text.toString());
    }

    /** Jackson reads half a character in a text, but not in a name. */
    private static String withoutHalves(String json) {
        int first = 0;
        while (first < json.length() && !Character.isSurrogate(json.charAt(first))) {
            first++;
        }
        if (first == json.length()) {
            return json;
        }
        StringBuilder text = new StringBuilder(json.length());
        for (int at = 0; at < json.length(); at += Character.charCount(json.codePointAt(at))) {
            int point = json.codePointAt(at);
            if (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE) {
                text.appendCodePoint(point);
            } else if (isInName(json, at)) {
                text.append(REPLACEMENT);
            } else {
                text.append("\\u%04X".formatted(point));
            }
        }
        return text.toString();
    }

    private static boolean isInName(String json, int at) {
        int end = at;
        while (json.charAt(end) != '"') {
            end += json.charAt(end) == '\\' ? 2 : 1;
        }
        return end + 1 < json.length() && json.charAt(end + 1) == ':';
    }

    /**
     * Writes a member that is an array of texts.
     *
     * @param json in an object
     * @param name of the member
     * @param texts its elements
     */
    public static void strings(JsonGenerator json, String name, Iterable<String> texts) {
        json.writeArrayPropertyStart(name);
        texts.forEach(json::writeString);
        json.writeEndArray();
    }

    static String compact(String object) {
        StringWriter text = new StringWriter(object.length());
        try (JsonParser parser = parser(object);
                JsonGenerator json = generator(text)) {
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
        return withoutHalves(text.toString());
    }

    /**
     * Reads an object.
     *
     * @param line in UTF-8, without line breaks
     * @param whole members whose objects are not taken apart, but given as a {@link JsonObject}
     * @return its members in order; null for whatever is not one complete JSON object, or has a number that cannot be held
     */
    public static @Nullable Map<String, @Nullable Object> parse(byte[] line, Set<String> whole) {
        try (JsonParser parser = LINES.createParser(ObjectReadContext.empty(), line)) {
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

    /** Reads what people write by hand: a member that is there twice is an error. */
    static @Nullable Object tree(byte[] content) {
        try (JsonParser parser = WITHOUT_DUPLICATES.createParser(ObjectReadContext.empty(), content)) {
            if (parser.nextToken() == null) {
                throw new JsonException(1, "", "is empty, expected a JSON object", null);
            }
            Object value = value(parser);
            if (parser.nextToken() != null) {
                throw new JsonException(
                        parser.currentTokenLocation().getLineNr(),
                        "",
                        "something follows the JSON object, expected the end of the file",
                        null);
            }
            return value;
        } catch (JacksonException broken) {
            // What is too deep or too long has no place.
            throw new JsonException(
                    broken.getLocation() == null
                            ? 1
                            : Math.max(1, broken.getLocation().getLineNr()),
                    "",
                    START.matcher(broken.getOriginalMessage()
                                    .lines()
                                    .findFirst()
                                    .orElse("is not JSON"))
                            .replaceFirst(""),
                    broken);
        }
    }

    /** In which line a value begins. Only messages need it, so that it is looked for only then. */
    static int line(byte[] content, String pointer) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), content)) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() != JsonToken.PROPERTY_NAME
                        && parser.streamReadContext().pathAsPointer().toString().equals(pointer)) {
                    return parser.currentTokenLocation().getLineNr();
                }
            }
        } catch (JacksonException broken) {
            return 1;
        }
        return 1;
    }

    /**
     * Writes an object.
     *
     * @param object with text for names, and with maps, collections, {@link JsonObject}, numbers, booleans, texts and nulls
     * @return the text
     */
    public static String text(Map<?, ?> object) {
        return text(json -> write(json, object));
    }

    private static JsonObject whole(JsonParser parser, byte[] line) {
        int start = (int) parser.currentTokenLocation().getByteOffset();
        for (int open = 1; open > 0; ) {
            JsonToken token = parser.nextToken();
            if (token == null) {
                return unreadable(parser, "ends in the middle");
            } else if (token.isStructStart()) {
                open++;
            } else if (token.isStructEnd()) {
                open--;
            } else if (token.isNumeric()) {
                // Who takes the object apart later has no line to name.
                value(parser);
            }
        }
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
            case VALUE_NUMBER_FLOAT -> decimal(parser);
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            case VALUE_NULL -> null;
            default -> parser.getString();
        };
    }

    /** Sums and texts of a number have as many digits as its exponent says. */
    private static BigDecimal decimal(JsonParser parser) {
        try {
            BigDecimal number = parser.getDecimalValue();
            if (Math.abs((long) number.precision() - number.scale()) <= LARGEST_EXPONENT) {
                return number;
            }
        } catch (NumberFormatException beyond32Bits) {
            // As the others, which only Jackson can hold.
        }
        return unreadable(parser, "A number is too large or too small: " + parser.getString());
    }

    private static <T> T unreadable(JsonParser parser, String problem) {
        throw new StreamReadException(parser, problem);
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
