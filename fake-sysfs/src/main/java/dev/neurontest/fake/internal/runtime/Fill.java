package dev.neurontest.fake.internal.runtime;

import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The content of a tensor as a word of a command: {@code zeros}, {@code ones}, {@code arange}, {@code fill:2.5} or
 * {@code hex:00ff}. {@code @INDEX=VALUE} after any but the last sets single elements.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Fill {

    private static final String CONSTANT = "fill:";
    private static final String BYTES = "hex:";
    private static final int CHUNK = 1 << 16;

    private static final String COUNTING = "arange";

    /** Maximum size of a tensor in bytes. The host keeps every tensor in memory and serves several programs. */
    private static final int LARGEST = 64 << 20;

    private Fill() {}

    /**
     * Creates the content of a tensor.
     *
     * @param word word that describes the content
     * @param element element type of the tensor
     * @param units the product of its dimensions
     * @return the bytes of the tensor
     * @throws IllegalArgumentException if the word is invalid, or its number of bytes differs from the tensor's, or the tensor is
     *     too large
     */
    public static byte[] encode(String word, Element element, long units) {
        long size = element.bytes(units);
        if (size > LARGEST) {
            throw new IllegalArgumentException("a tensor of %s bytes cannot be filled with %s: the limit is %s bytes"
                    .formatted(size, word, LARGEST));
        }
        if (word.startsWith(BYTES)) {
            byte[] bytes = HexFormat.of().parseHex(word.substring(BYTES.length()));
            if (bytes.length != size) {
                throw new IllegalArgumentException(
                        word + " has " + bytes.length + " bytes, but the tensor has " + size);
            }
            return bytes;
        }
        String[] parts = word.split("@");
        Values values = values(parts[0]);
        long count = Math.multiplyExact(units, element.packed());
        Map<Long, Double> single = new HashMap<>();
        for (int i = 1; i < parts.length; i++) {
            put(single, parts[i], word, count);
        }
        byte[] bytes = new byte[(int) size];
        boolean same = single.isEmpty() && !parts[0].equals(COUNTING);
        byte[] part = {};
        int at = 0;
        // A multiple of four, which keeps packed values together.
        for (long from = 0; from < count; from += CHUNK) {
            int length = (int) Math.min(CHUNK, count - from);
            if (from == 0 || length < CHUNK || !same) {
                double[] chunk = new double[length];
                for (int i = 0; i < length; i++) {
                    Double replacement = single.isEmpty() ? null : single.get(from + i);
                    chunk[i] = replacement == null ? values.at(from + i) : replacement;
                }
                part = element.encode(chunk);
            }
            System.arraycopy(part, 0, bytes, at, part.length);
            at += part.length;
        }
        return bytes;
    }

    private interface Values {
        double at(long index);
    }

    private static Values values(String kind) {
        if (kind.startsWith(CONSTANT)) {
            double value = number(kind.substring(CONSTANT.length()), kind);
            return index -> value;
        }
        return switch (kind) {
            case "zeros" -> index -> 0;
            case "ones" -> index -> 1;
            case COUNTING -> index -> index;
            default -> throw unknown(kind);
        };
    }

    private static void put(Map<Long, Double> single, String assignment, String word, long count) {
        int equals = assignment.indexOf('=');
        long index = equals < 1 ? -1 : (long) number(assignment.substring(0, equals), word);
        if (index < 0 || index >= count) {
            throw new IllegalArgumentException("@" + assignment + " of " + word + " names none of the " + count
                    + " elements; use the form @3=NaN");
        }
        single.put(index, number(assignment.substring(equals + 1), word));
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
            throw new IllegalArgumentException("\"" + text + "\" in " + word + " is not a number", notOne);
        }
    }

    private static IllegalArgumentException unknown(String word) {
        return new IllegalArgumentException(
                "no fill \"" + word
                        + "\"; there are: zeros, ones, arange, fill:NUMBER, each optionally followed by @INDEX=NUMBER, and hex:BYTES");
    }
}
