package dev.neurontest.profile.tool;

import dev.neurontest.status.RuntimeCause;
import dev.neurontest.status.RuntimeLine;
import dev.neurontest.status.RuntimeLines;
import dev.neurontest.status.RuntimeReport;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * What a tool and the runtime inside it printed. A line that says error does not always mean one: some are known to be harmless,
 * and when a NEFF cannot be loaded the runtime may print its whole environment at that level.
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

    /** The level of a line. The word may be part of a name in a path. */
    private static final Pattern ERROR_LEVEL = Pattern.compile(
            "(?<![\\w./-])(?:ERRO|ERROR|FATA|FATAL)(?![\\w/-])|\\b(?i:level\"?\\s*[=:]\\s*\"?(?:error|fatal))\\b");

    private static final Pattern VARIABLE = Pattern.compile("(?:^|\\s)[A-Za-z_][A-Za-z0-9_]*=");
    private static final String NO_PATH = "(?<![\\w./-])";
    private static final String LOST = "(?:lost|dropped|discarded|truncated|overwritten|overflow(?:s|ed)?)\\b";
    private static final String DATA =
            "\\b(?:(?:trace|device) )?(?:events?|notifications?|packets?|records?|samples?|instructions?"
                    + "|descriptors?|traces?|data|bytes|entries|rows|messages|spans?|profiles?)\\b";

    private static final Pattern MISSING = Pattern.compile("(?i)" + DATA + ".*" + NO_PATH + LOST + "|" + NO_PATH + LOST
            + ".*" + DATA + "|" + NO_PATH + "incomplete(?![\\w/-])|ERROR_PROCESS_INCOMPLETE|" + NO_PATH
            + "(?:panic|panicked)(?![\\w/-])|\\b(?:failed|unable) to (?:parse|decode)\\b"
            + "|\\b(?:cannot|could not) (?:be )?(?:parsed?|decoded?)\\b"
            + "|\\bmay (?:not be (?:accurate|complete)|be (?:inaccurate|incorrect|incomplete|missing))\\b");

    /** Counts of 0. */
    private static final Pattern NOTHING_MISSING = Pattern.compile("(?i)\\b(?:no|0|zero) (?:[a-z]+ ){0,3}" + LOST + "|"
            + LOST + "(?:[ _][a-z]+){0,2}[ :=]+(?:0|no|none)\\b(?![.,]?[0-9])|incomplete[ :=]+(?:0|no|none|false)\\b");

    private static final Pattern DMA = Pattern.compile("\\bof type DMA\\b|^(?!.*\\bof type ).*\\bDMA\\b");
    private static final Pattern NUMERICAL = Pattern.compile("(?i)completed with numerical error");
    private static final int LONGEST_LINE = 400;

    /** The first line that tells of an error and is not part of a dump of the environment, else the last line that is not known to be harmless. */
    Optional<String> errorLine() {
        int dump = text.lastIndexOf(END_OF_DUMP);
        Optional<String> behind =
                dump < 0 ? Optional.empty() : errors(text.substring(dump)).findFirst();
        return behind.or(() -> errors(text)
                        .filter(line -> dump < 0 || !VARIABLE.matcher(line).find())
                        .findFirst())
                .or(() -> lines(text).filter(line -> !isHarmless(line)).reduce((earlier, later) -> later));
    }

    private static Stream<String> errors(String text) {
        return lines(text)
                .filter(line -> ERROR.matcher(line).find())
                .filter(line -> !isHarmless(line))
                .filter(line -> !line.contains(END_OF_DUMP));
    }

    private static Stream<String> lines(String text) {
        return text.lines()
                .map(line -> line.strip().replaceAll("\\s+", " "))
                .filter(line -> !line.isEmpty())
                .map(line -> line.substring(0, Math.min(LONGEST_LINE, line.length())));
    }

    /** A line that names missing data does not say why a tool failed. */
    private static boolean isHarmless(String line) {
        return HARMLESS.matcher(line).find() || RuntimeLines.isHarmless(line) || line.contains("were dropped");
    }

    private static boolean isOfMissingData(String line) {
        return MISSING.matcher(line).find()
                && !NOTHING_MISSING.matcher(line).find()
                && !HARMLESS.matcher(line).find()
                && !RuntimeLines.isHarmless(line);
    }

    private Stream<String> missingData() {
        return lines(text).filter(ToolLog::isOfMissingData).distinct();
    }

    /**
     * Returns the lines after which numbers of all kinds are wrong or missing: data were lost, cannot be read, or are in doubt by the
     * tool's own account.
     *
     * @return none where nothing is missing but figures of DMA
     */
    public List<String> lost() {
        return missingData().filter(line -> !DMA.matcher(line).find()).toList();
    }

    /**
     * Returns the lines after which only figures of DMA are wrong.
     *
     * @return none where they are right
     */
    public List<String> doubtfulDma() {
        return missingData().filter(line -> DMA.matcher(line).find()).toList();
    }

    /**
     * Returns the lines of the level of errors that name no missing data and are not known to be harmless.
     *
     * @return without those of a dump of the environment
     */
    public List<String> otherErrors() {
        boolean dumps = text.contains(END_OF_DUMP);
        return lines(text)
                .filter(line -> ERROR_LEVEL.matcher(line).find())
                .filter(line -> !isHarmless(line) && !isOfMissingData(line))
                .filter(line -> !dumps
                        || !line.contains(END_OF_DUMP)
                                && !VARIABLE.matcher(line).find())
                .distinct()
                .toList();
    }

    /** Whether an execution ended with NaN. */
    boolean hasNumericalError() {
        return NUMERICAL.matcher(text).find();
    }

    /**
     * Whether a line says something.
     *
     * @param pattern to find
     * @return whether it is found
     */
    public boolean says(Pattern pattern) {
        return pattern.matcher(text).find();
    }

    /**
     * Returns what the runtime inside the tool reported.
     *
     * @return statuses and causes
     */
    public RuntimeReport report() {
        return RuntimeLines.in(text);
    }

    /**
     * Returns what the runtime printed when it did not get its cores.
     *
     * @return its line
     */
    public Optional<String> taken() {
        return report().first(RuntimeCause.CORES_TAKEN).map(RuntimeLine::text);
    }
}
