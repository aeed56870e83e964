package dev.neurontest.internal.participant.workload;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.participant.DeviceUse;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.process.ProgramLock;
import dev.neurontest.internal.workload.WorkloadObserver;
import dev.neurontest.workload.WorkloadResult;
import java.util.List;

/**
 * An observer that registers child processes with the leases of the cores that they use, and writes their ends to the run file. No other
 * test gets these cores while such a process runs, even after this JVM has died.
 */
record WorkloadJournal(TestJournal lines, TestCores cores, DeviceUse use) implements WorkloadObserver {

    @Override
    public List<ProgramLock> locks(List<NeuronCore> used) {
        return cores.locks(used);
    }

    @Override
    public void started(ProcessHandle child, List<NeuronCore> used) {
        cores.leasesOf(used).forEach(lease -> lease.startedProcess(child));
    }

    @Override
    public void startedOnDevice() {
        use.programStarted();
    }

    @Override
    public void ended(ProcessHandle child, WorkloadResult result) {
        if (result.simulated()) {
            use.simulated();
        }
        cores.ended(child, result.survivors());
        lines.append(new RunEvent.WorkloadEnded(
                lines.test(), String.join(" ", result.command()), child.pid(), result.toString()));
    }
}
