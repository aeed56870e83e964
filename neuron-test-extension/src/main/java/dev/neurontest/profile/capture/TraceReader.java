package dev.neurontest.profile.capture;

import dev.neurontest.neff.NeffHeader;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.NtffHeader;
import dev.neurontest.profile.ProfileSummary;
import dev.neurontest.profile.TraceExport;
import dev.neurontest.profile.TracedExecution;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes metrics of an NTFF, and looks whether anything can be decided by them. */
final class TraceReader {

    private final Viewer viewer;
    private final double throttledFrom;
    private final List<TraceExport> exports;
    private final Consumer<String> notices;

    /**
     * A reader.
     *
     * @param throttledFrom which share of the time under a limit makes a profile doubtful
     * @param exports what each trace is written as too
     * @param notices gets what a reader of the profile should know
     */
    TraceReader(Viewer viewer, double throttledFrom, List<TraceExport> exports, Consumer<String> notices) {
        this.viewer = viewer;
        this.throttledFrom = throttledFrom;
        this.exports = exports;
        this.notices = notices;
    }

    /** A trace that is kept and not looked at. */
    TracedExecution unread(Path neff, TraceFiles.Trace trace) {
        return execution(neff, trace, NtffHeader.read(trace.file()).header(), ProfileSummary.NONE, List.of());
    }

    /**
     * Views a trace, unless it is empty or of another NEFF.
     *
     * @param known what is in doubt about it already
     * @param folder below which the output of the tool is kept
     * @return one for each graph in it, or one without metrics
     * @throws InterruptedException before the tool is called
     */
    List<TracedExecution> read(
            Path neff, Optional<NeffHeader> neffHeader, TraceFiles.Trace trace, List<Doubt> known, Path folder)
            throws InterruptedException {
        Optional<NtffHeader> header = NtffHeader.read(trace.file()).header();
        List<Doubt> doubts = new ArrayList<>(known);
        Guards.incomplete(trace.file(), trace.size(), header).ifPresent(doubts::add);
        Optional<Doubt> other = Guards.otherNeff(neff, neffHeader, trace.file(), header);
        other.ifPresent(doubts::add);
        Guards.weakProof(trace.file(), header).ifPresent(notices);
        if (trace.size() == 0
                || other.filter(doubt -> doubt.kind() == Doubt.Kind.OTHER_NEFF).isPresent()) {
            return List.of(execution(neff, trace, header, ProfileSummary.NONE, doubts));
        }
        Viewer.Viewed viewed = viewer.summary(neff, trace.file(), folder);
        doubts.addAll(viewed.doubts());
        for (TraceExport export : exports) {
            viewer.export(export, neff, trace.file(), folder).ifPresent(notices);
        }
        if (viewed.summaries().isEmpty()) {
            return List.of(execution(neff, trace, header, ProfileSummary.NONE, doubts));
        }
        return viewed.summaries().stream()
                .map(summary -> execution(neff, trace, header, summary, withThoseOf(summary, trace, doubts)))
                .toList();
    }

    private List<Doubt> withThoseOf(ProfileSummary summary, TraceFiles.Trace trace, List<Doubt> doubts) {
        List<Doubt> all = new ArrayList<>(doubts);
        Guards.empty(trace.file(), summary).ifPresent(all::add);
        Guards.throttled(summary, throttledFrom).ifPresent(all::add);
        return all;
    }

    private static TracedExecution execution(
            Path neff,
            TraceFiles.Trace trace,
            Optional<NtffHeader> header,
            ProfileSummary summary,
            List<Doubt> doubts) {
        return new TracedExecution(neff, trace.file(), trace.rank(), trace.index(), header, summary, doubts);
    }
}
