package dev.neurontest.profile;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.InputCoercionException;

/** Parser of numbers in tool output: integers, fractions, and occasionally strings. */
final class EventNumbers {

    /** Value for a number that is missing, negative, not finite, or longer than 64 bits. */
    static final long ABSENT = -1;

    private static final int LONGEST_TEXT = 64;

    private EventNumbers() {}

    /** Reads the current value of the parser as nanoseconds. Returns {@link #ABSENT} for any other value and skips its children. */
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

    /** Reads the current value of the parser. Returns NaN for a value that is not a finite number and skips its children. */
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
