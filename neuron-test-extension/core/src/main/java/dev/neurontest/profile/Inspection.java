package dev.neurontest.profile;

import dev.neurontest.device.DriverVersion;
import dev.neurontest.internal.neff.NeffHeader;
import dev.neurontest.internal.process.ProgramFiles;
import dev.neurontest.internal.profile.ProfilerContext;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builder of a profile from the traces that the runtime of a workload left. */
final class Inspection {

    private static final List<String> WORK = List.of("hardware_flops", "model_flops", "matmul_instruction_count");

    /** First runtime that skips executions, 2.35. It belongs to SDK 2.33. */
    private static final int SKIPS_SINCE_MAJOR = 2;

    private static final int SKIPS_SINCE_MINOR = 35;

    private final InspectCapture capture;
    private final Path folder;
    private final Path written;
    private final Optional<String> graphName;
    private final ProfileDraft draft;

    /**
     * The traces of one NEFF. Each core and process may have one trace.
     *
     * @param paired traces that, by their names, no other NEFF in the folder can have produced
     */
    private record Graph(InspectFiles.NeffFile neff, List<InspectFiles.NtffFile> traces, Set<Path> paired) {

        String name() {
            return neff.header()
                            .map(NeffHeader::name)
                            .filter(name -> !name.isEmpty())
                            .orElse("a NEFF") + " (" + neff.file().getFileName() + ")";
        }

        boolean isNamed(String part) {
            return neff.hash().contains(part)
                    || neff.file().getFileName().toString().contains(part)
                    || neff.header()
                            .filter(header -> header.name().contains(part)
                                    || header.hash().contains(part))
                            .isPresent();
        }
    }

    Inspection(ProfilerContext context, InspectCapture capture, Path folder) {
        this.capture = capture;
        this.folder = folder;
        this.written = InspectFiles.in(folder);
        this.graphName = Optional.ofNullable(capture.graph);
        this.draft = new ProfileDraft(context, context.deadline(), false, capture.exports);
    }

    Profile profile() {
        List<TracedExecution> judged = new ArrayList<>();
        List<TracedExecution> helpers = new ArrayList<>();
        String title = graphName.orElse("workloads");
        try {
            InspectFiles files = InspectFiles.await(written, capture.settlesWithin);
            List<Graph> graphs = graphs(files);
            if (graphs.isEmpty() && draft.doubts.isEmpty()) {
                draft.notCaptured(files.whyNone(written)
                        + (skips()
                                ? " A runtime from %s.%s on skips the first %s of each model: execute it more often, or set warmup = 0."
                                        .formatted(
                                                SKIPS_SINCE_MAJOR,
                                                SKIPS_SINCE_MINOR,
                                                CountText.of(capture.warmup, "execution"))
                                : ""));
            }
            Map<Graph, List<TracedExecution>> read = new LinkedHashMap<>();
            for (Graph graph : graphs) {
                read.put(
                        graph,
                        graphName.filter(part -> !graph.isNamed(part)).isPresent() ? unread(graph) : read(graph));
            }
            List<Graph> selected = selected(graphs, read);
            read.forEach((graph, executions) -> (selected.contains(graph) ? judged : helpers).addAll(executions));
            if (selected.size() == 1) {
                title = selected.get(0).name();
            }
            missingRanks(files, selected);
            missingPrograms(files);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            draft.notCaptured(
                    "The test was interrupted before all traces were viewed. They are in %s.".formatted(written));
        } catch (IOException e) {
            draft.notCaptured("The traces in %s cannot be listed (%s). Allow this user to read the folders in it."
                    .formatted(written, e));
        }
        if (!helpers.isEmpty()) {
            draft.notices.add("Other graphs ran too and are not judged: %s."
                    .formatted(helpers.stream()
                            .map(helper -> helper.neff().getFileName().toString())
                            .distinct()
                            .collect(Collectors.joining(", "))));
        }
        boolean warm = !judged.isEmpty() && judged.stream().allMatch(execution -> isWarm(execution.header()));
        return draft.profile(title, warm ? CaptureKind.INLINE_WARM : CaptureKind.INLINE, judged, helpers, folder);
    }

    /** Adds a doubt if a core or process loaded a judged graph but left no trace. That core may have been the slowest. */
    private void missingRanks(InspectFiles files, List<Graph> selected) {
        Set<String> keys = selected.stream().map(graph -> key(graph.neff())).collect(Collectors.toSet());
        List<String> missing = files.withoutTrace().stream()
                .filter(neff -> keys.contains(key(neff)))
                .map(neff -> written.relativize(neff.file()).toString())
                .toList();
        if (!missing.isEmpty()) {
            draft.doubts.add(new Doubt(
                    Doubt.Kind.INCOMPLETE_TRACE,
                    "There is no trace for %s in %s, although the runtime loaded the graph there. The missing part may be the slowest. Its process may have been killed%s. See the log of the process, and run it again."
                            .formatted(
                                    String.join(", ", missing),
                                    written,
                                    skips() ? ", or may have executed the graph only for warm-up" : "")));
        }
    }

