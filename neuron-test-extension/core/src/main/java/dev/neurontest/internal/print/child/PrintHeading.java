package dev.neurontest.internal.print.child;

import dev.neurontest.tensor.DType;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text before the values of a tensor in a log: its prefix, data type and shape. The wording depends on the program.
 *
 * @param prefix text before data type and shape
 * @param dtype name as written
 * @param shape empty for a scalar
 * @param remainder rest of the line, where values may begin
 */
record PrintHeading(String prefix, String dtype, List<Long> shape, String remainder) {

    private static final Pattern DTYPE = Pattern.compile(
            "\\bdtype\\s*[=:]?\\s*['\"]?(?<named>[A-Za-z][\\w.]*)['\"]?|\\b(?<bare>[bt]?float\\d+\\w*|u?int\\d+|bool_?|bf16|fp16|fp32)\\b");
    private static final Pattern SHAPE = Pattern.compile(
            "\\bshape\\s*[=:]?\\s*(?<named>[(\\[][\\d,\\s]*[)\\]])|(?<bare>\\(\\s*\\d+\\s*,[\\d,\\s]*\\))");
    private static final Pattern SIZE =
            Pattern.compile("\\b(?:data_)?size\\s*[=:]?\\s*\\d+(?:\\s*bytes)?|\\b\\d+\\s*bytes");
    private static final Pattern LABEL = Pattern.compile("^\\[?(?:device_print|DevicePrint)\\]?\\s*[:(]?\\s*");
    private static final Pattern TRAILING = Pattern.compile("[\\s,:;|=(\\[<{'\"-]+$");
    private static final Pattern LEADING = Pattern.compile("^['\"]|^prefix\\s*[=:]\\s*['\"]?");

    /** Maximum length to search. Longer lines contain data, and the search would take a long time. */
    private static final int LONGEST = 4096;

    static Optional<PrintHeading> of(String line) {
        String head = line.length() > LONGEST ? line.substring(0, LONGEST) : line;
        Matcher dtype = DTYPE.matcher(head);
        Matcher shape = SHAPE.matcher(head);
        if (!findKnown(dtype) || !shape.find()) {
            return Optional.empty();
        }
        String tuple = shape.group("named") == null ? shape.group("bare") : shape.group("named");
        Optional<List<Long>> lengths = PrintMetadata.shape(tuple.strip());
        String prefix = stripped(head.substring(0, Math.min(dtype.start(), shape.start())));
        if (lengths.isEmpty() || prefix.isEmpty()) {
            return Optional.empty();
        }
        int end = Math.max(dtype.end(), shape.end());
        Matcher size = SIZE.matcher(head);
        if (size.find(end)) {
            end = size.end();
        }
        return Optional.of(new PrintHeading(prefix, name(dtype), lengths.get(), line.substring(end)));
    }

    private static boolean findKnown(Matcher dtype) {
        while (dtype.find()) {
            if (dtype.group("named") != null || DType.of(name(dtype)).isPresent()) {
                return true;
            }
        }
        return false;
    }

    private static String name(Matcher dtype) {
        return dtype.group("named") == null ? dtype.group("bare") : dtype.group("named");
    }

    /** Returns text without labels before it, and without the punctuation around it. */
    static String stripped(String before) {
        String text = LABEL.matcher(before.strip()).replaceFirst("");
        text = LEADING.matcher(text).replaceFirst("");
        return TRAILING.matcher(text).replaceFirst("").strip();
    }
}
