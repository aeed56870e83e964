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
 * Detects JVMs that ended with leases, and programs that ended after them. Nothing notifies other JVMs of that: a JVM that
 * waits searches for them now and then, and each JVM does when it joins.
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
     * Creates one that has not looked yet.
     *
     * @param between how often it is worth looking
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

    /** Searches for leases of ended JVMs, unless that was done just now. */
    synchronized void lookWhenDue() {
        if (isDue()) {
            look();
        }
    }

    /** Returns whether it was not done just now. */
    boolean isDue() {
        return System.nanoTime() - lookedAt >= between.toNanos() / 2;
    }

    /** Takes from JVMs that have ended what they had, and ends quarantines. It needs no lock of this JVM. */
    synchronized void look() {
        lookedAt = System.nanoTime();
        LeaseState state = store.state();
        state.claims().stream()
                .filter(claim -> !claim.jvm().equals(store.self()))
                .forEach(this::end);
        state.barred().stream()
                .filter(entry -> entry.until() == Quarantine.Until.PROCESSES_END && !state.isHeld(entry))
                .forEach(this::end);
    }

    private void end(Claim claim) {
        List<Integer> its = CoreSlots.slots(claim.cores()).stream()
                .filter(slot -> slots.content(slot).isOf(claim.number()))
                .toList();
        if (its.isEmpty() || slots.lock(its).isPresent()) {
            return;
        }
        try {
            if (its.stream().allMatch(slot -> slots.content(slot).isOf(claim.number()))) {
                LeasePrograms.Left left = programs.left(claim.processes(), claim.lock());
                edits.end(
                        store.state(),
                        claim,
                        its,
                        left.isNothing()
                                ? List.of()
                                : claim.outlivedBy(
                                        left,
                                        "the lease ended with its JVM %s while %s"
                                                .formatted(claim.pid(), programs.running(left))));
                news.report(told -> told.holderDied(cores.dead(claim, left.processes())));
                if (!left.isNothing()) {
                    news.add(() -> Orphans.end().reports().forEach(news::warn));
                }
            }
        } finally {
            slots.unlock(its);
        }
    }

    private void end(QuarantineEntry entry) {
        LeasePrograms.Left left = programs.left(entry.processes(), entry.lock());
        if (left.isNothing()) {
            if (edits.replace(entry, Optional.empty(), List.of())) {
                quarantines.ended(entry.number(), "its processes have ended");
            }
        } else if (left.lock() == ProgramLock.State.FREE && !entry.lock().isEmpty()) {
            edits.replace(entry, Optional.of(entry.until(left.processes(), "")), List.of());
        }
    }
}
