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

/** Factory of streaming JSON parsers and generators. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Json {

    private static final char REPLACEMENT = '\ufffd';

    private static final JsonFactory JSON = new JsonFactory();

    /** Factories of special parsers. A separate class, because most JVMs of tests only write, and parsers would slow their start. */
    private static final class Parsers {

        /**
         * Factory for lines of run files. A line is UTF-8; with charset detection, a line with a NUL at its beginning would be read as UTF-16.
         * The source is kept, because objects are cut out of its bytes.
         */
        static final JsonFactory LINES = JsonFactory.builder()
                .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
                .enable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                .build();

        /** Maximum length of a name, as in a line of a run file. Reports use reasons as names. */
        private static final int LONGEST_NAME = 16 << 20;

        /** Factory for large files. It does not cache names, because a large file may contain any number of them. */
        static final JsonFactory STREAMS = JsonFactory.builder()
                .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNameLength(LONGEST_NAME)
                        .build())
                .build();

        private static final int DEEPEST_OF_LENIENT = 64;

        /** Factory for the nonstandard output of tools; keys may repeat. */
        static final JsonFactory LENIENT = JsonFactory.builder()
                .enable(
                        JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS,
                        JsonReadFeature.ALLOW_LEADING_DECIMAL_POINT_FOR_NUMBERS,
                        JsonReadFeature.ALLOW_TRAILING_DECIMAL_POINT_FOR_NUMBERS)
                .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEEPEST_OF_LENIENT)
                        .build())
                .build();

        private Parsers() {}
    }

    private Json() {}

    /**
     * Creates a lenient parser for the output of a tool. {@code NaN} and similar words are numbers, and keys may repeat.
     *
     * @param json the text, from the beginning of a value
     * @return a parser for at most 64 levels
     */
    public static JsonParser lenient(Reader json) {
        return Parsers.LENIENT.createParser(ObjectReadContext.empty(), json);
    }

    /**
     * Creates a generator.
     *
     * @param out writer, closed with the generator
     */
    public static JsonGenerator generator(Writer out) {
        return JSON.createGenerator(ObjectWriteContext.empty(), out);
    }

    /** Creates a parser of a text. */
    public static JsonParser parser(String text) {
        return JSON.createParser(ObjectReadContext.empty(), text);
    }

    /**
     * Creates a parser of bytes.
     *
     * @param content JSON in UTF-8, UTF-16 or UTF-32
     */
    public static JsonParser parser(byte[] content) {
        return JSON.createParser(ObjectReadContext.empty(), content);
    }

    /**
     * Creates a parser of a line.
     *
     * @param line JSON in UTF-8
     */
    public static JsonParser line(byte[] line) {
        return Parsers.LINES.createParser(ObjectReadContext.empty(), line);
    }

    /**
     * Creates a parser for files that may be larger than memory. It holds only the current token in memory.
     *
     * @param json reader, closed with the parser
     */
    public static JsonParser parser(Reader json) {
        return Parsers.STREAMS.createParser(ObjectReadContext.empty(), json);
    }

    /** Writes one value into a text. An unpaired surrogate, which a display name may contain and UTF-8 cannot encode, is escaped. */
    public static String text(Consumer<JsonGenerator> content) {
        StringWriter text = new StringWriter(512);
        try (JsonGenerator json = generator(text)) {
            content.accept(json);
        }
        return withoutHalves(text.toString());
    }

    /** Escapes unpaired surrogates. In names it replaces them, because Jackson cannot read an escaped one in a name. */
    static String withoutHalves(String json) {
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

    /** Writes a member with an array of texts. */
    public static void strings(JsonGenerator json, String name, Iterable<String> texts) {
        json.writeArrayPropertyStart(name);
        texts.forEach(json::writeString);
        json.writeEndArray();
    }
}
