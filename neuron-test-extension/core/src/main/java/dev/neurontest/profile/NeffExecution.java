package dev.neurontest.profile;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.internal.device.runtime.CollectiveGroups;
import dev.neurontest.internal.device.runtime.CoreRelease;
import dev.neurontest.internal.neff.NeffHeader;
import dev.neurontest.internal.process.ChildEnvironment;
import dev.neurontest.internal.profile.ProfilerContext;
import dev.neurontest.internal.profile.Throttling;
import dev.neurontest.internal.profile.tool.FailureReason;
import dev.neurontest.internal.profile.tool.ToolCall;
import dev.neurontest.internal.text.DurationText;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.runtime.RuntimeStatus;
import dev.neurontest.workload.ChildEnd;
import dev.neurontest.workload.ExitCode;
import dev.neurontest.workload.ProgramNotStartedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One or more captures of a NEFF by the tool, including their results. */
final class NeffExecution {

    /** Metric with the number of workers, if the tables contain any. */
    private static final String PARTICIPANTS = "cc_participant_count";

    private static final int MOST_RANKS = 64;

    private static final Duration RELEASED_WITHIN = Duration.ofSeconds(5);
    private static final Comparator<TracedExecution> BY_RANK =
            Comparator.comparingInt(execution -> execution.rank().orElse(-1));

    private final ProfilerContext context;
    private final NeffCapture capture;
    private final NeffHeader header;
    private final TracePlan plan;
    private final CapturedOutputs outputs;
    private final ProfileDraft draft;
    private final Path folder;
    private final List<TracedExecution> executions = new ArrayList<>();

    NeffExecution(ProfilerContext context, NeffCapture capture, NeffHeader header, TracePlan plan) {
        this.context = context;
        this.capture = capture;
        this.header = header;
        this.plan = plan;
        this.outputs = new CapturedOutputs(context.outputs(), capture, plan);
        this.draft = new ProfileDraft(
                context, Optional.ofNullable(capture.deadline), capture.ignoreExecErrors, capture.exports);
        this.folder = Profiler.fresh(context.folder().get(), "profile-" + title());
    }

    private String title() {
        return String.valueOf(capture.neff.getFileName());
    }

    Profile run() {
        try {
            captures();
        } catch (UncheckedIOException full) {
            // Earlier captures are kept.
            draft.notCaptured(String.valueOf(full.getMessage()));
        }
        return profile(executions.stream().sorted(BY_RANK).toList());
    }

    private Profile profile(List<TracedExecution> traced) {
        return draft.profile(title(), CaptureKind.REPLAY, traced, List.of(), folder);
    }

    private void captures() {
        if (!coresAreFree()) {
            return;
        }
        int recaptures = 0;
        List<String> leftOut = new ArrayList<>();
        Optional<String> settled = Optional.empty();
        for (int kept = 0; kept < capture.captures && draft.doubts.isEmpty(); kept++) {
            List<TracedExecution> traced = capture();
            while (draft.doubts.isEmpty()
                    && recaptures < capture.recaptures
                    && throttling(traced).isPresent()
                    && !followsFromTheProgram(traced)
                    && !settled.equals(Optional.of(throttleClass(traced)))) {
                recaptures++;
                List<TracedExecution> recaptured = capture();
                if (draft.doubts.isEmpty() && isThrottledAlike(traced, recaptured)) {
                    // Both captures are equally valid, and another one would be throttled too.
                    settled = Optional.of(throttleClass(recaptured));
                    executions.addAll(traced);
                    kept++;
                } else {
                    leftOut.add(throttling(traced).get());
                }
                traced = recaptured;
            }
            executions.addAll(traced);
        }
        if (!leftOut.isEmpty()) {
            draft.notices.add("%s of %s captures %s left out. %s"
                    .formatted(
                            leftOut.size(),
                            recaptures + capture.captures,
                            leftOut.size() == 1 ? "was" : "were",
                            leftOut.stream().distinct().collect(Collectors.joining(" "))));
        }
    }

    /**
     * Returns whether only activity limiters throttled the device. They depend on the program, therefore another capture changes nothing.
     */
    private boolean followsFromTheProgram(List<TracedExecution> traced) {
        return traced.stream()
                .flatMap(execution -> execution.doubts().stream())
                .filter(doubt -> doubt.kind() == Doubt.Kind.THROTTLED)
                .allMatch(doubt -> doubt.reason().endsWith(ValidityChecks.ACTIVITY_ADVICE));
    }

    private boolean isThrottledAlike(List<TracedExecution> some, List<TracedExecution> others) {
        return throttling(others).isPresent() && Throttling.isSame(throttleClass(some), throttleClass(others));
    }

    private String throttleClass(List<TracedExecution> traced) {
        return profile(traced).throttleClass();
    }

