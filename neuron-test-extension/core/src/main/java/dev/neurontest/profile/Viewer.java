package dev.neurontest.profile;

import dev.neurontest.internal.neff.NeffHeader;
import dev.neurontest.internal.process.OutputFolder;
import dev.neurontest.internal.profile.ProfilerContext;
import dev.neurontest.internal.profile.summary.ProcessingStatus;
import dev.neurontest.internal.profile.summary.SummaryException;
import dev.neurontest.internal.profile.summary.SummaryReader;
import dev.neurontest.internal.profile.summary.SummaryTable;
import dev.neurontest.internal.profile.tool.FailureReason;
import dev.neurontest.internal.profile.tool.ProfilerTool;
import dev.neurontest.internal.profile.tool.ToolCall;
import dev.neurontest.internal.profile.tool.ToolLog;
import dev.neurontest.workload.ProgramNotStartedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The caller of the tool's {@code view} command, which computes numbers from traces. It uses only commands that print or write and then
 * end, never a server. Several views of large traces at once can exhaust the memory of a host, therefore this JVM runs one at a time.
 */
final class Viewer {

    static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock(true);

    /** The features that a tool may lack. */
    private enum Feature {
        NO_SIMULATION,
        STATUS_FILE,
        SUMMARY_JSON,
        /** Tables in a folder of the caller's choice. */
        TABLES_IN_FOLDER
    }

    private record Missing(ProfilerTool tool, Feature feature) {}

    private static final Set<Missing> MISSING = ConcurrentHashMap.newKeySet();

    private static final Pattern FLAG_REFUSED =
            Pattern.compile("(?i)unknown (?:short )?flag|unknown option|unrecognized|flag .*not defined");
    private static final String SIMULATION_FLAG = "ignore-nc-buf-usage";
    private static final String STATUS_FLAG = "processing-status-file";
    private static final Pattern FORMAT_REFUSED =
            Pattern.compile("(?i)(?:output[- ]format|summary-json|format [`'\"]?json)"
                    + ".*(?:unknown|invalid|unsupported|not supported|no longer|removed|allowed values)"
                    + "|(?:unknown|invalid|unsupported|unrecognized|not supported|no longer|removed)"
                    + ".*(?:output[- ]format|summary-json|format [`'\"]?json)");

    private static final String TRACE = "trace";
    private static final String STATUS = "status.json";

    private static final Duration PER_MEBIBYTE = Duration.ofSeconds(2);

    private final ProfilerTool tool;
    private final ProfilerContext context;
    private final Optional<Duration> deadline;
    private final Consumer<ToolRun> runs;

    /**
     * Creates a viewer.
     *
     * @param runs consumer of each call
     */
    Viewer(ProfilerTool tool, ProfilerContext context, Optional<Duration> deadline, Consumer<ToolRun> runs) {
        this.runs = runs;
        this.tool = tool;
        this.context = context;
        this.deadline = deadline;
    }

    /**
     * A trace to view.
     *
     * @param header the header of the NEFF, if it can be read
     * @param folder the parent folder for the output folder of each call
     */
    record Subject(Path neff, Optional<NeffHeader> header, Path ntff, Path folder) {

        Path file(TraceExport export) {
            return export.of(ntff);
        }
    }

    /**
     * The results from a trace.
     *
     * @param summaries one summary for each graph in the trace; empty when it cannot be read
     * @param doubts the reasons why it cannot be judged
     * @param notices information for the reader that is not an error
     */
    record Viewed(List<ProfileSummary> summaries, List<Doubt> doubts, List<String> notices) {

        static final Viewed NOTHING = new Viewed(List.of(), List.of(), List.of());

        static Viewed unreadable(String reason) {
            return new Viewed(List.of(), List.of(new Doubt(Doubt.Kind.UNREADABLE, reason)), List.of());
        }

        /** Returns the same results with errors of the device as notices instead of doubts. */
        Viewed ignoringErrors() {
            Map<Boolean, List<Doubt>> errors = doubts.stream()
                    .collect(Collectors.partitioningBy(doubt -> doubt.kind() == Doubt.Kind.EXECUTION_ERRORS));
            return new Viewed(
                    summaries,
                    errors.get(false),
                    joined(
                            notices,
                            errors.get(true).stream()
                                    .map(doubt -> "Errors of executions are ignored. " + doubt.reason())
                                    .toList()));
        }

