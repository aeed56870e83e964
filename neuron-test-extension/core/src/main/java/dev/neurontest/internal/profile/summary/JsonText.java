package dev.neurontest.internal.profile.summary;

import dev.neurontest.internal.json.Json;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/**
 * Reader of one JSON object in a text. It is lenient, because the tools write invalid JSON: it accepts {@code NaN} and similar literals,
 * and repeated keys.
 */
final class JsonText {

    private final String text;
    private final int start;
    private int position;
    private int depth;
    private int namesRead;
    private String lastName = "";
    private boolean committed;

    /**
     * Creates a reader.
     *
     * @param start offset of the object in the text
     */
    JsonText(String text, int start) {
        this.text = text;
        this.start = start;
    }

    /** An object with its members in the written order. */
    record Members(List<Member> members) {}

    /**
     * A name with its value.
     *
     * @param value {@link Members}, {@link Elements}, {@link String} or {@link Literal}
     * @param raw the value as written
     */
    record Member(String name, Object value, String raw) {}

    record Elements(List<Object> elements) {}

    /** A value without quotation marks: a number, {@code NaN}, {@code true}. */
    record Literal(String text) {}

    /** Thrown when the text is not a valid JSON object. */
    static final class Broken extends Exception {

        private static final long serialVersionUID = 1;
        private final int offset;
        private final boolean cut;

        Broken(int offset, boolean cut, String problem) {
            super(problem, null, false, false);
            this.offset = offset;
            this.cut = cut;
        }

        int offset() {
            return offset;
        }

        /** Checks whether the text ends too early. */
        boolean isCut() {
            return cut;
        }
    }

    /** Returns the end of the object. */
    int position() {
        return position;
    }

    int namesRead() {
        return namesRead;
    }

    String lastName() {
        return lastName;
    }

    /** Checks whether one of the names belongs only to a summary. */
    boolean isSummary() {
        return committed;
    }

    Members object() throws Broken {
        try (JsonParser json = Json.lenient(from(start))) {
            try {
                json.nextToken();
                Members members = members(json);
                position = end(json);
                return members;
            } catch (JacksonException broken) {
                long offset =
                        (broken.getLocation() == null ? json.currentLocation() : broken.getLocation()).getCharOffset();
                boolean cut = broken instanceof UnexpectedEndOfInputException || start + offset >= text.length();
                throw new Broken(
                        cut ? text.length() : start + (int) Math.max(0, offset), cut, broken.getOriginalMessage());
            }
        }
    }

    private StringReader from(int begin) {
        StringReader reader = new StringReader(text);
        try {
            reader.skip(begin);
            return reader;
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private int end(JsonParser json) {
        return start + (int) json.currentLocation().getCharOffset();
    }

    private Members members(JsonParser json) {
        List<Member> members = new ArrayList<>();
        depth++;
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            namesRead++;
            lastName = name;
            committed |= SummaryReader.isOfSummary(name, depth);
            json.nextToken();
            int begin = start + (int) json.currentTokenLocation().getCharOffset();
            Object value = value(json);
            members.add(new Member(name, value, text.substring(begin, end(json))));
        }
        depth--;
        return new Members(members);
    }

    private Object value(JsonParser json) {
        return switch (json.currentToken()) {
            case START_OBJECT -> members(json);
            case START_ARRAY -> {
                List<Object> elements = new ArrayList<>();
                depth++;
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(value(json));
                }
                depth--;
                yield new Elements(elements);
            }
            case VALUE_STRING -> json.getString();
            default -> new Literal(json.getString());
        };
    }
}
