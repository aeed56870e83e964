package dev.neurontest.internal.lifecycle.lease;

import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.lease.DeadHolder;
import dev.neurontest.internal.lease.LeaseObserver;
import dev.neurontest.internal.lease.Quarantine;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** A journal that writes core events outside the lifecycles of this JVM's tests to the run file. */
@API(status = API.Status.INTERNAL, since = "0.1")
public record LeaseJournal(RunFile runFile) implements LeaseObserver {

    @Override
    public void holderDied(DeadHolder dead) {
        // The test that was running is more informative than a class that holds cores for its tests.
        Optional<RunEvent.PhaseStarted> last = runFile.inFlight(dead.pid(), dead.holder());
        runFile.append(new RunEvent.HolderDied(
                dead.pid(),
                last.map(started -> started.test().name()).orElse(dead.holder()),
                TestLease.names(dead.cores()),
                last.map(RunEvent.PhaseStarted::phase).orElse(null),
                dead.survivors().stream().map(String::valueOf).toList()));
    }

    @Override
    public void quarantined(Quarantine quarantine) {
        runFile.append(new RunEvent.Quarantined(
                quarantine.holder(),
                List.of(quarantine.core()),
                quarantine.reason(),
                quarantine.pid(),
                quarantine.until().isSuspect()));
    }

    @Override
    public void cleared(Quarantine quarantine, String how) {
        runFile.append(new RunEvent.QuarantineEnded(quarantine.core(), quarantine.reason(), how));
    }

    @Override
    public void warned(String notice) {
        runFile.append(new RunEvent.Noticed(null, notice));
    }

    /** Prints the wait for people who watch the run; the run file contains each wait after it has ended. */
    @Override
    public void waiting(String notice) {
        runFile.printLine(notice);
    }
}