        Viewed doubting(Doubt another) {
            return new Viewed(summaries, joined(doubts, List.of(another)), notices);
        }

        Viewed noticing(List<String> additions) {
            return new Viewed(summaries, doubts, joined(additions, notices));
        }

        /**
         * Creates the results from the output of a successful call.
         *
         * @param tool name and version
         * @param log the log of all output
         * @param output the folder of the output
         */
        static Viewed of(String tool, Path ntff, String printed, ToolLog log, Path output) {
            Viewed read = read(tool, ntff, printed, output);
            return new Viewed(
                    read.summaries(),
                    joined(read.doubts(), ValidityChecks.missingData("view", log)),
                    ValidityChecks.printedErrors("view", log).stream().toList());
        }

        private static Viewed read(String tool, Path ntff, String printed, Path output) {
            try {
                SummaryReader.Printed read = SummaryReader.read(printed);
                return new Viewed(
                        read.summaries(),
                        read.problems().stream()
                                .map(problem ->
                                        impossible("The output of %s for %s".formatted(tool, ntff), problem, output))
                                .toList(),
                        List.of());
            } catch (SummaryException e) {
                return unreadable("The output of %s for %s cannot be read: %s Its output is in %s."
                        .formatted(tool, ntff, e.getMessage(), output));
            }
        }
    }

    private static Doubt impossible(String subject, String problem, Path output) {
        return new Doubt(
                Doubt.Kind.IMPOSSIBLE_NUMBERS,
                "%s cannot be correct: %s. Its output is in %s; run the command by hand."
                        .formatted(subject, problem, output));
    }

    /**
     * Returns the metrics of a trace, and its tables if they are wanted. One call then produces both.
     *
     * @throws InterruptedException when the thread is interrupted before the call; an interrupted call counts as failed, and the thread
     *     stays interrupted
     */
    Viewed view(Subject subject, boolean tables) throws InterruptedException {
        Path folder = subject.file(TraceExport.TABLES);
        return tables && Files.exists(folder, LinkOption.NOFOLLOW_LINKS)
                ? metrics(subject, false)
                        .doubting(new Doubt(
                                Doubt.Kind.UNREADABLE,
                                "%s already exists. It is not overwritten, and may belong to another trace. Remove it, or trace into a separate folder."
                                        .formatted(folder)))
                : metrics(subject, tables);
    }

    private Viewed metrics(Subject subject, boolean tables) throws InterruptedException {
        List<String> notices = new ArrayList<>();
        if (tables && !isMissing(Feature.SUMMARY_JSON)) {
            Tables exported = tables(subject, true);
            if (exported.summary().isPresent()) {
                return exported.viewed(subject);
            }
            notices.add(exported.problem());
        }
        if (!isMissing(Feature.SUMMARY_JSON)) {
            Called called;
            try {
                called = call(
                        subject, output -> List.of("--output-format", "summary-json"), List.of(Feature.NO_SIMULATION));
            } catch (NotCalled notCalled) {
                return Viewed.unreadable(notCalled.getMessage()).noticing(notices);
            }
            if (tables || !called.refusedFormat()) {
                return viewed(subject, called).noticing(notices);
            }
            runs.accept(called.call().run());
            MISSING.add(new Missing(tool, Feature.SUMMARY_JSON));
        }
        Tables exported = tables(subject, tables);
        notices.add("%s does not support --output-format summary-json: the metrics of %s are those of its tables."
                .formatted(tool, subject.ntff()));
        return exported.summary().isPresent()
                ? exported.viewed(subject).noticing(notices)
                : Viewed.unreadable(exported.problem()).noticing(notices);
    }

    private boolean isMissing(Feature feature) {
        return MISSING.contains(new Missing(tool, feature));
    }

