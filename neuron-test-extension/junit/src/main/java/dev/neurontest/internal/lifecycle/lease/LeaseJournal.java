package dev.neurontest.internal.lifecycle.lease;

import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.lease.DeadHolder;
import dev.neurontest.internal.lease.LeaseObserver;
import dev.neurontest.internal.lease.Quarantine;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Writes into the run file what happens to cores outside the lives of this JVM's tests.
 *
 * @param runFile of this JVM
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record LeaseJournal(RunFile runFile) implements LeaseObserver {

    @Override
    public void holderDied(DeadHolder dead) {
        // A class that holds cores for its tests says less than the one of them that was running.
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

    /** For those who look at the run; the run file has each wait when it is over. */
    @Override
    public void waiting(String notice) {
        runFile.say(notice);
    }
}
