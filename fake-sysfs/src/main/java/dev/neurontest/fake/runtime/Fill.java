package dev.neurontest.fake.runtime;

import java.util.Arrays;
import java.util.HexFormat;
import org.apiguardian.api.API;

/**
 * What a tensor is filled with, as a word of a command has it: {@code zeros}, {@code ones}, {@code arange}, {@code fill:2.5},
 * {@code hex:00ff}, and behind each but the last {@code @INDEX=VALUE} for single elements.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Fill {

    private static final String CONSTANT = "fill:";
    private static final String BYTES = "hex:";

    private Fill() {}

    /**
     * Makes the content of a tensor.
     *
     * @param word what it is filled with
     * @param element its element type
     * @param units the product of its dimensions
     * @return its bytes
     * @throws IllegalArgumentException when the word is none of those, or says other bytes than there are
     */
    public static byte[] encode(String word, Element element, long units) {
        if (word.startsWith(BYTES)) {
            byte[] bytes = HexFormat.of().parseHex(word.substring(BYTES.length()));
            if (bytes.length != element.bytes(units)) {
                throw new IllegalArgumentException(
                        word + " has " + bytes.length + " bytes, the tensor " + element.bytes(units));
            }
            return bytes;
        }
        String[] parts = word.split("@");
        double[] values = values(parts[0], Math.toIntExact(Math.multiplyExact(units, element.packed())));
        for (int i = 1; i < parts.length; i++) {
            put(values, parts[i], word);
        }
        return element.encode(values);
    }

    private static double[] values(String kind, int count) {
        double[] values = new double[count];
        if (kind.equals("arange")) {
            Arrays.setAll(values, i -> i);
        } else if (kind.equals("ones")) {
            Arrays.fill(values, 1);
        } else if (kind.startsWith(CONSTANT)) {
            Arrays.fill(values, number(kind.substring(CONSTANT.length()), kind));
        } else if (!kind.equals("zeros")) {
            throw unknown(kind);
        }
        return values;
    }

    private static void put(double[] values, String assignment, String word) {
        int equals = assignment.indexOf('=');
        int index = equals < 1 ? -1 : (int) number(assignment.substring(0, equals), word);
        if (index < 0 || index >= values.length) {
            throw new IllegalArgumentException("@" + assignment + " of " + word + " names none of " + values.length
                    + " elements; it must look like @3=NaN");
        }
        values[index] = number(assignment.substring(equals + 1), word);
    }

    private static double number(String text, String word) {
        if (text.equalsIgnoreCase("nan")) {
            return Double.NaN;
        }
        if (text.equalsIgnoreCase("inf") || text.equalsIgnoreCase("-inf")) {
            return text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException notOne) {
            throw new IllegalArgumentException("\"" + text + "\" in " + word + " is no number", notOne);
        }
    }

    private static IllegalArgumentException unknown(String word) {
        return new IllegalArgumentException(
                "nothing to fill a tensor with is called \"" + word
                        + "\"; there are: zeros, ones, arange, fill:NUMBER, each maybe with @INDEX=NUMBER behind it, and hex:BYTES");
    }
}
