package dev.neurontest.internal.participant.profile;

import dev.neurontest.internal.plan.NeffReplay;
import dev.neurontest.internal.plan.WorkloadTrace;
import dev.neurontest.internal.process.ProgramFolder;
import dev.neurontest.internal.profile.ProfilerContext;
import dev.neurontest.profile.CaptureException;
import dev.neurontest.profile.InspectCapture;
import dev.neurontest.profile.NeffCapture;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.Profiler;
import dev.neurontest.profile.TraceExport;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The captures of one test. */
final class Captures {

    private final Profiler profiler;
    private final Profiler runs;
    private final Optional<InspectCapture> inspection;
    private boolean inspects;

    Captures(ProfilerContext context, Consumer<Profile> keeper, Optional<WorkloadTrace> workloads) {
        this.profiler = new Profiler(context, keeper);
        // Profiles of additional runs are not kept, because the comparison contains their numbers.
        this.runs = new Profiler(context, profile -> {});
        this.inspection = workloads.map(this::inspection);
    }

    private InspectCapture inspection(WorkloadTrace trace) {
        InspectCapture capture = profiler.inspect(
                        trace.session() ? InspectCapture.Mode.SESSION : InspectCapture.Mode.MODEL)
                .warmup(trace.warmup())
                .also(trace.exports().toArray(TraceExport[]::new));
        return trace.graph().isEmpty() ? capture : capture.graph(trace.graph());
    }

    Profiler profiler() {
        return profiler;
    }

    /** Returns the variables that make workloads trace themselves. */
    Map<String, String> traceWorkloads() {
        inspects = true;
        return inspection.orElseThrow().environment();
    }

    /** Returns the folder for the traces of programs on other hosts, which trace themselves with the same variables. */
    ProgramFolder folderOfPrograms() {
        return inspection.orElseThrow().ofPrograms();
    }

    /** Collects the traces of workloads if any were started with these variables. */
    void collectTraces() {
        inspection.filter(each -> inspects).ifPresent(each -> runIgnoringDoubts(each::collect));
    }

    /** Runs a capture and ignores its doubts: its profile is among the others, and the doubts are judged there. */
    static void runIgnoringDoubts(Runnable capture) {
        try {
            capture.run();
        } catch (CaptureException doubtful) {
            // The profile has these doubts too.
        }
    }

    Profile replay(NeffReplay replay) {
        return replay(replay, profiler, replay.captures());
    }

    /** Captures one more run for a comparison; only the numbers of such runs are kept. */
    Profile run(NeffReplay replay) {
        try {
            return replay(replay, runs, 1);
        } catch (CaptureException doubtful) {
            return runs.profiles().get(runs.profiles().size() - 1);
        }
    }

    private static Profile replay(NeffReplay replay, Profiler by, int captures) {
        NeffCapture capture = by.capture(Path.of(replay.neff()))
                .warmup(replay.warmup())
                .measured(replay.executions())
                .captures(captures)
                .ignoreExecErrors(replay.ignoreExecErrors());
        for (String input : replay.inputs()) {
            int equals = input.indexOf('=');
            capture.input(input.substring(0, equals), Path.of(input.substring(equals + 1)));
        }
        if (replay.singleIo()) {
            capture.singleIo();
        }
        if (replay.dgeNotifications()) {
            capture.dgeNotifications();
        }
        return capture.also(replay.exports().toArray(TraceExport[]::new)).run();
    }
}