    private static Optional<String> throttling(List<TracedExecution> traced) {
        return traced.stream()
                .flatMap(execution -> execution.doubts().stream())
                .filter(doubt -> doubt.kind() == Doubt.Kind.THROTTLED)
                .map(Doubt::reason)
                .findFirst();
    }

    /**
     * Waits for processes that are ending. If the test holds only a part of a device, a process with the device open may use the other
     * cores. It counts only if the test started it.
     */
    private boolean coresAreFree() {
        Set<NeuronDevice> used = capture.cores.stream().map(NeuronCore::device).collect(Collectors.toSet());
        Set<NeuronDevice> held = used.stream()
                .filter(device -> context.held().containsAll(device.cores()))
                .collect(Collectors.toSet());
        List<String> owners = CoreRelease.await(
                context.host(),
                owned -> used.contains(owned.device())
                        && (held.contains(owned.device())
                                || context.startedByTest().test(owned.owner().pid())),
                capture.coresFreeWithin);
        if (!owners.isEmpty()) {
            draft.notCaptured(
                    "The cores were not free within %s: %s. A capture executes the NEFF in its own process, so other processes on the cores must end first: close the workload, and wait for its end."
                            .formatted(DurationText.limit(capture.coresFreeWithin), String.join(", ", owners)));
        }
        return owners.isEmpty();
    }

    private ToolCall called(Path output, List<String> arguments) {
        return ToolCall.of(draft.tool.path(), arguments, environment(output))
                .in(output, output)
                .deadline(capture.captureDeadline())
                .takesLong("the capture of %s by %s".formatted(title(), draft.tool), context.observer()::takesLong)
                .locks(context.observer().locks(capture.cores))
                .observed(process -> context.observer().started(process, capture.cores), this::released)
                .run();
    }

    private List<TracedExecution> capture() {
        Path output = Profiler.fresh(folder, "capture");
        ToolCall call;
        try {
            call = called(output, arguments(output));
        } catch (ProgramNotStartedException notStarted) {
            draft.notCaptured(notStarted.getMessage());
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("The inputs by rank cannot be written to %s (%s).".formatted(output, e), e);
        }
        draft.runs.add(call.run());
        outputs.collect(call.stdout(), output);
        TraceFiles files = files(output);
        draft.notices.addAll(files.notices());
        if (!call.wasComplete() || files.traces().isEmpty()) {
            draft.notCaptured(FailureReason.of("No trace of %s was completed".formatted(capture.neff), call, output)
                    + busyDevices(call)
                    + oddGroup(call));
            return files.traces().stream()
                    .map(trace -> draft.unread(capture.neff, trace))
                    .toList();
        }
        if (!files.missingRanks().isEmpty()) {
            draft.doubts.add(new Doubt(
                    Doubt.Kind.INCOMPLETE_TRACE,
                    FailureReason.of(
                            "Rank %s left no trace".formatted(ListText.of(files.missingRanks())), call, output)));
        }
        if (!files.missingExecutions().isEmpty()) {
            draft.doubts.add(new Doubt(
                    Doubt.Kind.INCOMPLETE_TRACE,
                    "%s The missing part may be the slowest: see the log of the capture, and capture it again."
                            .formatted(String.join(" ", files.missingExecutions()))));
        }
        List<Doubt> captureDoubts = new ArrayList<>();
        failedExecutions(call, output).ifPresent(captureDoubts::add);
        if (captureDoubts.isEmpty() && call.succeeded()) {
            ValidityChecks.printedErrors("capture", call.log()).ifPresent(draft.notices::add);
        }
        captureDoubts.addAll(ValidityChecks.missingData("capture", call.log()));
        List<TracedExecution> traced = new ArrayList<>();
        for (TraceFiles.Trace trace : files.traces()) {
            List<Doubt> doubts = new ArrayList<>(captureDoubts);
            if (trace.index() == 1) {
                doubts.add(ValidityChecks.firstExecution(trace.file()));
            }
            traced.addAll(read(trace, doubts, output));
        }
        missingRanks(traced)
                .map(missing -> FailureReason.of(missing, call, output))
                .ifPresent(reason -> draft.doubts.add(new Doubt(Doubt.Kind.INCOMPLETE_TRACE, reason)));
        return traced;
    }

