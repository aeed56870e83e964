package dev.neurontest.profile;

import dev.neurontest.internal.neff.NeffHeader;
import dev.neurontest.internal.profile.ProfilerContext;
import dev.neurontest.internal.profile.tool.ProfilerTool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A profile under construction: the tool calls, doubts and notices so far. */
final class ProfileDraft {

    final ProfilerTool tool;
    final List<ToolRun> runs = new ArrayList<>();
    final List<Doubt> doubts = new ArrayList<>();
    final List<String> notices = new ArrayList<>();
    private final Viewer viewer;
    private final Optional<String> laterViewer;
    private final TraceGuard guard;
    private final boolean ignoresErrors;
    private final Set<TraceExport> exports;

    /**
     * Creates a profile without traces.
     *
     * @param deadline the deadline of each view; empty to derive it from the size of the trace
     * @param ignoresErrors true if executions may fail
     * @param exports additional formats for each trace
     */
    ProfileDraft(
            ProfilerContext context, Optional<Duration> deadline, boolean ignoresErrors, Set<TraceExport> exports) {
        this.tool = context.tool().get();
        this.viewer = new Viewer(tool, context, deadline, runs::add);
        this.laterViewer = Optional.of(tool.path().toString()).filter(path -> context.toolRemains());
        this.guard = new TraceGuard(context.throttledFrom(), notices::add);
        this.ignoresErrors = ignoresErrors;
        this.exports = Set.copyOf(exports);
    }

    void notCaptured(String reason) {
        doubts.add(new Doubt(Doubt.Kind.NOT_CAPTURED, reason));
    }

    /** Returns a trace that is kept but not viewed. */
    TracedExecution unread(Path neff, TraceFiles.Trace trace) {
        return TraceGuard.execution(
                neff, trace, NtffHeader.read(trace.file()).header(), ProfileSummary.NONE, List.of());
    }

    /**
     * Reads a trace by viewing it, unless it is empty or belongs to another NEFF.
     *
     * @param origin the origin of the trace
     * @param knownDoubts existing doubts about the trace
     * @param folder the parent folder for the output of the tool
     * @return one execution for each graph in the trace, or one without metrics
     * @throws InterruptedException when the thread is interrupted before the tool call
     */
    List<TracedExecution> read(
            Path neff,
            Optional<NeffHeader> neffHeader,
            TraceFiles.Trace trace,
            TraceOrigin origin,
            List<Doubt> knownDoubts,
            Path folder)
            throws InterruptedException {
        TraceGuard.Inspected inspected = guard.inspect(neff, neffHeader, trace, origin, knownDoubts);
        if (!inspected.worthViewing()) {
            return guard.executions(neff, trace, inspected, Viewer.Viewed.NOTHING);
        }
        Viewer.Subject subject = new Viewer.Subject(neff, neffHeader, trace.file(), folder);
        Viewer.Viewed viewed = viewer.view(subject, exports.contains(TraceExport.TABLES));
        if (ignoresErrors) {
            viewed = viewed.ignoringErrors();
        }
        notices.addAll(viewed.notices());
        for (TraceExport export : List.of(TraceExport.PERFETTO, TraceExport.FULL_JSON)) {
            if (exports.contains(export)) {
                viewer.export(export, subject).ifPresent(notices::add);
            }
        }
        return guard.executions(neff, trace, inspected, viewed);
    }

    Profile profile(
            String title,
            CaptureKind kind,
            List<TracedExecution> executions,
            List<TracedExecution> helpers,
            Path folder) {
        return new Profile(
                title, kind, tool.toString(), executions, helpers, doubts, notices, runs, folder, laterViewer);
    }
}
