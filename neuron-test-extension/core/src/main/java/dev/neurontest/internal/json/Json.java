package dev.neurontest.internal.json;

import java.io.Reader;
import java.io.StringWriter;
import java.io.Writer;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/** Reads and writes JSON piece by piece. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Json {

    private static final char REPLACEMENT = '\ufffd';

    private static final JsonFactory JSON = new JsonFactory();

    /** A line is UTF-8; one with a NUL in front would be taken for UTF-16 otherwise. Objects in it are cut out of its bytes. */
    private static final JsonFactory LINES = JsonFactory.builder()
            .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
            .enable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
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
     * Reads piece by piece.
     *
     * @param content JSON in UTF-8, UTF-16 or UTF-32
     * @return the parser, before the first token
     */
    public static JsonParser parser(byte[] content) {
        return JSON.createParser(ObjectReadContext.empty(), content);
    }

    /**
     * Reads a line piece by piece.
     *
     * @param line JSON in UTF-8
     * @return the parser, before the first token
     */
    public static JsonParser line(byte[] line) {
        return LINES.createParser(ObjectReadContext.empty(), line);
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
}