    private Viewed viewed(Subject subject, Called called) {
        ToolCall call = called.call();
        Viewed printed = Viewed.of(tool.toString(), subject.ntff(), call.stdout(), call.log(), called.output());
        List<ProfileSummary> summaries = printed.summaries();
        List<Doubt> doubts = new ArrayList<>();
        if (call.succeeded()) {
            doubts.addAll(printed.doubts());
        } else {
            doubts.add(new Doubt(
                    Doubt.Kind.UNREADABLE,
                    FailureReason.of("%s could not be viewed".formatted(subject.ntff()), call, called.output())));
            doubts.addAll(ValidityChecks.missingData("view", call.log()));
        }
        runs.accept(summaries.isEmpty() ? call.run() : withoutSummary(call));
        return new Viewed(summaries, doubts, call.succeeded() ? printed.notices() : List.of());
    }

    /** Returns the call with a log without the summary, which is stored in parsed form. People can read the remaining log. */
    private static ToolRun withoutSummary(ToolCall call) {
        String noise = call.stdout()
                .lines()
                .takeWhile(line -> !line.stripLeading().startsWith("{"))
                .map(line -> line.concat("\n"))
                .collect(Collectors.joining());
        return call.logged(noise + call.stderr());
    }

    /**
     * The result of writing tables.
     *
     * @param summary the summary from the tables; empty when they were not created, are implausible, or cannot be read here
     * @param problem the reason why there is no summary
     * @param by the call that created them or failed
     * @param written true if they are in the requested place
     */
    private record Tables(Optional<SummaryTable> summary, String problem, Optional<Called> by, boolean written) {

        static Tables none(String problem) {
            return new Tables(Optional.empty(), problem, Optional.empty(), false);
        }

        Viewed viewed(Subject subject) {
            SummaryTable read = summary.orElseThrow();
            ToolLog log = by.orElseThrow().call().log();
            List<Doubt> doubts = new ArrayList<>();
            read.problems()
                    .forEach(problem -> doubts.add(impossible(
                            "The tables of %s".formatted(subject.ntff()), problem, subject.file(TraceExport.TABLES))));
            ValidityChecks.otherNeffInTables(subject.neff(), subject.header(), subject.ntff(), read.uuid())
                    .ifPresent(doubts::add);
            doubts.addAll(ValidityChecks.missingData(
                    "view", new ToolLog(String.join("\n", read.warnings()) + "\n" + log.text())));
            ValidityChecks.errorsOfDevice(subject.ntff(), read.errors()).ifPresent(doubts::add);
            return new Viewed(
                    read.summaries(),
                    doubts,
                    joined(
                            read.notices(),
                            ValidityChecks.printedErrors("view", log).stream().toList()));
        }
    }

    /**
     * Writes the tables of a trace into a folder next to it, unless that path exists. The tool writes into the folder of the call, and only
     * plausible tables are moved to the target. One version of the tool wrote tables only into its own store.
     *
     * @param kept true if the tables are needed for more than the metrics; otherwise they stay in the folder of the call
     */
    private Tables tables(Subject subject, boolean kept) throws InterruptedException {
        Path target = subject.file(TraceExport.TABLES);
        if (kept && Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            return Tables.none(alreadyExists(target));
        }
        String reason = "";
        if (!isMissing(Feature.TABLES_IN_FOLDER)) {
            Tables exported = tables(
                    subject,
                    kept,
                    output -> List.of(
                            "--output-format",
                            TraceExport.TABLES.format(),
                            "--output-file",
                            output.resolve(TRACE).toString(),
                            "--ingest-only"),
                    output -> output.resolve(TRACE));
            if (exported.written()
                    || exported.by().filter(by -> by.call().wasComplete()).isEmpty()) {
                return exported;
            }
            reason = exported.problem();
        }
        Tables exported = tables(
                subject,
                kept,
                output ->
                        List.of("--ingest-only", "--data-path", output.toString(), "--display-name", TRACE, "--force"),
                output -> output.resolve("profiles").resolve("global").resolve(TRACE + "@latest"));
        if (exported.written()) {
            MISSING.add(new Missing(tool, Feature.TABLES_IN_FOLDER));
            return exported;
        }
        return reason.isEmpty()
                ? exported
                : Tables.none("%s Then, with --data-path: %s".formatted(reason, exported.problem()));
    }

