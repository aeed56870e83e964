package dev.neurontest.internal.profile.tool;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Detector of lines in which a tool reports missing data. {@code 0 events lost} reports no loss. In {@code core 0 lost events}, 0 is the
 * number of the core, so the line reports a loss.
 */
final class MissingData {

    private static final String NOT_IN_PATH = "(?<![\\w./-])";
    private static final String NOT_IN_NAME = "(?![\\w/-])";

    private static final String LOST =
            "(?:lost|losing|dropp(?:ed|ing)|discarded|missed|truncated|overwritten|overflow(?:s|ed)?|overruns?|corrupt(?:ed)?)\\b";

    private static final String DATA =
            "\\b(?:(?:trace|device) )?(?:events?|notifications?|packets?|records?|samples?|instructions?"
                    + "|descriptors?|traces?|data|bytes|entries|rows|messages|spans?|profiles?)\\b";

    /** Parts of words; a line without any of them does not match the patterns. */
    private static final List<String> SUSPECT =
            List.of(("lost,loss,losing,dropp,discard,missed,trunc,overwr,overfl,overrun,corrupt"
                            + ",incompl,pars,deco,marshal,pani,may,eof,unexpected,full")
                    .split(","));

    private static final Pattern MISSING =
            Pattern.compile("(?i)" + DATA + ".*" + NOT_IN_PATH + LOST + "|" + NOT_IN_PATH + LOST
                    + ".*" + DATA + "|" + NOT_IN_PATH + LOST + "\"? ?[:=] ?\"?[1-9]"
                    + "|" + NOT_IN_PATH + "incomplete" + NOT_IN_NAME + "|" + NOT_IN_PATH + "(?:panic|panicked)"
                    + NOT_IN_NAME + "|\\bPANI\\["
                    + "|\\b(?:failed|unable|could not|couldn't|cannot|can't|error)(?: to| be| while| in)? (?:pars|deco|unmarshal)"
                    + "|\\b(?:pars(?:e|ing)|deco(?:de|ding)) (?:error|fail)"
                    + "|\\bunexpected (?:EOF|end of)\\b|\\b(?:data|event|notification|packet|trace) loss(?:es)?\\b"
                    + "|\\bbuffer (?:is |was )?full\\b"
                    + "|\\bmay (?:not be (?:accurate|complete)|be (?:inaccurate|incorrect|incomplete|missing))\\b");

    private static final String MORE_WORDS =
            "(?:(?:any|more|trace|device|dma|data|were|was|are|is|have|has|had|been|be|%s) )*+".formatted(DATA);

    private static final String LOSS = "(?:" + LOST + "|incomplete\\b|loss(?:es)?\\b)";
    private static final String NO_POSITIVE_COUNT = "(?!\"? ?[:=(]? ?\"?[1-9])";

    /**
     * Position of a number that counts lost data: at the start of a line, after punctuation, a time or a word such as "with". After other
     * words, such as "core", a number is an index.
     */
    private static final String AS_COUNT =
            "(?<=^|[\\])(,;]|(?<!\\b(?:core|nc|nd|lnc|vnc|rank|device|queue|ring|worker|engine|exec|execution|model|id) ?):"
                    + "|\\b(?:with|had|has|have|were|was|are|is|and|but|only|info|debug|notice|warn|warning)|\\d\\d:\\d\\d:\\d\\d[\\d.,Z]{0,12}) ?";

    private static final String ZERO_VALUE =
            "\\(?\"?(?:0+(?:\\.0+)?|no|none|zero|false|nothing)\\b(?![.,]?[0-9]| ?%)\"?\\)?";

    private static final Pattern ZERO = Pattern.compile("(?i)"
            + AS_COUNT + "(?:0|zero) (?:of [0-9,]+ )?" + MORE_WORDS + LOSS + NO_POSITIVE_COUNT
            + "|\\b(?:no|without|zero) " + MORE_WORDS + LOSS + NO_POSITIVE_COUNT
            + "|\\b(?:not|never|nothing|none) (?:(?:was|were|is|are|be|been) )*" + LOSS
            + "|\\b" + LOSS + "\"? ?(?:[:=]|is|was|are|were)? ?" + ZERO_VALUE
            + "|\\b" + LOSS + " " + DATA + "(?: count| total)?\"? ?(?:[:=(]|is|was|are|were) ?" + ZERO_VALUE);

    private static final Pattern WORD = Pattern.compile("[\\w./-]+");
    private static final Pattern INNER_EDGE = Pattern.compile("(?<=[A-Za-z])_(?=[A-Za-z])|(?<=[a-z])(?=[A-Z])");

    private static final Pattern OF_DMA = Pattern.compile("(?i)\\bof type DMA\\b|^(?!.*\\bof type ).*\\bDMA\\b");

    /** Missing data of other kinds than the metrics of DMA. */
    private static final Pattern OF_MORE = Pattern.compile("(?i)" + NOT_IN_PATH + "(?:panic|panicked)" + NOT_IN_NAME
            + "|\\bPANI\\[|(?<!\\bDMA )\\b(?:instruction|semaphore|engine)s?\\b");

    private MissingData() {}

    /** Checks whether a line reports missing data. */
    static boolean isReportedBy(String line) {
        String lower = line.toLowerCase(Locale.ROOT);
        return SUSPECT.stream().anyMatch(lower::contains)
                && MISSING.matcher(ZERO.matcher(words(line)).replaceAll(" ")).find();
    }

    /** Checks whether the missing data of a line affects only the metrics of DMA. */
    static boolean affectsOnlyDma(String line) {
        String words = words(line);
        return OF_DMA.matcher(words).find() && !OF_MORE.matcher(words).find();
    }

    /** Splits names such as {@code dropped_events} and {@code droppedEvents} into words, but not the names of files. */
    private static String words(String line) {
        return WORD.matcher(line)
                .replaceAll(word -> Matcher.quoteReplacement(
                        word.group().matches(".*[./].*")
                                ? word.group()
                                : INNER_EDGE.matcher(word.group()).replaceAll(" ")));
    }
}
