package dev.neurontest.profile;

import dev.neurontest.internal.neff.NeffHeader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The check of a trace and the tool's results against each other, before any threshold is judged.
 *
 * @param throttledFrom share of time under a limit that makes times doubtful
 * @param notices consumer of information for the reader of the profile
 */
record TraceGuard(double throttledFrom, Consumer<String> notices) {

    private static final String FIRST_GRAPH = "sg00";

    /**
     * The findings from a trace without a tool.
     *
     * @param worthViewing true if a tool can process the trace
     */
    record Inspected(Optional<NtffHeader> header, List<Doubt> doubts, boolean worthViewing) {}

    /** Reads a trace without any tool. */
    Inspected inspect(
            Path neff,
            Optional<NeffHeader> neffHeader,
            TraceFiles.Trace trace,
            TraceOrigin origin,
            List<Doubt> knownDoubts) {
        NtffHeader.Reading reading = NtffHeader.read(trace.file());
        List<Doubt> doubts = new ArrayList<>(knownDoubts);
        ValidityChecks.incomplete(trace.file(), trace.size(), reading).ifPresent(doubts::add);
        Optional<Doubt> mismatch = ValidityChecks.otherNeff(neff, neffHeader, trace.file(), reading.header(), origin);
        mismatch.ifPresent(doubts::add);
        ValidityChecks.weakProof(trace.file(), reading.header(), origin).ifPresent(notices);
        boolean isOtherNeff =
                mismatch.filter(doubt -> doubt.kind() == Doubt.Kind.OTHER_NEFF).isPresent();
        return new Inspected(reading.header(), doubts, trace.size() > 0 && !isOtherNeff);
    }

    /** Returns one execution for each graph that the tool reported, or one without metrics. */
    List<TracedExecution> executions(Path neff, TraceFiles.Trace trace, Inspected inspected, Viewer.Viewed viewed) {
        List<Doubt> doubts = new ArrayList<>(inspected.doubts());
        doubts.addAll(viewed.doubts());
        if (viewed.summaries().isEmpty()) {
            return List.of(execution(neff, trace, inspected.header(), ProfileSummary.NONE, doubts));
        }
        ValidityChecks.notCompared(trace.file(), longest(inspected.header())).ifPresent(notices);
        return viewed.summaries().stream()
                .map(summary -> execution(
                        neff,
                        trace,
                        inspected.header(),
                        summary,
                        withSummaryDoubts(
                                summary,
                                trace.file(),
                                summary.number(MetricNames.TOTAL_TIME).isPresent()
                                        ? traced(
                                                inspected.header(),
                                                viewed.summaries().size())
                                        : longest(inspected.header()),
                                doubts)))
                .toList();
    }

    /**
     * Returns the duration of an execution according to the trace. The tool reports the total of the first graph. With several summaries,
     * the match between summaries and graphs is unknown, and the shortest duration is returned.
     */
    private static Optional<Duration> traced(Optional<NtffHeader> header, int summaries) {
        List<NtffHeader.Graph> graphs = timed(header);
        return graphs.stream()
                .filter(graph -> summaries == 1 && graph.name().equals(FIRST_GRAPH))
                .findFirst()
                .or(() -> graphs.stream()
                        .min(Comparator.comparing(graph -> graph.duration().orElseThrow())))
                .flatMap(NtffHeader.Graph::duration);
    }

    /** Returns the longest duration of any graph. No part of an execution can exceed it. */
    private static Optional<Duration> longest(Optional<NtffHeader> header) {
        return timed(header).stream()
                .map(graph -> graph.duration().orElseThrow())
                .max(Comparator.naturalOrder());
    }

    private static List<NtffHeader.Graph> timed(Optional<NtffHeader> header) {
        return header.map(NtffHeader::graphs).orElse(List.of()).stream()
                .filter(graph -> graph.duration().filter(time -> !time.isZero()).isPresent())
                .toList();
    }

    private List<Doubt> withSummaryDoubts(
            ProfileSummary summary, Path ntff, Optional<Duration> traced, List<Doubt> doubts) {
        List<Doubt> all = new ArrayList<>(doubts);
        ValidityChecks.empty(ntff, summary).ifPresent(all::add);
        ValidityChecks.impossible(ntff, summary, traced).ifPresent(all::add);
        ValidityChecks.longerThanItsTrace(ntff, summary, traced).ifPresent(notices);
        ValidityChecks.throttled(summary, throttledFrom).ifPresent(all::add);
        return all;
    }

    static TracedExecution execution(
            Path neff,
            TraceFiles.Trace trace,
            Optional<NtffHeader> header,
            ProfileSummary summary,
            List<Doubt> doubts) {
        return new TracedExecution(
                neff, trace.file(), trace.rank(), trace.host(), trace.index(), header, summary, doubts);
    }
}
