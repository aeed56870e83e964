package dev.neurontest.internal.participant.print;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.configuration.WorkloadPrints;
import dev.neurontest.internal.print.DelegatedFeed;
import dev.neurontest.internal.print.GivenFeed;
import dev.neurontest.internal.print.HeldCoresFeed;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.internal.print.child.ChildPrints;
import dev.neurontest.internal.print.child.ProgramPrints;
import dev.neurontest.internal.process.ProgramFiles;
import dev.neurontest.internal.process.ProgramFolder;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintSource;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The prints of programs on several hosts, by rank. They arrive when a workload has ended, because the files of a program are copied
 * then. The prints of a program are in its order, and the programs are ordered by rank, because the clocks of hosts differ.
 */
final class ClusterPrints implements DelegatedFeed {

    private static final int MOST_NAMED = 4;

    private final List<NeuronCore> cores;
    private final Set<String> prefixes;
    private final WorkloadPrints way;
    private final List<DevicePrint> prints = new ArrayList<>();
    private final List<OddEvent> odd = new ArrayList<>();
    private final List<PrintDoubt> doubts = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final List<PrintSource> sources = new ArrayList<>();
    private int started;
    private int ended;

    /**
     * Creates a feed.
     *
     * @param cores the cores of all hosts, in the order of the ranks
     * @param prefixes the expected prefixes
     */
    ClusterPrints(List<NeuronCore> cores, Set<String> prefixes, WorkloadPrints way) {
        this.cores = List.copyOf(cores);
        this.prefixes = prefixes;
        this.way = way;
    }

    /** Returns the folder for the prints of the programs of a workload that is being started. */
    synchronized ProgramFolder started() {
        started++;
        return new ProgramFolder(ProgramPrints.folderIn(Path.of("")).toString(), ChildPrints.OUTPUT_DIR, this::ended);
    }

    private synchronized void ended(List<ProgramFiles> programs) {
        ended++;
        programs.forEach(this::add);
    }

    private void add(ProgramFiles program) {
        PrintSource source = new PrintSource(program.rank(), program.host());
        if (!sources.contains(source)) {
            sources.add(source);
        }
        program.missing().ifPresent(reason -> missing.add(source + ": " + reason));
        program.folder().map(Path::getParent).ifPresent(folder -> {
            PrintFeed written = ProgramPrints.of(Optional.of(folder), "", Instant.now(), prefixes);
            PrintFeed held = new HeldCoresFeed(
                    written, cores.subList(program.firstCore(), program.firstCore() + program.cores()));
            held.prints().forEach(print -> prints.add(print.with(order(), Optional.of(source))));
            held.oddEvents().forEach(event -> odd.add(event.with(order(), source)));
            held.doubts().forEach(doubt -> doubts.add(new PrintDoubt(doubt.kind(), source + ": " + doubt.reason())));
            held.notices().forEach(notice -> notices.add(source + ": " + notice));
        });
    }

    private long order() {
        return prints.size() + odd.size();
    }

    @Override
    public void settle() {}

    @Override
    public synchronized PrintFeed source() {
        return new GivenFeed(
                List.copyOf(prints), List.copyOf(odd), allDoubts(), List.copyOf(notices), false, List.copyOf(sources));
    }

    private List<PrintDoubt> allDoubts() {
        List<PrintDoubt> all = new ArrayList<>();
        if (way != WorkloadPrints.FILES) {
            all.add(
                    new PrintDoubt(
                            PrintDoubt.Kind.UNAVAILABLE,
                            "With neuron.test.print.workloads=python, prints are read in the programs of one host only. Programs on several hosts need neuron.test.print.workloads=files."));
        }
        if (started > ended) {
            all.add(new PrintDoubt(
                    PrintDoubt.Kind.UNSETTLED,
                    "%s started, but the prints of only %s arrived: they arrive when a workload has ended, unless it sets %s itself."
                            .formatted(
                                    started == 1 ? "1 workload was" : started + " workloads were",
                                    ended,
                                    ChildPrints.OUTPUT_DIR)));
        }
        if (!missing.isEmpty()) {
            all.add(new PrintDoubt(
                    PrintDoubt.Kind.LOST,
                    "Prints of %s may be missing. %s."
                            .formatted(CountText.of(missing.size(), "program"), ListText.some(missing, MOST_NAMED))));
        }
        all.addAll(doubts);
        if (started == 0) {
            all.add(new PrintDoubt(
                    PrintDoubt.Kind.UNAVAILABLE, "No program was started on the hosts, so nothing could print."));
        }
        if (all.isEmpty() && prints.isEmpty() && odd.isEmpty()) {
            all.add(new PrintDoubt(
                    PrintDoubt.Kind.UNAVAILABLE,
                    "The programs wrote nothing to %s: they printed nothing, or do not honour it, and the runtime itself does not read it. Check it with a kernel that is known to print."
                            .formatted(ChildPrints.OUTPUT_DIR)));
        }
        return all;
    }
}