    /**
     * Returns the ranks without a trace if the test set no workers and the tool chose them. There are as many ranks as the NEFF has
     * participants, and no more than cores. With one trace per core, none is missing.
     */
    private Optional<String> missingRanks(List<TracedExecution> traced) {
        Set<Integer> ranks = traced.stream()
                .flatMap(execution -> execution.rank().stream().boxed())
                .collect(Collectors.toCollection(TreeSet::new));
        int participants = (int) traced.stream()
                .flatMapToDouble(execution -> execution.summary().number(PARTICIPANTS).stream())
                .max()
                .orElse(0);
        if (Optional.ofNullable(capture.collectives).isPresent() || ranks.isEmpty() && participants <= 1) {
            return Optional.empty();
        }
        int last = Math.max(
                participants - 1, ranks.stream().max(Comparator.naturalOrder()).orElse(0));
        List<Integer> missing = IntStream.rangeClosed(0, last)
                .filter(rank -> !ranks.contains(rank))
                .limit(MOST_RANKS)
                .boxed()
                .toList();
        if (!missing.isEmpty()) {
            return Optional.of("Rank %s left no trace".formatted(ListText.of(missing)));
        }
        return participants > 1 || ranks.size() >= capture.cores.size()
                ? Optional.empty()
                : Optional.of(
                        "Rank %s left a trace. There may be other ranks, because the capture had %s cores (hold as many as the NEFF has ranks, with @Count, or set the workers with capture(neff).collectives(...))"
                                .formatted(ListText.of(ranks), capture.cores.size()));
    }

    private List<TracedExecution> read(TraceFiles.Trace trace, List<Doubt> doubts, Path output) {
        try {
            return draft.read(capture.neff, Optional.of(header), trace, TraceOrigin.CAPTURED, doubts, output);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (draft.doubts.isEmpty()) {
                draft.notCaptured(
                        "The test was interrupted before all traces were viewed. They are in %s.".formatted(output));
            }
            return List.of(draft.unread(capture.neff, trace));
        }
    }

    private ChildEnvironment environment(Path output) {
        return ToolCall.environment(Optional.of(capture.cores), context.environment(), output);
    }

    private List<String> arguments(Path output) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "capture",
                "-n",
                capture.neff.toString(),
                "-s",
                output.resolve(TraceFiles.STEM + ".ntff").toString()));
        arguments.addAll(plan.flags());
        addOptions(arguments);
        return arguments;
    }

    private void addOptions(List<String> arguments) {
        if (capture.ignoreExecErrors) {
            arguments.add("--ignore-exec-errors");
        }
        Optional.ofNullable(capture.collectives).ifPresent(workers -> arguments.addAll(workers.flags()));
        arguments.addAll(outputs.flags());
        arguments.addAll(capture.flags);
        capture.inputs.forEach((name, file) -> arguments.addAll(List.of(name, file.toString())));
    }

    private void released(ProcessHandle process, ChildEnd end) {
        List<String> stillOwned = CoreRelease.await(context.host(), end.processes(), RELEASED_WITHIN);
        if (!stillOwned.isEmpty()) {
            draft.notices.add("%s after the end of the tool, devices were still open: %s."
                    .formatted(DurationText.limit(RELEASED_WITHIN), String.join(", ", stillOwned)));
        }
        context.observer().ended(process, wasKilled(end), end.survivors(), stillOwned);
    }

    private static boolean wasKilled(ChildEnd end) {
        return end.killed()
                || end.exitCode()
                        .flatMap(ExitCode::signal)
                        .filter("SIGKILL"::equals)
                        .isPresent();
    }

    private TraceFiles files(Path output) {
        try {
            return TraceFiles.find(
                    output,
                    plan.measuredExecutions(),
                    Optional.ofNullable(capture.collectives)
                            .map(Collectives::traced)
                            .orElse(List.of()));
        } catch (IOException e) {
            throw new UncheckedIOException("The traces in %s cannot be listed (%s).".formatted(output, e), e);
        }
    }

    /** Returns the processes that have devices open. The query is most accurate right after the failed call. */
    private String busyDevices(ToolCall call) {
        if (call.log().taken().isEmpty()) {
            return "";
        }
        String owners = CoreRelease.await(context.host(), owned -> true, Duration.ZERO).stream()
                .collect(Collectors.joining(", "));
        return owners.isEmpty() ? "" : " Open at that moment: %s.".formatted(owners);
    }

    /** Returns a remark about an unusual group of cores if the status of the call is typical for a wrong group. */
    private String oddGroup(ToolCall call) {
        List<NeuronCore> group = Optional.ofNullable(capture.collectives)
                .map(workers -> capture.cores.subList(0, workers.workersPerNode()))
                .orElse(capture.cores);
        return CollectiveGroups.remark(group, call.run().report().statuses())
                .map(" "::concat)
                .orElse("");
    }

    private Optional<Doubt> failedExecutions(ToolCall call, Path output) {
        List<RuntimeStatus> statuses = call.run().report().statuses();
        if (call.succeeded() && statuses.isEmpty()) {
            return Optional.empty();
        }
        String failed = "An execution of %s failed".formatted(capture.neff);
        if (capture.ignoreExecErrors
                && !statuses.isEmpty()
                && statuses.stream().allMatch(RuntimeStatus::concernsTheComputationOnly)) {
            draft.notices.add("Errors of executions are ignored. " + FailureReason.withoutAdvice(failed, call, output));
            return Optional.empty();
        }
        return Optional.of(
                new Doubt(Doubt.Kind.EXECUTION_ERRORS, FailureReason.of(failed, call, output) + oddGroup(call)));
    }
}