    private Tables tables(
            Subject subject, boolean kept, Function<Path, List<String>> flags, Function<Path, Path> location)
            throws InterruptedException {
        Path target = subject.file(TraceExport.TABLES);
        Called called;
        try {
            called = call(subject, flags, List.of(Feature.STATUS_FILE));
        } catch (NotCalled notCalled) {
            return Tables.none("%s was not made: %s".formatted(target, notCalled.getMessage()));
        }
        runs.accept(called.call().run());
        if (!called.call().succeeded()) {
            return called.failed(FailureReason.of("%s was not made".formatted(target), called.call(), called.output()));
        }
        Optional<String> status = ProcessingStatus.problem(called.output().resolve(STATUS));
        if (status.isPresent()) {
            return called.failed("%s was not made: %s ended well, but wrote the status \"%s\" instead of success to %s."
                    .formatted(target, tool, status.get(), called.output().resolve(STATUS)));
        }
        return opened(called, location.apply(called.output()), target, kept);
    }

    /**
     * Opens the tables and moves them to the target. Tables that cannot be opened stay in the folder of the call. Without DuckDB, the
     * tables are not read but moved for use by other programs.
     */
    private static Tables opened(Called called, Path source, Path target, boolean kept) {
        try {
            ProfileTables tables = ProfileTables.of(source.toRealPath());
            Optional<SummaryTable> read = Optional.empty();
            String problem = "";
            try {
                read = Optional.of(SummaryTable.read(tables));
            } catch (TablesException e) {
                if (e.kind() != TablesException.Kind.NO_READER) {
                    throw e;
                }
                problem = "The tables of %s were written, but not read. %s".formatted(target, e.getMessage());
            }
            if (!tables.folder().startsWith(called.output().toRealPath())) {
                return called.failed("%s was not made: the tool led to %s, which is not in %s."
                        .formatted(target, tables.folder(), called.output()));
            }
            if (kept) {
                Files.move(tables.folder(), target);
            }
            return new Tables(read, problem, Optional.of(called), true);
        } catch (NoSuchFileException e) {
            return called.failed("%s was not made: the tool ended well and left no folder %s. Its output is in %s."
                    .formatted(target, e.getFile(), called.output()));
        } catch (TablesException | SummaryException e) {
            return called.failed(
                    "%s was not made: the tool ended well, but its output is invalid. %s Its output is in %s."
                            .formatted(target, e.getMessage(), called.output()));
        } catch (IOException e) {
            return called.failed(
                    "%s was not made: the tables cannot be moved there from %s (%s). Use a folder of the same file system, or free disk space."
                            .formatted(target, source, e));
        }
    }

    /**
     * Returns the message for an existing output path. The program that wrote the trace may have created that path too, for example as a
     * link out of the folder.
     */
    private static String alreadyExists(Path file) {
        return "%s was not made: the path already exists, and is not overwritten.".formatted(file);
    }

