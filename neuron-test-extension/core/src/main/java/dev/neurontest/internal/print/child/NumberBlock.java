package dev.neurontest.internal.print.child;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Numbers in nested brackets, as NumPy writes a tensor.
 *
 * @param numbers texts of the numbers
 * @param shape shape according to the nesting; meaningless when the block is abbreviated
 * @param isAbbreviated true if {@code ...} replaces further numbers
 * @param trouble reason why the text is no block; empty when it is one
 */
record NumberBlock(List<String> numbers, List<Long> shape, boolean isAbbreviated, String trouble) {

    private static final int DEEPEST = 8;
    private static final Pattern NUMBER = Pattern.compile(
            "[-+]?(?:\\d+(?:\\.\\d*)?(?:[eE][-+]?\\d+)?|\\.\\d+(?:[eE][-+]?\\d+)?|[iI]nf(?:inity)?|[nN]a[nN])|True|False|0x[0-9a-fA-F]{1,16}");
    private static final String MORE = "...";

    /** Maximum length of a number. The longest double has 1,077 digits, and parsing a number of millions of digits takes minutes. */
    private static final int LONGEST = 1100;

    private static final Pattern WORD = Pattern.compile("[\\[\\]]|[^\\[\\],\\s]+");

    /** Parses a complete block, or a number without brackets. */
    static NumberBlock of(String text) {
        Reading reading = new Reading(text);
        try {
            List<Long> shape = reading.level(0);
            return new NumberBlock(List.copyOf(reading.numbers), shape, reading.isAbbreviated, "");
        } catch (Broken none) {
            return new NumberBlock(List.of(), List.of(), false, none.getMessage());
        }
    }

    /** Thrown when the text is no block. */
    private static final class Broken extends Exception {

        private static final long serialVersionUID = 1;

        private Broken(String trouble) {
            super(trouble, null, false, false);
        }
    }

    private static final class Reading {

        private final Matcher word;
        private final List<String> numbers = new ArrayList<>();
        private boolean isAbbreviated;

        private Reading(String text) {
            this.word = WORD.matcher(text);
        }

        /** Parses the text up to the closing bracket of a level, and returns the shape of its content. Level 0 is the whole text. */
        private List<Long> level(int depth) throws Broken {
            if (depth > DEEPEST) {
                throw new Broken("it is nested more than %s deep".formatted(DEEPEST));
            }
            List<Long> inner = List.of();
            long blocks = 0;
            long alone = 0;
            while (word.find()) {
                String next = word.group();
                if (next.equals("]")) {
                    if (depth == 0) {
                        throw new Broken("a bracket is closed that was not opened");
                    }
                    return Stream.concat(Stream.of(blocks + alone), inner.stream())
                            .toList();
                } else if (next.equals("[")) {
                    List<Long> shape = level(depth + 1);
                    boolean fits = isAbbreviated ? shape.size() == inner.size() : shape.equals(inner);
                    if (blocks > 0 && depth > 0 && !fits) {
                        throw new Broken("its rows differ in length");
                    }
                    inner = shape;
                    blocks++;
                } else if (next.equals(MORE)) {
                    isAbbreviated = true;
                } else {
                    number(next);
                    alone++;
                }
                if (blocks > 0 && alone > 0) {
                    throw new Broken("it has numbers next to brackets");
                }
                if (depth == 0 && blocks + alone > 1) {
                    throw new Broken("a second tensor follows it");
                }
            }
            if (depth > 0 || blocks + alone == 0) {
                throw new Broken(depth > 0 ? "its brackets are not closed" : "it has no brackets");
            }
            return inner;
        }

        private void number(String number) throws Broken {
            if (number.length() > LONGEST || !NUMBER.matcher(number).matches()) {
                throw new Broken("\"%s\" is not a number"
                        .formatted(number.length() > 40 ? number.substring(0, 40) + MORE : number));
            }
            numbers.add(number);
        }
    }
}
