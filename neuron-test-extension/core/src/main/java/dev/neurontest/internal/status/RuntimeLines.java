package dev.neurontest.internal.status;

import dev.neurontest.internal.text.TerminalText;
import dev.neurontest.runtime.RuntimeCause;
import dev.neurontest.runtime.RuntimeLine;
import dev.neurontest.runtime.RuntimeReport;
import dev.neurontest.runtime.RuntimeStatus;
import dev.neurontest.runtime.RuntimeStatus.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the runtime's reports in the output of a program: statuses by name and number, and causes. Other programs print
 * numbers too ({@code status=200}, {@code exit status 1}). So a number is a status only on a line with a sign of the runtime.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RuntimeLines {

    private static final int MOST = 256;
    private static final int LONGEST_LINE = 400;

    private static final Pattern SIGN = Pattern.compile(
            "\\b(?:NRTD?|NMGR|TDRV|NEFF|KMGR|HAL):|(?<!/)\\b[Nn]rt(?:_|::|\\b(?![-.]\\w))|(?<!/)\\bNRT(?:_|\\b(?![-.]\\w))"
                    + "|Neuron-RTD|Failed to execute the model|Could not load the model|(?i:warmup failed)"
                    + "|Failed to schedule neff execution|Inference completed with err|Failed to load NN");

    /** The pattern of a reported name. Names that are compared, expected, defined, set or counted are excluded, and parts of a path. */
    private static final Pattern NAME = Pattern.compile(
            "(?=NRT_)(?<![/#])(?<![=!]= ?)(?<![=!]= ?\\w{1,64}\\.)(?<!(?i:\\b(?:no|not|or|such as|without|(?:expect|expected|expecting|expects):?) )<?)"
                    + "\\b(NRT_[A-Z][A-Z_]*)(?![A-Za-z0-9_]|[/-]\\w|\\.[a-z]|\\s*=\\s*[\"']?\\d)(?:\\s?\\((\\d{1,5})\\))?");

    /** The pattern of a number next to a name. If it differs from the code of the status, it counts the occurrences of the name. */
    private static final Pattern COUNT = Pattern.compile("[\"']?\\s*:\\s*[\"']?(\\d{1,18})[\"']?\\s*(?:[,;}\\])]|$)");

    /** The minimum number of names in a line for a list of all statuses, which is not a report. */
    private static final int LISTED = 4;

    /** The pattern of the end of a possible status number. No time, size, share, count or system error may follow. */
    private static final String ENDS =
            "(?![\\d:]|(?-i:[a-z])|[-.]\\d|\\s?(?:%|(?:[mun]?s|sec(?:ond)?s?|minutes?|[kmg]i?b|bytes?|files?|times"
                    + "|rows?|retries|attempts?|entries|items?|lines?|records?|samples?|steps?|tests?|tokens?)\\b)"
                    + "|\\s?\\(?(?:Input/output error|No such device|Permission denied|Cannot allocate memory))";

    private static final Pattern NUMBER = Pattern.compile(
            "(?i)(?<![a-z_])(?<!\\b(?:exit|(?:ended|exited|terminated) with|code=exited,|process returned|grpc|http) )"
                    + "(?:nrt )?status(?:[ _]code)?\\\\?[\"']?\\s*+[:=]?\\s*+[\"'(]?(\\d{1,5})" + ENDS
                    + "|\\berr(?:or)?: ?(\\d{1,5})" + ENDS
                    + "|\\bnrt_status(?:[ _]code)?\\\\?[\"']?\\s*+[:=]?\\s*+[\"'(]?(\\d{1,5})" + ENDS
                    + "|\\bnrt_(?:init|load|execute|tensor_(?:allocate|read|write))\\w*(?:\\(\\))?:? (?:failed(?::| with)|returned)"
                    + "(?: (?:code|error|rc|result))*[:= ] ?(\\d{1,5})" + ENDS);

    /** The pattern of text that is never a report: an address, a branch of a program, and the parameters in the name of a test. */
    private static final Pattern QUOTED =
            Pattern.compile("\\bhttps?://\\S+|\\bcase NRT_\\w+\\s*:|(?:::|\\btest_)\\w*\\[[^\\]]{0,256}\\]");

    /** The pattern of harmless lines that resemble a failure. */
    private static final Pattern HARMLESS = Pattern.compile("Unexpected runtime state: NRT_STATE_START"
            + "|\\(NON-FATAL, Ignoring\\)|Ignoring errors found during model load|NLOG .*Generic API Failure"
            + "|Timeout waiting for (?:RX|incoming connection)|OFI plugin initNet\\(\\) failed"
            + "|object\\(s\\) leaked, improper teardown|\\bCorrectable memory error|NEURON_HW_ERR=(?!\\w*UNCORRECTABLE)\\w*CORRECTABLE|Failed to process command DEREG_MR"
            + "|INFER_ERROR_SUBTYPE_NONE|Notifications not initialized|close device failed|npid_detach"
            // The variables of the program, and log lines of the runtime without a failure.
            + "|\\bnrt_infodump\\s++(?!Failure: |$)|\\d:\\d+\\s+(?:INFO|DEBUG|TRACE)\\s+(?:NRTD?|NMGR|TDRV|NEFF|KMGR|HAL):"
            // A count of a status.
            + "|\\{[^{}]*=\"NRT_[A-Z_]+\"[^{}]*\\}\\s+[\\d.eE+-]+\\s*$");

    /** The pattern of the beginning of a record of the runtime's log. */
    private static final Pattern RECORD = Pattern.compile(
            "\\d{4}-[A-Z][a-z]{2}-\\d{2} |\\b(?:NRTD?|NMGR|TDRV|NEFF|KMGR|HAL):|\\(FATAL-RT|NEURON_HW_ERR=");

    private static final Pattern BETWEEN_RECORDS = Pattern.compile("(?=\\d{4}-[A-Z][a-z]{2}-\\d{2} )");

    /** The pattern of the end of a record that continues in the next line. */
    private static final Pattern UNFINISHED =
            Pattern.compile("(?i:\\b(?:status|err|error|code|with)|[=:(])\\s*$|\\bNRT_[A-Z_]*$");

    /** The prefix that a launcher puts before each line. */
    private static final Pattern PREFIX = Pattern.compile(
            "^\\s*(?:\\[[\\w ,]{1,40}\\](?:<std(?:err|out)>)?:?|\\([^()]* ?pid=\\d[^()]*\\)|(?i:rank )?\\d{1,6}:) ?");

    private static final Pattern FINISHED = Pattern.compile("(?<!may be invalid)[.!]\\s*$");
    private static final Pattern FUNCTION = Pattern.compile("\\bin (nrt_\\w+)\\(|\\b[Nn]rt(?:_|::)(\\w+)");
    private static final List<Word> STAGES = List.of(
            new Word(Stage.LOAD, "(?i)load (?:NN|the model)|neff_parse|stage_kelf|kmgr_load|: failed to load"),
            new Word(Stage.INIT, "(?i)failed to initiali[sz]e|cannot be initiali[sz]ed"),
            new Word(Stage.MEMORY, "(?i)failed to (?:allocate|read|write)"),
            new Word(Stage.EXECUTE, "(?i)execut|infer|warmup|exec_|exec state"));
    private static final Pattern SERIAL = Pattern.compile("\\bserial-num=([0-9A-Za-z]{1,64})");
    private static final Pattern ACTION = Pattern.compile("NEURON_HW_ERR=.*\\baction=([A-Z_]{1,64})");

    /** The words that occur in every line with a report. */
    private static final List<String> WORDS = StatusTable.entry("words").values().stream()
            .flatMap(words -> Stream.of(words.split("\\|")))
            .toList();

    private record Word(Stage stage, Pattern pattern) {
        Word(Stage stage, String pattern) {
            this(stage, Pattern.compile(pattern));
        }
    }

    private final List<RuntimeLine> found = new ArrayList<>();
    private final Output output = new Output();

    /** An output stream of a program, in which a record may be cut. */
    private static final class Output {
        private List<RuntimeLine> ofLast = List.of();
        private @Nullable String unfinished;
    }

    /** Creates a reader without any lines. */
    public RuntimeLines() {}

    /**
     * Reads the lines of a text.
     *
     * @param text the output of a program
     * @return the runtime's reports in it
     */
    public static RuntimeReport in(String text) {
        RuntimeLines lines = new RuntimeLines();
        text.lines().forEach(lines::read);
        return lines.report();
    }

    /**
     * Reads a line.
     *
     * @param line a line of a program, with or without its line end, from any thread
     */
    public void read(String line) {
        read(line, output);
    }

    /**
     * Returns a reader of another stream of the same program. Its lines may come between those of other streams.
     *
     * @return the reader of a line
     */
    public Consumer<String> output() {
        Output another = new Output();
        return line -> read(line, another);
    }

    private synchronized void read(String line, Output stream) {
        String plain = withoutEnd(TerminalText.withoutSequences(line));
        if (stream.unfinished == null && !mayReport(plain)) {
            return;
        }
        List<RuntimeLine> reported = reports(plain);
        if (stream.unfinished != null && !RECORD.matcher(plain).find()) {
            readOn(stream.unfinished, plain, stream.ofLast, reported);
        }
        reported.forEach(this::add);
        stream.ofLast = reported;
        stream.unfinished = !reported.isEmpty() || SIGN.matcher(plain).find() && !isHarmless(plain)
                ? FINISHED.matcher(plain).find() ? null : plain
                : null;
    }

    private static String withoutEnd(String line) {
        int end = line.length();
        while (end > 0 && (line.charAt(end - 1) == '\n' || line.charAt(end - 1) == '\r')) {
            end--;
        }
        return line.substring(0, end);
    }

    private static boolean mayReport(String line) {
        for (String word : WORDS) {
            if (line.contains(word)) {
                return true;
            }
        }
        return false;
    }

    /** Reads a record that was cut in two. The reports of the whole record replace those of its first part. */
    private void readOn(String first, String second, List<RuntimeLine> ofFirst, List<RuntimeLine> ofSecond) {
        Matcher prefix = PREFIX.matcher(first);
        String continuation =
                prefix.find() && second.startsWith(prefix.group()) ? second.substring(prefix.end()) : second;
        List<RuntimeLine> whole = reports(first + continuation);
        boolean isNew = whole.stream()
                .anyMatch(line ->
                        Stream.concat(ofFirst.stream(), ofSecond.stream()).noneMatch(line::repeats));
        boolean goesOn = UNFINISHED.matcher(first).find() && isOfFirstWord(first, continuation, whole)
                || isOneNumber(first, continuation) && whole.stream().allMatch(RuntimeLines::isKnown)
                || whole.stream().anyMatch(line -> line.cause().isPresent() && isOfBoth(line, ofFirst, ofSecond));
        if (isNew && goesOn) {
            found.removeAll(ofFirst);
            whole.forEach(this::add);
        }
    }

    /** Checks whether a cause needs both parts, and is not only a report of the second part. */
    private static boolean isOfBoth(RuntimeLine whole, List<RuntimeLine> ofFirst, List<RuntimeLine> ofSecond) {
        return ofSecond.stream().noneMatch(line -> line.cause().equals(whole.cause()))
                || ofFirst.stream()
                        .allMatch(line -> line.cause()
                                .filter(RuntimeCause.UNDEFINED_STATE::equals)
                                .isPresent());
    }

    /** Checks whether the first word of the second part completes the report, and no other word of it. */
    private static boolean isOfFirstWord(String first, String second, List<RuntimeLine> whole) {
        String word = second.stripLeading().replaceFirst("\\s.*", "");
        List<Optional<RuntimeStatus>> completed =
                reports(first + word).stream().map(RuntimeLine::status).toList();
        return whole.stream().map(RuntimeLine::status).allMatch(completed::contains);
    }

    private static boolean isOneNumber(String first, String second) {
        return !first.isEmpty()
                && !second.isEmpty()
                && Character.isDigit(first.charAt(first.length() - 1))
                && Character.isDigit(second.charAt(0));
    }

    private static boolean isKnown(RuntimeLine line) {
        return line.status().filter(RuntimeStatus::isKnown).isPresent();
    }

    private void add(RuntimeLine line) {
        if (found.size() < MOST && found.stream().noneMatch(line::repeats)) {
            found.add(line);
        }
    }

    /** Returns the reports of a physical line, which may contain several records. */
    private static List<RuntimeLine> reports(String line) {
        return BETWEEN_RECORDS
                .splitAsStream(line)
                .filter(record -> !isHarmless(record))
                .flatMap(record -> ofRecord(record, line))
                .toList();
    }

    private static Stream<RuntimeLine> ofRecord(String record, String physicalLine) {
        Optional<RuntimeCause> cause = RuntimeCause.in(record);
        List<RuntimeStatus> statuses = statuses(record);
        if (statuses.isEmpty()) {
            return cause
                    .map(named -> line(
                            record,
                            physicalLine,
                            named.status().stream().mapToObj(RuntimeStatus::of).findFirst(),
                            cause))
                    .stream();
        }
        return statuses.stream().map(status -> line(record, physicalLine, Optional.of(status), cause));
    }

    private static RuntimeLine line(
            String record, String physicalLine, Optional<RuntimeStatus> status, Optional<RuntimeCause> cause) {
        LinePlace place = LinePlace.in(record);
        return new RuntimeLine(
                cut(record),
                status,
                stage(record, cause),
                place.device(),
                place.core(),
                place.logicalCore(),
                LinePlace.in(physicalLine).rank(),
                cause,
                group(SERIAL, record),
                group(ACTION, record));
    }

    private static String cut(String record) {
        String line = record.strip().replaceAll("\\s+", " ");
        return line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE) + " ...";
    }

    private static Optional<String> group(Pattern pattern, String record) {
        Matcher matcher = pattern.matcher(record);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private static Stage stage(String record, Optional<RuntimeCause> cause) {
        Matcher function = FUNCTION.matcher(record);
        Stage byName = Stage.UNKNOWN;
        while (function.find()) {
            String name = function.group(1) == null ? "nrt_" + function.group(2) : function.group(1);
            Stage stage = Stage.ofFunction(name);
            if (stage != Stage.UNKNOWN && (byName == Stage.UNKNOWN || function.group(1) != null)) {
                byName = stage;
            }
        }
        if (byName != Stage.UNKNOWN) {
            return byName;
        }
        return cause.map(RuntimeCause::stage)
                .or(() -> STAGES.stream()
                        .filter(word -> word.pattern().matcher(record).find())
                        .map(Word::stage)
                        .findFirst())
                .orElse(Stage.UNKNOWN);
    }

    /** Returns the statuses of a record in their order. */
    private static List<RuntimeStatus> statuses(String all) {
        String record = QUOTED.matcher(all).replaceAll(" ");
        if (!SIGN.matcher(record).find()) {
            return List.of();
        }
        TreeMap<Integer, RuntimeStatus> byPlace = new TreeMap<>();
        Matcher name = NAME.matcher(record);
        while (name.find()) {
            Optional<RuntimeStatus> named =
                    named(name.group(1)).filter(status -> !isCounted(status, record.substring(name.end())));
            // If name and number differ, the number is the returned status.
            Optional<RuntimeStatus> status = name.group(2) == null
                    ? named
                    : named.map(known -> RuntimeStatus.of(Integer.parseInt(name.group(2))));
            status.ifPresent(known -> byPlace.put(name.start(), known));
        }
        if (byPlace.values().stream().distinct().count() >= LISTED) {
            return List.of();
        }
        Matcher number = NUMBER.matcher(record);
        while (number.find()) {
            String digits = IntStream.rangeClosed(1, number.groupCount())
                    .mapToObj(number::group)
                    .filter(group -> group != null)
                    .findFirst()
                    .orElseThrow();
            byPlace.put(number.start(), RuntimeStatus.of(Integer.parseInt(digits)));
        }
        return byPlace.values().stream()
                .filter(RuntimeStatus::isFailure)
                .distinct()
                .toList();
    }

    /** Finds the status of a name in the header file. The guide omits {@code EXEC_} in one of the names. */
    private static Optional<RuntimeStatus> named(String name) {
        return RuntimeStatus.find(name)
                .filter(status ->
                        status.name().equals(name) || status.name().equals(name.replaceFirst("^NRT_", "NRT_EXEC_")));
    }

    private static boolean isCounted(RuntimeStatus status, String after) {
        Matcher count = COUNT.matcher(after);
        return count.lookingAt() && Long.parseLong(count.group(1)) != status.code();
    }

    /**
     * Checks whether a line resembles a failure but is known to be harmless.
     *
     * @param line a line of the runtime or of another component
     */
    public static boolean isHarmless(String line) {
        return HARMLESS.matcher(line).find();
    }

    /**
     * Returns the reports of the runtime.
     *
     * @return each report once, in the order of their occurrence
     */
    public synchronized RuntimeReport report() {
        return new RuntimeReport(found, false);
    }

    /**
     * Finds the status with four digits that results in an exit code, which has only eight bits. Smaller statuses are excluded,
     * because their exit codes have too many other meanings.
     *
     * @param code the exit code of the program
     * @return the possible status
     */
    public static Optional<RuntimeStatus> ofExitCode(int code) {
        return IntStream.concat(IntStream.rangeClosed(1002, 1006), IntStream.rangeClosed(1200, 1206))
                .filter(status -> (status & 0xFF) == code)
                .mapToObj(RuntimeStatus::of)
                .findFirst();
    }
}
