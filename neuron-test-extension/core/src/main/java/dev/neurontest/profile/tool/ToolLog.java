package dev.neurontest.profile.tool;

import dev.neurontest.device.RuntimeStatus;
import dev.neurontest.device.runtime.StatusLines;
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
            + "|Unable to convertToInt64|buffer usage simulation is disabled|Schema validation:|\\bwere dropped\\b");
    private static final Pattern VARIABLE = Pattern.compile("(?:^|\\s)[A-Za-z_][A-Za-z0-9_]*=");
    private static final Pattern DROPPED =
            Pattern.compile("(?i)\\b(?:trace events|notifications?)\\b.*\\bwere dropped\\b");
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
                .or(() -> lines(text)
                        .filter(line -> !HARMLESS.matcher(line).find())
                        .reduce((earlier, later) -> later));
    }

    private static Stream<String> errors(String text) {
        return lines(text)
                .filter(line -> ERROR.matcher(line).find())
                .filter(line -> !HARMLESS.matcher(line).find())
                .filter(line -> !line.contains(END_OF_DUMP));
    }

    private static Stream<String> lines(String text) {
        return text.lines()
                .map(line -> line.strip().replaceAll("\\s+", " "))
                .filter(line -> !line.isEmpty())
                .map(line -> line.substring(0, Math.min(LONGEST_LINE, line.length())));
    }

    /**
     * Lines that tell of lost notifications; what they describe is wrong or missing in the summary.
     *
     * @return none where nothing was lost
     */
    public List<String> dropped() {
        return lines(text)
                .filter(line -> DROPPED.matcher(line).find())
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
     * What the runtime returned, with NaN among it.
     *
     * @return each once
     */
    public List<RuntimeStatus> statuses() {
        StatusLines found = new StatusLines();
        text.lines().forEach(found::read);
        return Stream.concat(
                        found.statuses().stream(),
                        hasNumericalError() ? Stream.of(RuntimeStatus.of(1003)) : Stream.empty())
                .distinct()
                .toList();
    }

    /**
     * What the runtime said when it did not get its cores.
     *
     * @return its line
     */
    public Optional<String> taken() {
        StatusLines found = new StatusLines();
        text.lines().forEach(found::read);
        return found.taken();
    }
}
