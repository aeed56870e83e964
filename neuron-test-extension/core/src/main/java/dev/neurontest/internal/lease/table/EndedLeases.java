package dev.neurontest.internal.lease.table;

import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.store.CoreSlots;
import dev.neurontest.internal.lease.store.LeasePrograms;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseState.Claim;
import dev.neurontest.internal.lease.store.LeaseState.QuarantineEntry;
import dev.neurontest.internal.lease.store.LeaseStore;
import dev.neurontest.internal.process.ProgramLock;
import dev.neurontest.internal.process.orphan.Orphans;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Detector of JVMs that ended with leases, and of programs that ended after them. A dead JVM cannot notify others. So a waiting
 * JVM polls regularly, and each JVM polls when it joins.
 */
final class EndedLeases {

    private final LeaseStore store;
    private final CoreSlots slots;
    private final LeasePrograms programs;
    private final HostCores cores;
    private final SeenQuarantines quarantines;
    private final LeaseNews news;
    private final Duration between;
    private final CoreEdits edits;
    private volatile long lookedAt;

    /**
     * Creates a detector that has not polled yet.
     *
     * @param between the minimum interval between two polls
     */
    EndedLeases(
            LeaseStore store,
            LeasePrograms programs,
            HostCores cores,
            SeenQuarantines quarantines,
            LeaseNews news,
            CoreEdits edits,
            Duration between) {
        this.store = store;
        this.edits = edits;
        this.slots = store.cores();
        this.programs = programs;
        this.cores = cores;
        this.quarantines = quarantines;
        this.news = news;
        this.between = between;
        this.lookedAt = System.nanoTime() - between.toNanos();
    }

    /** Polls for leases of ended JVMs, unless the last poll is recent. */
    synchronized void pollWhenDue() {
        if (isDue()) {
            poll();
        }
    }

    /** Checks whether the last poll is old enough. */
    boolean isDue() {
        return System.nanoTime() - lookedAt >= between.toNanos() / 2;
    }

    /** Releases the leases of ended JVMs, and ends quarantines of ended processes. The caller needs no lock of this JVM. */
    synchronized void poll() {
        lookedAt = System.nanoTime();
        LeaseState state = store.state();
        for (Claim claim : state.claims()) {
            if (!claim.jvm().equals(store.self())) {
                end(claim);
            }
        }
        for (QuarantineEntry entry : state.barred()) {
            if (entry.until() == Quarantine.Until.PROCESSES_END && !state.isHeld(entry)) {
                end(entry);
            }
        }
    }

    private void end(Claim claim) {
        List<Integer> claimed = CoreSlots.slots(claim.cores()).stream()
                .filter(slot -> slots.content(slot).isOf(claim.number()))
                .toList();
        if (claimed.isEmpty() || slots.lock(claimed).isPresent()) {
            return;
        }
        try {
            if (claimed.stream().allMatch(slot -> slots.content(slot).isOf(claim.number()))) {
                LeasePrograms.Remaining remaining = programs.remaining(claim.processes(), claim.lock());
                edits.end(
                        store.state(),
                        claim,
                        claimed,
                        remaining.isNothing()
                                ? List.of()
                                : claim.outlivedBy(
                                        remaining,
                                        "the lease ended with its JVM %s while %s"
                                                .formatted(claim.pid(), programs.running(remaining))));
                news.report(observer -> observer.holderDied(cores.dead(claim, remaining.processes())));
                if (!remaining.isNothing()) {
                    news.add(() -> Orphans.end().reports().forEach(news::warn));
                }
            }
        } finally {
            slots.unlock(claimed);
        }
    }

    private void end(QuarantineEntry entry) {
        LeasePrograms.Remaining remaining = programs.remaining(entry.processes(), entry.lock());
        if (remaining.isNothing()) {
            if (edits.replace(entry, Optional.empty(), List.of())) {
                quarantines.ended(entry.number(), "its processes have ended");
            }
        } else if (remaining.lock() == ProgramLock.State.FREE && !entry.lock().isEmpty()) {
            edits.replace(entry, Optional.of(entry.until(remaining.processes(), "")), List.of());
        }
    }
}