    /**
     * Writes a trace in another format.
     *
     * @param export a format other than tables, which {@link #view} writes
     * @return the reason if it failed
     * @throws InterruptedException when the thread is interrupted before the call
     */
    Optional<String> export(TraceExport export, Subject subject) throws InterruptedException {
        Path file = subject.file(export);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of(alreadyExists(file));
        }
        Called called;
        try {
            called = call(
                    subject,
                    output -> List.of("--output-format", export.format(), "--output-file", file.toString()),
                    List.of());
        } catch (NotCalled notCalled) {
            return Optional.of("%s was not made: %s".formatted(file, notCalled.getMessage()));
        }
        runs.accept(called.call().run());
        boolean isMade = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
        if (export == TraceExport.FULL_JSON
                && (called.refusedFormat() || called.call().succeeded() && (!isMade || isEmpty(file)))) {
            return Optional.of(tablesInstead(file, subject));
        }
        return called.call().succeeded() && isMade
                ? Optional.empty()
                : Optional.of(FailureReason.of("%s was not made".formatted(file), called.call(), called.output()));
    }

    private static boolean isEmpty(Path file) {
        try {
            return Files.size(file) == 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** Writes tables instead of the full JSON. SDK 2.33 was the last version with full JSON. */
    private String tablesInstead(Path file, Subject subject) throws InterruptedException {
        Path tables = subject.file(TraceExport.TABLES);
        Optional<String> problem = Optional.empty();
        if (!Files.isDirectory(tables, LinkOption.NOFOLLOW_LINKS)) {
            problem = Optional.of(tables(subject, true).problem()).filter(text -> !text.isEmpty());
        }
        return "%s was not made: %s no longer writes full JSON. %s"
                .formatted(
                        file,
                        tool,
                        problem.orElse(
                                "Its tables, which contain the same, are in %s: read them with TracedExecution.tables() or ProfileEvents."
                                        .formatted(tables)));
    }

    private record Called(ToolCall call, Path output) {

        Tables failed(String problem) {
            return new Tables(Optional.empty(), problem, Optional.of(this), false);
        }

        boolean refusedFormat() {
            return !call.succeeded() && call.wasComplete() && call.log().contains(FORMAT_REFUSED);
        }

        /** Returns the requested features that the tool refused. The tool must be called again without them. */
        List<Feature> refused(List<Feature> features) {
            if (features.isEmpty() || call.succeeded() || !call.wasComplete() || refusedFormat()) {
                return List.of();
            }
            ToolLog log = call.log();
            boolean refusesFlags = log.contains(FLAG_REFUSED);
            if (refusesFlags && log.text().contains(STATUS_FLAG)) {
                return features.stream().filter(Feature.STATUS_FILE::equals).toList();
            }
            return refusesFlags
                            || features.contains(Feature.NO_SIMULATION)
                                    && log.text().contains(SIMULATION_FLAG)
                    ? features
                    : List.of();
        }
    }

    /** Thrown when the tool could not be called. The trace and earlier results remain valid. */
    private static final class NotCalled extends Exception {

        private static final long serialVersionUID = 1L;

        NotCalled(String reason, Exception cause) {
            super(reason, cause);
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }

    /**
     * Calls the tool, and repeats the call without features that it does not support.
     *
     * @param flags function from the output folder to the flags
     * @param features features to request if the tool supports them
     */
    private Called call(Subject subject, Function<Path, List<String>> flags, List<Feature> features)
            throws InterruptedException, NotCalled {
        while (true) {
            List<Feature> supported =
                    features.stream().filter(feature -> !isMissing(feature)).toList();
            Called called = call(
                    subject,
                    output -> supported.stream()
                            .map(feature -> flags(feature, output))
                            .reduce(flags.apply(output), Viewer::joined));
            List<Feature> refused = called.refused(supported);
            if (refused.isEmpty()) {
                return called;
            }
            runs.accept(called.call().run());
            refused.forEach(feature -> MISSING.add(new Missing(tool, feature)));
        }
    }

    private List<String> flags(Feature feature, Path output) {
        return switch (feature) {
            case NO_SIMULATION ->
                tool.generation() == ProfilerTool.Generation.EXPLORER
                        ? List.of("-F", SIMULATION_FLAG + "=true")
                        : List.of("--" + SIMULATION_FLAG);
            case STATUS_FILE ->
                List.of("--" + STATUS_FLAG, output.resolve(STATUS).toString());
            case SUMMARY_JSON, TABLES_IN_FOLDER -> List.of();
        };
    }

    private Called call(Subject subject, Function<Path, List<String>> flags) throws InterruptedException, NotCalled {
        Path neff = subject.neff();
        Path ntff = subject.ntff();
        ONE_AT_A_TIME.lockInterruptibly();
        try {
            Path output = OutputFolder.fresh(subject.folder(), "view-" + ntff.getFileName());
            ToolCall call = ToolCall.of(
                            tool.path(),
                            joined(List.of("view", "-n", neff.toString(), "-s", ntff.toString()), flags.apply(output)),
                            ToolCall.environment(Optional.empty(), context.environment(), output))
                    .in(output, output)
                    .deadline(deadline.orElseGet(() -> ToolCall.deadline(ntff, PER_MEBIBYTE)))
                    .takesLong(
                            "the view of %s of %s by %s".formatted(ntff.getFileName(), neff.getFileName(), tool),
                            context.observer()::takesLong)
                    .run();
            return new Called(call, output);
        } catch (IOException e) {
            throw new NotCalled(
                    "No folder can be made below %s for the output of view (%s). Free disk space, or choose another folder."
                            .formatted(subject.folder(), e),
                    e);
        } catch (ProgramNotStartedException notStarted) {
            throw new NotCalled(String.valueOf(notStarted.getMessage()), notStarted);
        } finally {
            ONE_AT_A_TIME.unlock();
        }
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
