package dev.neurontest;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.RunFile;
import dev.neurontest.evidence.TestId;
import dev.neurontest.lease.Lease;
import dev.neurontest.workload.WorkloadObserver;
import dev.neurontest.workload.WorkloadResult;
import java.util.List;

/**
 * Tells the leases of a test which child processes use their cores, so that nobody gets these while such a process lives,
 * even after the death of this JVM; and the run file how they ended.
 */
record WorkloadJournal(RunFile runFile, TestId test, TestCores cores) implements WorkloadObserver {

    @Override
    public void started(ProcessHandle child, List<NeuronCore> used) {
        leasesOf(used).forEach(lease -> lease.startedProcess(child));
    }

    @Override
    public void ended(ProcessHandle child, WorkloadResult result) {
        // What even SIGKILL did not end keeps the cores until it has ended all the same.
        result.survivors().stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .forEach(survivor -> cores.leases().forEach(lease -> lease.startedProcess(survivor)));
        cores.leases().forEach(lease -> lease.endedProcess(child));
        runFile.append(
                new RunEvent.WorkloadEnded(test, String.join(" ", result.command()), child.pid(), result.toString()));
    }

    private List<Lease> leasesOf(List<NeuronCore> used) {
        return cores.leases().stream()
                .filter(lease -> lease.cores().stream().anyMatch(used::contains))
                .toList();
    }
}