    /** Adds a doubt if a program of a cluster left no trace, or its traces were not brought over. */
    private void missingPrograms(InspectFiles files) {
        List<ProgramFiles> traced = files.ntffs().stream()
                .flatMap(ntff -> capture.programs.of(written, ntff.file()).stream())
                .toList();
        if (!traced.isEmpty()) {
            capture.programs
                    .missing(traced::contains)
                    .ifPresent(reason -> draft.doubts.add(new Doubt(Doubt.Kind.INCOMPLETE_TRACE, reason)));
        }
    }

    private boolean skips() {
        return capture.mode == InspectCapture.Mode.MODEL && capture.warmup > 0;
    }

    /** Returns whether the runtime skipped the first executions. An older runtime presumably traces the first one anyway. */
    private boolean isWarm(Optional<NtffHeader> header) {
        return skips()
                && header.flatMap(NtffHeader::runtimeVersion)
                        .filter(version -> new DriverVersion(version).atLeast(SKIPS_SINCE_MAJOR, SKIPS_SINCE_MINOR))
                        .isPresent();
    }

    /** Groups the traces by NEFF. File names contain a hash that two NEFFs may share. The UUID in both files distinguishes them. */
    private List<Graph> graphs(InspectFiles files) {
        List<InspectFiles.NeffFile> neffs = files.neffs();
        Map<String, Graph> graphs = new LinkedHashMap<>();
        List<String> withoutNeff = new ArrayList<>();
        List<InspectFiles.NtffFile> ntffs = files.ntffs();
        boolean anyIsWritten = ntffs.stream().anyMatch(ntff -> ntff.size() > 0);
        for (InspectFiles.NtffFile ntff : ntffs) {
            if (ntff.hash().isEmpty() && ntff.size() == 0 && anyIsWritten) {
                draft.notices.add(
                        "%s is empty and left out: its core was opened and never used.".formatted(ntff.file()));
                continue;
            }
            Optional<InspectFiles.NeffFile> neff = neffOf(ntff, neffs);
            if (neff.isEmpty()) {
                withoutNeff.add(ntff.file().toString());
            } else {
                Graph graph = graphs.computeIfAbsent(
                        key(neff.get()), key -> new Graph(neff.get(), new ArrayList<>(), new HashSet<>()));
                graph.traces().add(ntff);
                if (isPairedByName(ntff, neffs)) {
                    graph.paired().add(ntff.file());
                }
            }
        }
        if (!withoutNeff.isEmpty()) {
            String reason =
                    "There is no NEFF for %s. Caches may hold it (TORCH_NEURONX_NEFF_CACHE_DIR, /var/tmp/neuron-compile-cache): let the workload compile into its own folder."
                            .formatted(String.join(", ", withoutNeff));
            if (graphs.isEmpty()) {
                draft.notCaptured(reason);
            } else {
                draft.notices.add(reason);
            }
        }
        return List.copyOf(graphs.values());
    }

    private static String key(InspectFiles.NeffFile neff) {
        return neff.header().map(NeffHeader::uuid).orElse(neff.hash());
    }

    /** Returns whether the hash in the file names identifies one graph. Each core has its own copy of the NEFF. */
    private static boolean isPairedByName(InspectFiles.NtffFile ntff, List<InspectFiles.NeffFile> neffs) {
        return near(ntff, neffs)
                        .filter(neff -> ntff.hash().equals(Optional.of(neff.hash())))
                        .map(Inspection::key)
                        .distinct()
                        .count()
                == 1;
    }

    private static Stream<InspectFiles.NeffFile> near(InspectFiles.NtffFile ntff, List<InspectFiles.NeffFile> neffs) {
        Path folder = ntff.file().getParent();
        return neffs.stream().filter(neff -> folder.equals(neff.file().getParent()));
    }

    private static Optional<InspectFiles.NeffFile> neffOf(
            InspectFiles.NtffFile ntff, List<InspectFiles.NeffFile> neffs) {
        List<InspectFiles.NeffFile> near = near(ntff, neffs).toList();
        List<InspectFiles.NeffFile> byHash = near.stream()
                .filter(neff -> ntff.hash().filter(neff.hash()::equals).isPresent())
                .toList();
        Optional<String> executed = ntff.header().flatMap(NtffHeader::neffUuid);
        Optional<InspectFiles.NeffFile> byBoth = sameUuid(byHash, executed);
        if (byBoth.isPresent() || !byHash.isEmpty()) {
            return byBoth.or(() -> byHash.stream().findFirst());
        }
        Optional<InspectFiles.NeffFile> byUuid = sameUuid(near, executed);
        return byUuid.isPresent() || near.size() != 1 || ntff.hash().isPresent() ? byUuid : Optional.of(near.get(0));
    }

    private static Optional<InspectFiles.NeffFile> sameUuid(
            List<InspectFiles.NeffFile> neffs, Optional<String> executed) {
        return neffs.stream()
                .filter(neff -> executed.isPresent()
                        && neff.header().flatMap(NtffHeader::keptUuid).equals(executed))
                .findFirst();
    }

