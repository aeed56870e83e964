package dev.neurontest;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.evidence.RunFile;
import dev.neurontest.evidence.TestId;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.capture.ProfilerObserver;
import java.util.List;

/** Tells the leases of a test which profiler tools use their cores, and the run file what they made. */
record ProfileJournal(RunFile runFile, TestId test, TestCores cores, Suspicions suspicions)
        implements ProfilerObserver {

    @Override
    public void started(ProcessHandle tool, List<NeuronCore> used) {
        cores.leasesOf(used).forEach(lease -> lease.startedProcess(tool));
    }

    @Override
    public void ended(ProcessHandle tool, boolean killed, List<Long> survivors, List<String> stillOwned) {
        cores.ended(tool, survivors);
        if (killed || !survivors.isEmpty() || !stillOwned.isEmpty()) {
            suspicions.afterTool(tool, killed);
        }
    }

    @Override
    public void made(Profile profile) {
        runFile.append(test, profile);
    }
}
