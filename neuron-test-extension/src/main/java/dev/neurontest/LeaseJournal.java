package dev.neurontest;

import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.RunFile;
import dev.neurontest.lease.DeadHolder;
import dev.neurontest.lease.LeaseObserver;
import dev.neurontest.lease.Quarantine;
import java.util.List;

/** Writes into the run file what happens to cores outside the lives of this JVM's tests. */
record LeaseJournal(RunFile runFile) implements LeaseObserver {

    @Override
    public void holderDied(DeadHolder dead) {
        runFile.append(new RunEvent.HolderDied(
                dead.pid(),
                dead.holder(),
                TestLease.names(dead.cores()),
                runFile.lastPhaseOf(dead.pid(), dead.holder()).orElse(null),
                dead.survivors().stream().map(String::valueOf).toList()));
    }

    @Override
    public void quarantined(Quarantine quarantine) {
        runFile.append(new RunEvent.Quarantined(
                quarantine.holder(), List.of(quarantine.core()), quarantine.reason(), quarantine.pid()));
    }

    @Override
    public void cleared(Quarantine quarantine, String how) {
        runFile.append(new RunEvent.QuarantineEnded(quarantine.core(), how));
    }

    @Override
    public void warned(String notice) {
        runFile.append(new RunEvent.Noticed(null, notice));
    }
}
