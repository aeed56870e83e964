package dev.neurontest.profile.capture;

import dev.neurontest.neff.NeffHeader;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.ProfileSummary;
import dev.neurontest.profile.TraceExport;
import dev.neurontest.profile.TracedExecution;
import dev.neurontest.profile.ntff.NtffHeader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Makes metrics of an NTFF, and looks whether anything can be decided by them. */
final class TraceReader {

    private final Viewer viewer;
    private final TraceGuard guard;
    private final boolean ignoresErrors;
    private final Set<TraceExport> exports;
    private final Consumer<String> notices;

    /**
     * A reader.
     *
     * @param throttledFrom which share of the time under a limit makes times doubtful
     * @param ignoresErrors whether executions may fail
     * @param exports what each trace is written as too
     * @param notices gets what a reader of the profile should know
     */
    TraceReader(
            Viewer viewer,
            double throttledFrom,
            boolean ignoresErrors,
            Set<TraceExport> exports,
            Consumer<String> notices) {
        this.ignoresErrors = ignoresErrors;
        this.viewer = viewer;
        this.guard = new TraceGuard(throttledFrom, notices);
        this.exports = exports;
        this.notices = notices;
    }

    /** A trace that is kept and not looked at. */
    TracedExecution unread(Path neff, TraceFiles.Trace trace) {
        return TraceGuard.execution(
                neff, trace, NtffHeader.read(trace.file()).header(), ProfileSummary.NONE, List.of());
    }

    /**
     * Views a trace, unless it is empty or of another NEFF.
     *
     * @param origin where the trace came from
     * @param known what is in doubt about it already
     * @param folder below which the output of the tool is kept
     * @return one for each graph in it, or one without metrics
     * @throws InterruptedException before the tool is called
     */
    List<TracedExecution> read(
            Path neff,
            Optional<NeffHeader> neffHeader,
            TraceFiles.Trace trace,
            TraceOrigin origin,
            List<Doubt> known,
            Path folder)
            throws InterruptedException {
        TraceGuard.Seen seen = guard.look(neff, neffHeader, trace, origin, known);
        if (!seen.worthViewing()) {
            return guard.executions(neff, trace, seen, Viewer.Viewed.NOTHING);
        }
        Viewer.Subject subject = new Viewer.Subject(neff, neffHeader, trace.file(), folder);
        Viewer.Viewed viewed = viewer.view(subject, exports.contains(TraceExport.TABLES));
        if (ignoresErrors) {
            viewed = viewed.ignoringErrors();
        }
        viewed.notices().forEach(notices);
        for (TraceExport export : List.of(TraceExport.PERFETTO, TraceExport.FULL_JSON)) {
            if (exports.contains(export)) {
                viewer.export(export, subject).ifPresent(notices);
            }
        }
        return guard.executions(neff, trace, seen, viewed);
    }
}
