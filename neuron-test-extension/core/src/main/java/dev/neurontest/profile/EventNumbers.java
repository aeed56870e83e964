package dev.neurontest.profile;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.InputCoercionException;

/** Numbers as the tools write them: integers, fractions, and now and then as a string. */
final class EventNumbers {

    /** There is none, or it is negative, no finite number, or more than 64 bits. */
    static final long ABSENT = -1;

    private static final int LONGEST_TEXT = 64;

    private EventNumbers() {}

    /** The value that the parser is at: nanoseconds, or {@link #ABSENT}; past whatever it is when it has parts. */
    static long nanos(JsonParser json, JsonToken token) {
        return switch (token) {
            case VALUE_NUMBER_INT -> integer(json);
            case VALUE_NUMBER_FLOAT, VALUE_STRING -> rounded(number(json, token));
            default -> {
                json.skipChildren();
                yield ABSENT;
            }
        };
    }

    private static long integer(JsonParser json) {
        try {
            return Math.max(ABSENT, json.getLongValue());
        } catch (InputCoercionException e) {
            return ABSENT;
        }
    }

    private static long rounded(double value) {
        return value >= 0 && value < Long.MAX_VALUE ? Math.round(value) : ABSENT;
    }

    /** The value that the parser is at; NaN when it is no finite number, past whatever it is when it has parts. */
    static double number(JsonParser json, JsonToken token) {
        return switch (token) {
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> finite(json.getDoubleValue());
            case VALUE_STRING -> json.getStringLength() > LONGEST_TEXT ? Double.NaN : parse(json.getString());
            default -> {
                json.skipChildren();
                yield Double.NaN;
            }
        };
    }

    private static double parse(String text) {
        try {
            return finite(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    private static double finite(double value) {
        return Double.isFinite(value) ? value : Double.NaN;
    }
}