    private List<TracedExecution> unread(Graph graph) {
        return traces(graph)
                .map(trace -> draft.unread(graph.neff().file(), trace))
                .toList();
    }

    private List<TracedExecution> read(Graph graph) throws InterruptedException {
        List<TracedExecution> executions = new ArrayList<>();
        for (TraceFiles.Trace trace : traces(graph).toList()) {
            boolean warm = isWarm(NtffHeader.read(trace.file()).header());
            List<Doubt> doubts = capture.mode == InspectCapture.Mode.MODEL && !warm
                    ? List.of(ValidityChecks.firstExecution(trace.file()))
                    : List.of();
            TraceFiles.Trace numbered = warm
                    ? new TraceFiles.Trace(trace.file(), trace.rank(), trace.host(), capture.warmup + 1, trace.size())
                    : trace;
            TraceOrigin origin = graph.paired().contains(trace.file()) ? TraceOrigin.PAIRED_BY_NAME : TraceOrigin.GIVEN;
            executions.addAll(draft.read(graph.neff().file(), graph.neff().header(), numbered, origin, doubts, folder));
        }
        return executions;
    }

    /**
     * Returns the traces with ranks. File names do not contain ranks, therefore they are counted over processes and then over their cores,
     * separately for each program of a cluster.
     */
    private Stream<TraceFiles.Trace> traces(Graph graph) {
        List<InspectFiles.NtffFile> sorted = graph.traces().stream()
                .sorted(Comparator.comparing((InspectFiles.NtffFile ntff) ->
                                ntff.file().getParent().toString())
                        .thenComparingInt(InspectFiles.NtffFile::core))
                .toList();
        Map<Optional<ProgramFiles>, List<InspectFiles.NtffFile>> byProgram = sorted.stream()
                .collect(Collectors.groupingBy(
                        ntff -> capture.programs.of(written, ntff.file()), LinkedHashMap::new, Collectors.toList()));
        List<TraceFiles.Trace> traces = new ArrayList<>();
        byProgram.forEach((program, ntffs) -> {
            boolean alone = program.isEmpty() && ntffs.size() == 1;
            boolean byCore = program.isPresent() && areAllCoresOf(program.get(), ntffs);
            int first = program.map(ProgramFiles::firstCore).orElse(0);
            for (int position = 0; position < ntffs.size(); position++) {
                InspectFiles.NtffFile ntff = ntffs.get(position);
                traces.add(new TraceFiles.Trace(
                        ntff.file(),
                        alone ? OptionalInt.empty() : OptionalInt.of(first + (byCore ? ntff.core() : position)),
                        program.map(ProgramFiles::host),
                        1,
                        ntff.size()));
            }
        });
        return traces.stream();
    }

    /** Returns whether the traces have different core numbers within the cores of their program. */
    private static boolean areAllCoresOf(ProgramFiles program, List<InspectFiles.NtffFile> ntffs) {
        return ntffs.stream().allMatch(ntff -> ntff.core() < program.cores())
                && ntffs.stream().map(InspectFiles.NtffFile::core).distinct().count() == ntffs.size();
    }

    private List<Graph> selected(List<Graph> graphs, Map<Graph, List<TracedExecution>> read) {
        List<Graph> selected = graphName.isPresent()
                ? graphs.stream()
                        .filter(graph -> graph.isNamed(graphName.get()))
                        .toList()
                : working(graphs, read);
        if (selected.isEmpty() && !graphs.isEmpty()) {
            draft.notCaptured("No graph is named \"%s\". The graphs are: %s. Correct graph(...)."
                    .formatted(graphName.orElse(""), names(graphs)));
        }
        if (selected.size() > 1) {
            draft.doubts.add(new Doubt(
                    Doubt.Kind.AMBIGUOUS_GRAPH,
                    "Several graphs match: %s. Choose one with graph(\"...\").".formatted(names(selected))));
        }
        return selected;
    }

    /**
     * Returns the graphs that contain matmuls. Graphs that copy, change layouts or wait have none. A graph that cannot be viewed might be
     * the intended one and is included. If no graph has matmuls, all graphs are returned.
     */
    private static List<Graph> working(List<Graph> graphs, Map<Graph, List<TracedExecution>> read) {
        List<Graph> working = graphs.stream()
                .filter(graph -> {
                    List<ProfileSummary> summaries = read.getOrDefault(graph, List.of()).stream()
                            .map(TracedExecution::summary)
                            .toList();
                    return summaries.stream().allMatch(ProfileSummary.NONE::equals)
                            || summaries.stream().anyMatch(Inspection::hasWork);
                })
                .toList();
        return working.isEmpty() ? graphs : working;
    }

    private static boolean hasWork(ProfileSummary summary) {
        return WORK.stream().anyMatch(metric -> summary.number(metric).orElse(0) > 0);
    }

    private static String names(List<Graph> graphs) {
        return ListText.of(graphs, Graph::name);
    }
}
