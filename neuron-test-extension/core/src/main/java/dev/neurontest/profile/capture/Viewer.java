package dev.neurontest.profile.capture;

import dev.neurontest.process.OutputFolder;
import dev.neurontest.process.ProgramNotStartedException;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.ProfileSummary;
import dev.neurontest.profile.ToolRun;
import dev.neurontest.profile.TraceExport;
import dev.neurontest.profile.summary.SummaryException;
import dev.neurontest.profile.summary.SummaryReader;
import dev.neurontest.profile.tool.FailureReason;
import dev.neurontest.profile.tool.ProfilerTool;
import dev.neurontest.profile.tool.ToolCall;
import dev.neurontest.profile.tool.ToolLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes numbers of traces by {@code view}. Only formats that print or write and end are asked for, never one that serves. Several
 * views at once of large traces can exhaust the memory of a host, so that there is one at a time in this JVM.
 */
final class Viewer {

    static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock(true);

    /** Tools that do not know how to leave the simulation of buffers out. */
    private static final Set<Path> SIMULATING = ConcurrentHashMap.newKeySet();

    private static final Pattern SIMULATION_REFUSED =
            Pattern.compile("(?i)ignore-nc-buf-usage|unknown (?:short )?flag|unknown option");

    private static final Duration AT_LEAST = Duration.ofMinutes(15);
    private static final Duration PER_MEBIBYTE = Duration.ofSeconds(2);

    private final ProfilerTool tool;
    private final Profiler.Context context;
    private final Optional<Duration> deadline;
    private final Consumer<ToolRun> runs;

    /** @param runs gets each call */
    Viewer(ProfilerTool tool, Profiler.Context context, Optional<Duration> deadline, Consumer<ToolRun> runs) {
        this.runs = runs;
        this.tool = tool;
        this.context = context;
        this.deadline = deadline;
    }

    /**
     * What was made of a trace.
     *
     * @param summaries one for each graph in it; none when it cannot be read
     * @param doubts why nothing can be decided by it
     */
    record Viewed(List<ProfileSummary> summaries, List<Doubt> doubts) {

        static final Viewed NOTHING = new Viewed(List.of(), List.of());

        /**
         * What a tool printed that ended well.
         *
         * @param tool name and version
         * @param log of all that it printed
         * @param output where it is kept
         */
        static Viewed of(String tool, Path ntff, String printed, ToolLog log, Path output) {
            Viewed read = read(tool, ntff, printed, output);
            return new Viewed(
                    read.summaries(),
                    Stream.concat(read.doubts().stream(), ValidityChecks.dropped("view", log).stream())
                            .toList());
        }

        private static Viewed read(String tool, Path ntff, String printed, Path output) {
            try {
                SummaryReader.Printed read = SummaryReader.readPrinted(printed);
                return new Viewed(
                        read.summaries(),
                        read.problems().stream()
                                .map(problem -> new Doubt(
                                        Doubt.Kind.IMPOSSIBLE_NUMBERS,
                                        "What %s printed about %s cannot be believed: %s. Its output is in %s; run the command by hand."
                                                .formatted(tool, ntff, problem, output)))
                                .toList());
            } catch (SummaryException e) {
                return new Viewed(
                        List.of(),
                        List.of(new Doubt(
                                Doubt.Kind.UNREADABLE,
                                "What %s printed about %s cannot be read: %s Its output is in %s."
                                        .formatted(tool, ntff, e.getMessage(), output))));
            }
        }
    }

    /**
     * The metrics of a trace.
     *
     * @param folder below which a folder for this call is made
     * @throws InterruptedException before it is called; an interrupted call is one that failed, and the thread stays interrupted
     */
    Viewed summary(Path neff, Path ntff, Path folder) throws InterruptedException {
        List<String> fast = tool.generation() == ProfilerTool.Generation.EXPLORER
                ? List.of("-F", "ignore-nc-buf-usage=true")
                : List.of("--ignore-nc-buf-usage");
        List<String> flags = List.of("--output-format", "summary-json");
        if (!SIMULATING.contains(tool.path())) {
            Called call;
            try {
                call = call(neff, ntff, folder, joined(flags, fast));
            } catch (NotCalled never) {
                return never.viewed();
            }
            if (call.call().succeeded()
                    || !call.call().wasComplete()
                    || !call.call().log().says(SIMULATION_REFUSED)) {
                return viewed(neff, ntff, call);
            }
            runs.accept(call.call().run());
            SIMULATING.add(tool.path());
        }
        try {
            return viewed(neff, ntff, call(neff, ntff, folder, flags));
        } catch (NotCalled never) {
            return never.viewed();
        }
    }

