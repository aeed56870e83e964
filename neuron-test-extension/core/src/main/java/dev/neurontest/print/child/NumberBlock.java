package dev.neurontest.print.child;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Numbers in nested brackets, as NumPy writes a tensor.
 *
 * @param numbers as they are written
 * @param shape as they are nested; of no meaning when it is abbreviated
 * @param isAbbreviated whether {@code ...} stands for more of them
 * @param trouble why it is none; empty when it is one
 */
record NumberBlock(List<String> numbers, List<Long> shape, boolean isAbbreviated, String trouble) {

    private static final int DEEPEST = 8;
    private static final Pattern NUMBER = Pattern.compile(
            "[-+]?(?:\\d+(?:\\.\\d*)?(?:[eE][-+]?\\d+)?|\\.\\d+(?:[eE][-+]?\\d+)?|[iI]nf(?:inity)?|[nN]a[nN])|True|False|0x[0-9a-fA-F]{1,16}");
    private static final String MORE = "...";
    private static final String BESIDE = "there are numbers beside brackets";

    /** The longest double has 1,077 digits, and reading a number of millions of digits takes minutes. */
    private static final int LONGEST = 1100;

    /** Reads a whole block, or a number without brackets. */
    static NumberBlock of(String text) {
        return new Reading(text).read();
    }

    private static final class Reading {

        private final String text;
        private final List<String> numbers = new ArrayList<>();
        private final long[] counted = new long[DEEPEST + 1];
        private final long[] lengths = new long[DEEPEST + 1];
        private int depth;
        private int deepest;
        private boolean abbreviated;

        private Reading(String text) {
            this.text = text;
            Arrays.fill(lengths, -1);
        }

        private NumberBlock read() {
            int at = 0;
            while (at < text.length()) {
                char next = text.charAt(at);
                String trouble = "";
                if (next == '[') {
                    trouble = open();
                    at++;
                } else if (next == ']') {
                    trouble = close();
                    at++;
                } else if (Character.isWhitespace(next) || next == ',') {
                    at++;
                } else {
                    int end = end(at);
                    trouble = word(text.substring(at, end));
                    at = end;
                }
                if (!trouble.isEmpty()) {
                    return broken(trouble);
                }
            }
            if (depth != 0) {
                return broken("its brackets are not closed");
            }
            return deepest == 0 && numbers.size() != 1 ? broken("there are no brackets") : whole();
        }

        private static NumberBlock broken(String trouble) {
            return new NumberBlock(List.of(), List.of(), false, trouble);
        }

        private NumberBlock whole() {
            List<Long> shape = new ArrayList<>();
            for (int level = 1; level <= deepest; level++) {
                shape.add(lengths[level]);
            }
            return new NumberBlock(List.copyOf(numbers), List.copyOf(shape), abbreviated, "");
        }

        private int end(int from) {
            int at = from;
            while (at < text.length() && "[], \t\r\n".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            return Math.max(at, from + 1);
        }

        private String open() {
            if (depth == deepest && !numbers.isEmpty()) {
                return BESIDE;
            }
            if (depth == 0 && deepest > 0) {
                return "there is a second one behind it";
            }
            counted[depth]++;
            depth++;
            if (depth > DEEPEST) {
                return "it is nested more than %s deep".formatted(DEEPEST);
            }
            deepest = Math.max(deepest, depth);
            counted[depth] = 0;
            return "";
        }

        private String close() {
            if (depth == 0) {
                return "a bracket is closed that was not opened";
            }
            long length = counted[depth];
            if (lengths[depth] >= 0 && lengths[depth] != length && !abbreviated) {
                return "its rows are not of one length";
            }
            lengths[depth] = length;
            depth--;
            return "";
        }

        private String word(String word) {
            if (word.equals(MORE)) {
                abbreviated = true;
                return "";
            }
            if (word.length() > LONGEST || !NUMBER.matcher(word).matches()) {
                return "\"%s\" is no number".formatted(word.length() > 40 ? word.substring(0, 40) + MORE : word);
            }
            if (depth != deepest || depth == 0 && !numbers.isEmpty()) {
                return BESIDE;
            }
            if (depth == 0 && deepest > 0) {
                return "there is a second one behind it";
            }
            counted[depth]++;
            numbers.add(word);
            return "";
        }
    }
}
