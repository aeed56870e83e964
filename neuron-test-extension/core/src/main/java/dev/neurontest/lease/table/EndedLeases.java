package dev.neurontest.lease.table;

import dev.neurontest.lease.Quarantine;
import dev.neurontest.lease.store.CoreSlots;
import dev.neurontest.lease.store.CoreSlots.Content;
import dev.neurontest.lease.store.LeasePrograms;
import dev.neurontest.lease.store.LeaseStore;
import dev.neurontest.lease.store.TableState;
import dev.neurontest.lease.store.TableState.Barred;
import dev.neurontest.lease.store.TableState.Claim;
import dev.neurontest.process.ProgramLock;
import dev.neurontest.process.orphan.Orphans;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Detects JVMs that ended with leases, and programs that ended after them. No JVM is notified of that. So those who wait look now and then, and each JVM that joins.
 */
final class EndedLeases {

    private final LeaseStore store;
    private final CoreSlots slots;
    private final LeasePrograms programs;
    private final HostCores cores;
    private final SeenQuarantines quarantines;
    private final LeaseNews news;
    private final Duration between;
    private final Runnable change;
    private volatile long lookedAt;

    /**
     * Creates one that has not looked yet.
     *
     * @param between how often it is worth looking
     * @param change done when a core has come back or has come into quarantine
     */
    EndedLeases(
            LeaseStore store,
            LeasePrograms programs,
            HostCores cores,
            SeenQuarantines quarantines,
            LeaseNews news,
            Duration between,
            Runnable change) {
        this.store = store;
        this.change = change;
        this.slots = store.cores();
        this.programs = programs;
        this.cores = cores;
        this.quarantines = quarantines;
        this.news = news;
        this.between = between;
        this.lookedAt = System.nanoTime() - between.toNanos();
    }

    /** Looks unless that was done just now. */
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
        TableState state = store.state();
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
                write(
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

    /** Writes that a lease is over. */
    void write(TableState state, Claim claim, List<Integer> its, List<Barred> outlived) {
        boolean isObserved = state.claims().stream()
                .anyMatch(other ->
                        other.number() != claim.number() && TableState.neighbours(other.cores(), claim.cores()));
        for (int slot : its) {
            Content content = slots.content(slot);
            slots.write(
                    slot,
                    content.with((Claim) null)
                            .with(Stream.concat(
                                            content.barred().stream(),
                                            outlived.stream()
                                                    .filter(entry -> CoreSlots.slots(List.of(entry.core()))
                                                            .contains(slot)))
                                    .toList())
                            .after(
                                    isObserved
                                            ? Stream.concat(content.past().stream(), Stream.of(claim.past()))
                                                    .toList()
                                            : List.of()));
        }
        change.run();
    }

    private void end(Barred entry) {
        LeasePrograms.Left left = programs.left(entry.processes(), entry.lock());
        if (left.isNothing()) {
            if (replace(entry, Optional.empty(), List.of())) {
                quarantines.ended(entry.number(), "its processes have ended");
            }
        } else if (left.lock() == ProgramLock.State.FREE && !entry.lock().isEmpty()) {
            replace(entry, Optional.of(entry.until(left.processes(), "")), List.of());
        }
    }

    /**
     * Changes or ends a quarantine.
     *
     * @param locked slots that this JVM has locked already
     * @return false when another process has the core locked
     */
    boolean replace(Barred entry, Optional<Barred> by, List<Integer> locked) {
        return edit(
                CoreSlots.slots(List.of(entry.core())),
                locked,
                content -> content.with(content.barred().stream()
                        .flatMap(each -> each.number() == entry.number() ? by.stream() : Stream.of(each))
                        .toList()));
    }

    /** Changes the content of slots; false when one of them is locked. */
    boolean edit(List<Integer> wanted, List<Integer> locked, UnaryOperator<Content> step) {
        List<Integer> unlocked = new ArrayList<>(wanted);
        unlocked.removeAll(locked);
        unlocked.removeIf(slot -> isMine(slots.content(slot)));
        if (slots.lock(unlocked).isPresent()) {
            return false;
        }
        try {
            wanted.forEach(slot -> slots.write(slot, step.apply(slots.content(slot))));
            change.run();
            return true;
        } finally {
            slots.unlock(unlocked);
        }
    }

    private boolean isMine(Content content) {
        return content.claim() != null && content.claim().jvm().equals(store.self());
    }

    /**
     * Ends the quarantine of a core that is well. What was suspect before a reset of its device is no evidence after it.
     *
     * @return false when another process has the core locked
     */
    boolean recover(Barred entry, List<Integer> locked) {
        boolean done = replace(entry, Optional.empty(), locked);
        if (done && entry.until().compareTo(Quarantine.Until.RESET) >= 0) {
            CoreSlots.slots(List.of(entry.core())).stream()
                    .flatMap(slot -> CoreSlots.device(slot).stream())
                    .distinct()
                    .filter(slot -> !slots.content(slot).suspects().isEmpty())
                    .forEach(slot -> edit(List.of(slot), locked, content -> content.suspecting(List.of())));
        }
        return done;
    }
}
