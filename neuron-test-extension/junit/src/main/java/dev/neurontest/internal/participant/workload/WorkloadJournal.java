package dev.neurontest.internal.participant.workload;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.process.ProgramLock;
import dev.neurontest.internal.workload.WorkloadObserver;
import dev.neurontest.workload.WorkloadResult;
import java.util.List;

/**
 * Tells the leases of a test which child processes use their cores, so that no test gets these while such a process lives,
 * even after the death of this JVM; and the run file how they ended.
 */
record WorkloadJournal(TestJournal lines, TestCores cores) implements WorkloadObserver {

    @Override
    public List<ProgramLock> locks(List<NeuronCore> used) {
        return cores.locks(used);
    }

    @Override
    public void started(ProcessHandle child, List<NeuronCore> used) {
        cores.leasesOf(used).forEach(lease -> lease.startedProcess(child));
    }

    @Override
    public void ended(ProcessHandle child, WorkloadResult result) {
        cores.ended(child, result.survivors());
        lines.append(new RunEvent.WorkloadEnded(
                lines.test(), String.join(" ", result.command()), child.pid(), result.toString()));
    }
}
