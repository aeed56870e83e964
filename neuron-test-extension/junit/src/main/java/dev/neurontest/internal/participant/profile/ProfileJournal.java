package dev.neurontest.internal.participant.profile;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.participant.Suspicion;
import dev.neurontest.internal.participant.Suspicions;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.process.ProgramLock;
import dev.neurontest.internal.profile.ProfilerObserver;
import java.util.Collection;
import java.util.List;

/**
 * An observer that reports profiler tools to the leases of the cores that they use. A tool that leaves a core in use makes the core
 * suspect.
 *
 * @param used collects the cores on which tools are started
 */
record ProfileJournal(TestJournal lines, TestCores cores, Suspicions suspicions, Collection<NeuronCore> used)
        implements ProfilerObserver {

    @Override
    public List<ProgramLock> locks(List<NeuronCore> on) {
        return cores.locks(on);
    }

    @Override
    public void started(ProcessHandle tool, List<NeuronCore> on) {
        used.addAll(on);
        cores.leasesOf(on).forEach(lease -> lease.startedProcess(tool));
    }

    @Override
    public void ended(ProcessHandle tool, boolean killed, List<Long> survivors, List<String> stillOwned) {
        cores.ended(tool, survivors);
        if (killed || !survivors.isEmpty() || !stillOwned.isEmpty()) {
            // A killed profiler tool leaves its cores in the same state as any other killed program.
            suspicions.add(Suspicion.abandoned(
                    List.copyOf(used),
                    "the profiler tool (pid %s) %s"
                            .formatted(
                                    tool.pid(),
                                    killed ? "was killed while it held the core" : "still has the device open")));
        }
    }

    @Override
    public void takesLong(String sentence) {
        lines.printLine(sentence);
    }
}
