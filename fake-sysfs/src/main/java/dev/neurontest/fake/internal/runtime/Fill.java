package dev.neurontest.fake.internal.runtime;

import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

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

    private final String word;
    private final byte @Nullable [] bytes;
    private final Values values;
    private final boolean same;
    private final Map<Long, Double> single;

    private Fill(String word, byte @Nullable [] bytes, Values values, boolean same, Map<Long, Double> single) {
        this.word = word;
        this.bytes = bytes;
        this.values = values;
        this.same = same;
        this.single = single;
    }

    /**
     * Parses a word.
     *
     * @param word word that describes the content
     * @return the content, for a tensor of any type and size
     * @throws IllegalArgumentException if the word is invalid; the message lists the valid words
     */
    public static Fill parse(String word) {
        if (word.startsWith(BYTES)) {
            return new Fill(word, parseBytes(word), index -> 0, true, Map.of());
        }
        String[] parts = word.split("@", -1);
        Values values = values(parts[0]);
        Map<Long, Double> single = new HashMap<>();
        for (int i = 1; i < parts.length; i++) {
            put(single, parts[i], word);
        }
        return new Fill(word, null, values, single.isEmpty() && !parts[0].equals(COUNTING), single);
    }

    private static byte[] parseBytes(String word) {
        try {
            return HexFormat.of().parseHex(word.substring(BYTES.length()));
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(word + " must have two hexadecimal digits for each byte", wrong);
        }
    }

    /**
     * Creates the content of a tensor.
     *
     * @param element element type of the tensor
     * @param units the product of its dimensions
     * @return the bytes of the tensor
     * @throws IllegalArgumentException if the number of bytes differs from the tensor's, an element does not exist, the type does not
     *     have a value, or the tensor is too large
     */
    public byte[] encode(Element element, long units) {
        long size = element.bytes(units);
        if (size > LARGEST) {
            throw new IllegalArgumentException("a tensor of %s bytes cannot be filled with %s: the limit is %s bytes"
                    .formatted(size, word, LARGEST));
        }
        if (bytes != null) {
            if (bytes.length != size) {
                throw new IllegalArgumentException(
                        word + " has " + bytes.length + " bytes, but the tensor has " + size);
            }
            return bytes.clone();
        }
        long count = Math.multiplyExact(units, element.packed());
        single.keySet().stream().filter(index -> index >= count).findFirst().ifPresent(index -> {
            throw new IllegalArgumentException(
                    "@" + index + " of " + word + " names none of the " + count + " elements");
        });
        byte[] content = new byte[(int) size];
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
            System.arraycopy(part, 0, content, at, part.length);
            at += part.length;
        }
        return content;
    }

    /** Returns the word. */
    @Override
    public String toString() {
        return word;
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

    private static void put(Map<Long, Double> single, String assignment, String word) {
        int equals = assignment.indexOf('=');
        String index = assignment.substring(0, Math.max(0, equals));
        if (!index.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException(
                    "@" + assignment + " of " + word + " is not the value of an element; use the form @3=NaN");
        }
        single.put(Long.parseLong(index), number(assignment.substring(equals + 1), word));
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
        return new IllegalArgumentException("no fill \"" + word
                + "\"; there are: zeros, ones, arange, fill:NUMBER, each optionally followed by @INDEX=NUMBER, hex:BYTES, and"
                + " for an output copy:INPUT, unwritten or first:BYTES:FILL");
    }
}
