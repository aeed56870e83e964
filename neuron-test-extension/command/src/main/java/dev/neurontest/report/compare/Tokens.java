package dev.neurontest.report.compare;

import java.util.function.Consumer;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Walks through JSON. What is not taken, or has another shape, is passed over. */
final class Tokens {

    private Tokens() {}

    /** Each member of an object that the parser is at; its value is the current token. */
    static void members(JsonParser json, Consumer<String> member) {
        if (json.currentToken() == JsonToken.START_OBJECT) {
            for (String name = json.nextName(); name != null; name = json.nextName()) {
                json.nextToken();
                member.accept(name);
                json.skipChildren();
            }
        }
    }

    /** Each element of an array that the parser is at; it is the current token. */
    static void elements(JsonParser json, Runnable element) {
        if (json.currentToken() == JsonToken.START_ARRAY) {
            while (json.nextToken() != JsonToken.END_ARRAY) {
                element.run();
                json.skipChildren();
            }
        }
    }

    /** A text, number or truth as text; empty for anything else. */
    static String text(JsonParser json) {
        return json.currentToken().isScalarValue() && json.currentToken() != JsonToken.VALUE_NULL
                ? json.getString()
                : "";
    }
}
