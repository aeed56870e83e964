package dev.neurontest.internal.print.child;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The content of a {@code metadata.txt} next to a tensor, in lines such as {@code dtype = int32}.
 *
 * @param dtype name as written
 * @param shape empty for a scalar
 * @param size bytes of the tensor; -1 when it is missing
 */
record PrintMetadata(String dtype, List<Long> shape, long size) {

    /** Maximum number of dimensions of any print, limited by the debug stream. */
    static final int MOST_DIMENSIONS = 8;

    private static final Pattern LINE = Pattern.compile("(?m)^\\s*(dtype|shape|data_size)\\s*[=:]\\s*(.*?)\\s*$");
    private static final Pattern LENGTH = Pattern.compile("\\d{1,18}");

    /** Maximum length of the text of a shape, enough for all dimensions with blanks between them. */
    private static final int LONGEST = 256;

    /** Maximum length to search. Longer text is no metadata, and the search would take a long time. */
    private static final int LONGEST_FILE = 4096;

    /** Parses metadata; empty when the data type or the shape is missing or invalid. */
    static Optional<PrintMetadata> of(String text) {
        Optional<String> dtype = Optional.empty();
        Optional<List<Long>> shape = Optional.empty();
        long size = -1;
        Matcher line = LINE.matcher(text.length() > LONGEST_FILE ? text.substring(0, LONGEST_FILE) : text);
        while (line.find()) {
            String value = line.group(2);
            switch (line.group(1)) {
                case "dtype" -> dtype = Optional.of(value).filter(name -> !name.isEmpty());
                case "shape" -> shape = shape(value);
                default -> {
                    if (!value.matches("\\d{1,18}")) {
                        return Optional.empty();
                    }
                    size = Long.parseLong(value);
                }
            }
        }
        return dtype.isPresent() && shape.isPresent()
                ? Optional.of(new PrintMetadata(dtype.get(), shape.get(), size))
                : Optional.empty();
    }

    /** Parses a tuple or list of lengths in Python syntax, with at most {@link #MOST_DIMENSIONS} elements. */
    static Optional<List<Long>> shape(String text) {
        if (text.length() > LONGEST || !isBracketed(text)) {
            return Optional.empty();
        }
        List<Long> shape = new ArrayList<>();
        for (String length : text.substring(1, text.length() - 1).split("[\\s,]+")) {
            if (!length.isEmpty()) {
                if (!LENGTH.matcher(length).matches() || shape.size() == MOST_DIMENSIONS) {
                    return Optional.empty();
                }
                shape.add(Long.parseLong(length));
            }
        }
        return Optional.of(List.copyOf(shape));
    }

    private static boolean isBracketed(String text) {
        return text.startsWith("(") && text.endsWith(")") || text.startsWith("[") && text.endsWith("]");
    }
}
