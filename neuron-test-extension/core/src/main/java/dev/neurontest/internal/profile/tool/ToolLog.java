package dev.neurontest.internal.profile.tool;

import dev.neurontest.internal.status.RuntimeLines;
import dev.neurontest.internal.text.TerminalText;
import dev.neurontest.runtime.RuntimeCause;
import dev.neurontest.runtime.RuntimeLine;
import dev.neurontest.runtime.RuntimeReport;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The output of a tool and of the runtime inside it. A line with the word error is not always an error. Some lines are known to be
 * harmless, and when a NEFF cannot be loaded, the runtime may print its whole environment at that level.
 *
 * @param text lines of both streams
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ToolLog(String text) {

    private static final String END_OF_DUMP = "-----8<-----";
    private static final Pattern ERROR = Pattern.compile(
            "\\bERRO(?:R|\\[[0-9]+\\])|\\bFATA(?:L|\\[)|ERROR_|(?i)\\bfatal:|\\berror\\b|\\bfailed\\b|panic:"
                    + "|\\bunknown (?:flag|command)|\\bnot (?:supported|available|defined|setup)|\\bno space left"
                    + "|\\bno metadata found|\\bunsupported\\b|\\btimeout\\b|\\bcannot\\b");
    private static final Pattern HARMLESS = Pattern.compile("Unable to process node with uid|invalid DMA duration"
            + "|Unable to convertToInt64|buffer usage simulation is disabled|Schema validation:");

    /** Marks of the level of an error in a line, apart from the same words in a path. */
    private static final Pattern ERROR_LEVEL = Pattern.compile(
            "(?<![\\w./-])(?:ERRO|ERROR|FATA|FATAL|CRITICAL)(?![\\w/-])|\\[(?i:error|fatal|critical)\\]|^[EF][0-9]{4} [0-9:.]+ "
                    + "|\\b(?i:(?:level|lvl)\"?\\s*[=:]\\s*\"?(?:error|eror|fatal|crit|critical))\\b");

    private static final Pattern VARIABLE = Pattern.compile("(?:^|\\s)[A-Za-z_][A-Za-z0-9_]*=");
    private static final int LONGEST_LINE = 400;
    private static final int STEP = LONGEST_LINE / 4;

    /** Returns the first error line outside a dump of the environment, or else the last line that is not known to be harmless. */
    Optional<String> errorLine() {
        int dump = text.lastIndexOf(END_OF_DUMP);
        Optional<String> behind =
                dump < 0 ? Optional.empty() : errors(text.substring(dump)).findFirst();
        return behind.or(() -> errors(text)
                        .filter(line -> dump < 0 || !VARIABLE.matcher(line).find())
                        .findFirst())
                .or(() -> shortened(text).filter(line -> !isHarmless(line)).reduce((earlier, later) -> later));
    }

    private static Stream<String> errors(String text) {
        return shortened(text)
                .filter(line -> ERROR.matcher(line).find())
                .filter(line -> !isHarmless(line))
                .filter(line -> !line.contains(END_OF_DUMP));
    }

    /** Returns the lines without the colours of a terminal. */
    private static Stream<String> lines(String text) {
        return text.lines()
                .map(line -> TerminalText.withoutSequences(line).strip().replaceAll("\\s+", " "))
                .filter(line -> !line.isEmpty());
    }

    private static Stream<String> shortened(String text) {
        return lines(text).map(line -> line.substring(0, Math.min(LONGEST_LINE, line.length())));
    }

    /** Returns the line, or overlapping parts of a long line. */
    private static Stream<String> parts(String line) {
        return IntStream.iterate(0, start -> start == 0 || start + STEP < line.length(), start -> start + STEP)
                .mapToObj(start -> line.substring(start, Math.min(start + LONGEST_LINE, line.length())));
    }

    /**
     * Returns the shown part of a line, the last of up to four matching parts. Parts overlap, therefore text near the end of one part is
     * complete in a later part, and nearer to its beginning.
     */
    private static Optional<String> part(String line, Predicate<String> shown) {
        return parts(line).filter(shown).limit(LONGEST_LINE / STEP).reduce((earlier, later) -> later);
    }

    /** Checks whether a line is known to be harmless. A line about missing data does not explain the failure of a tool. */
    private static boolean isHarmless(String line) {
        return HARMLESS.matcher(line).find() || RuntimeLines.isHarmless(line) || line.contains("were dropped");
    }

    private Stream<String> missingData() {
        return lines(text)
                .distinct()
                .filter(line -> !HARMLESS.matcher(line).find() && !RuntimeLines.isHarmless(line))
                .flatMap(line -> part(line, MissingData::isReportedBy).stream())
                .distinct();
    }

    /**
     * Returns the lines after which numbers of all kinds are wrong or missing. The tool reports that data were lost, are unreadable, or are
     * in doubt.
     *
     * @return empty when only metrics of DMA are affected
     */
    public List<String> lost() {
        return missingData().filter(line -> !MissingData.affectsOnlyDma(line)).toList();
    }

    /**
     * Returns the lines after which only metrics of DMA are wrong.
     *
     * @return empty when these metrics are correct
     */
    public List<String> doubtfulDma() {
        return missingData().filter(MissingData::affectsOnlyDma).toList();
    }

    /**
     * Returns the error lines that do not report missing data and are not known to be harmless.
     *
     * @return the lines, without those of a dump of the environment
     */
    public List<String> otherErrors() {
        boolean dumps = text.contains(END_OF_DUMP);
        return lines(text)
                .distinct()
                .filter(line -> !isHarmless(line) && parts(line).noneMatch(MissingData::isReportedBy))
                .filter(line -> !dumps
                        || !line.contains(END_OF_DUMP)
                                && !VARIABLE.matcher(line).find())
                .flatMap(line -> part(line, part -> ERROR_LEVEL.matcher(part).find()).stream())
                .distinct()
                .toList();
    }

    /** Checks whether the text contains the pattern. */
    public boolean contains(Pattern pattern) {
        return pattern.matcher(text).find();
    }

    /** Returns the statuses and causes that the runtime inside the tool reported. */
    public RuntimeReport report() {
        return RuntimeLines.in(text);
    }

    /** Returns the line that the runtime printed when its cores were in use. */
    public Optional<String> taken() {
        return report().first(RuntimeCause.CORES_TAKEN).map(RuntimeLine::text);
    }
}