    private Viewed viewed(Path neff, Path ntff, Called called) {
        ToolCall call = called.call();
        Viewed printed = Viewed.of(tool.toString(), ntff, call.stdout(), call.log(), called.output());
        List<ProfileSummary> summaries = printed.summaries();
        List<Doubt> doubts = new ArrayList<>();
        if (call.succeeded()) {
            doubts.addAll(printed.doubts());
        } else {
            doubts.add(new Doubt(
                    Doubt.Kind.UNREADABLE,
                    FailureReason.of("%s could not be viewed".formatted(ntff), call, called.output())));
            ValidityChecks.dropped("view", call.log()).ifPresent(doubts::add);
        }
        runs.accept(summaries.isEmpty() ? call.run() : withoutSummary(call));
        return new Viewed(summaries, doubts);
    }

    /** The summary is kept as what was read of it; a log of noise alone can be read by people. */
    private static ToolRun withoutSummary(ToolCall call) {
        String noise = call.stdout()
                .lines()
                .takeWhile(line -> !line.stripLeading().startsWith("{"))
                .map(line -> line.concat("\n"))
                .collect(Collectors.joining());
        return call.logged(noise + call.stderr());
    }

    /**
     * Writes a trace in another format.
     *
     * @return what to tell when it did not work
     * @throws InterruptedException before it is called
     */
    Optional<String> export(TraceExport export, Path neff, Path ntff, Path folder) throws InterruptedException {
        Path file = export.of(ntff);
        boolean isFolder = export == TraceExport.TABLES;
        // The program that left the trace may have left this too, such as a link that leads out of the folder.
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of(
                    "%s was not made: something is there already, which is not written over.".formatted(file));
        }
        Called called;
        try {
            List<String> flags = List.of("--output-format", export.format(), "--output-file", file.toString());
            // Without it the tool serves a page and never ends.
            called = call(neff, ntff, folder, isFolder ? joined(flags, List.of("--ingest-only")) : flags);
        } catch (NotCalled never) {
            return Optional.of("%s was not made: %s".formatted(file, never.getMessage()));
        }
        runs.accept(called.call().run());
        if (called.call().succeeded()
                && (isFolder
                        ? Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)
                        : Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))) {
            return Optional.empty();
        }
        return Optional.of(FailureReason.of("%s was not made".formatted(file), called.call(), called.output()));
    }

    private record Called(ToolCall call, Path output) {}

    /** The trace is there all the same, and so is what was found before. */
    private static final class NotCalled extends Exception {

        private static final long serialVersionUID = 1L;

        NotCalled(String reason, Exception cause) {
            super(reason, cause);
        }

        Viewed viewed() {
            return new Viewed(List.of(), List.of(new Doubt(Doubt.Kind.UNREADABLE, String.valueOf(getMessage()))));
        }
    }

    private Called call(Path neff, Path ntff, Path folder, List<String> flags) throws InterruptedException, NotCalled {
        ONE_AT_A_TIME.lockInterruptibly();
        try {
            Path output = OutputFolder.fresh(folder, "view-" + ntff.getFileName());
            ToolCall call = ToolCall.of(
                            tool.path(),
                            joined(List.of("view", "-n", neff.toString(), "-s", ntff.toString()), flags),
                            ToolCall.environment(Optional.empty(), context.environment(), output))
                    .in(output, output)
                    .deadline(deadline.orElseGet(() -> deadlineFor(ntff)))
                    .takesLong(
                            "the view of %s of %s by %s".formatted(ntff.getFileName(), neff.getFileName(), tool),
                            context.observer()::takesLong)
                    .run();
            return new Called(call, output);
        } catch (IOException e) {
            throw new NotCalled(
                    "No folder can be made below %s for the output of view (%s). Choose another one, or make room."
                            .formatted(folder, e),
                    e);
        } catch (ProgramNotStartedException gone) {
            throw new NotCalled(String.valueOf(gone.getMessage()), gone);
        } finally {
            ONE_AT_A_TIME.unlock();
        }
    }

    private static Duration deadlineFor(Path ntff) {
        try {
            return AT_LEAST.plus(PER_MEBIBYTE.multipliedBy(Files.size(ntff) >> 20));
        } catch (IOException e) {
            return AT_LEAST;
        }
    }

    private static List<String> joined(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }
}
