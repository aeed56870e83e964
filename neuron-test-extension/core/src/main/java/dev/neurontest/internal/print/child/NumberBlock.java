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
 * @param shape number of written elements in each level of the nesting
 * @param gaps number of elements before {@code ...} in each level; -1 for a level without it
 * @param trouble reason why the text is no block; empty when it is one
 */
record NumberBlock(List<String> numbers, List<Long> shape, List<Long> gaps, String trouble) {

    private static final int DEEPEST = 8;
    private static final Pattern NUMBER = Pattern.compile(
            "[-+]?(?:\\d+(?:\\.\\d*)?(?:[eE][-+]?\\d+)?|\\.\\d+(?:[eE][-+]?\\d+)?|(?i:inf|infinity|nan))|True|False|0x[0-9a-fA-F]{1,16}");
    private static final String MORE = "...";
    private static final long NO_GAP = -1;

    /** Maximum length of a number. The longest double has 1,077 digits, and parsing a number of millions of digits takes minutes. */
    private static final int LONGEST = 1100;

    private static final Pattern WORD = Pattern.compile("[\\[\\]]|[^\\[\\],\\s]+");

    /** Parses a complete block, or a number without brackets. */
    static NumberBlock of(String text) {
        Reading reading = new Reading(text);
        try {
            Level outermost = reading.level(0);
            return new NumberBlock(List.copyOf(reading.numbers), outermost.lengths(), outermost.gaps(), "");
        } catch (Broken none) {
            return new NumberBlock(List.of(), List.of(), List.of(), none.getMessage());
        }
    }

    /** Returns whether {@code ...} replaces further numbers. */
    boolean isAbbreviated() {
        return gaps.stream().anyMatch(gap -> gap != NO_GAP);
    }

    /** The content of a bracket: the numbers of its elements and of those of the levels in it. */
    private record Level(List<Long> lengths, List<Long> gaps) {

        private static final Level NUMBER = new Level(List.of(), List.of());

        /** Returns a bracket with elements of this kind. */
        Level repeated(long length, long gap) {
            return new Level(
                    Stream.concat(Stream.of(length), lengths.stream()).toList(),
                    Stream.concat(Stream.of(gap), gaps.stream()).toList());
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

        private Reading(String text) {
            this.word = WORD.matcher(text);
        }

        /** Parses the text up to the closing bracket of a level. Level 0 is the whole text. */
        private Level level(int depth) throws Broken {
            if (depth > DEEPEST) {
                throw new Broken("it is nested more than %s deep".formatted(DEEPEST));
            }
            Level inner = Level.NUMBER;
            long blocks = 0;
            long alone = 0;
            long gap = NO_GAP;
            while (word.find()) {
                String text = word.group();
                if (text.equals("]")) {
                    if (depth == 0) {
                        throw new Broken("a bracket is closed that was not opened");
                    }
                    return inner.repeated(blocks + alone, gap);
                } else if (text.equals("[")) {
                    Level next = level(depth + 1);
                    if (blocks > 0 && depth > 0 && !next.equals(inner)) {
                        throw new Broken("its rows differ in length");
                    }
                    inner = next;
                    blocks++;
                } else if (text.equals(MORE)) {
                    if (depth == 0 || gap != NO_GAP) {
                        throw new Broken(
                                depth == 0
                                        ? "it has ... next to its brackets"
                                        : "it has ... twice between two brackets");
                    }
                    gap = blocks + alone;
                } else {
                    number(text);
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
