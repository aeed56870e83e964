package dev.neurontest.internal.lease.table;

import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.store.CoreSlots;
import dev.neurontest.internal.lease.store.CoreSlots.Content;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseState.Claim;
import dev.neurontest.internal.lease.store.LeaseState.EndedLease;
import dev.neurontest.internal.lease.store.LeaseState.QuarantineEntry;
import dev.neurontest.internal.lease.store.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Changes of the stored content of cores. A change needs the lock of the core. If another process holds that lock, the change is
 * repeated later.
 */
final class CoreEdits {

    private final String self;
    private final CoreSlots slots;
    private final Runnable change;
    private final Runnable later;
    private final List<BooleanSupplier> undone = new ArrayList<>();

    /**
     * Creates an instance without pending changes.
     *
     * @param change called when a core was released or put into quarantine
     * @param later called when a change must be repeated
     */
    CoreEdits(LeaseStore store, Runnable change, Runnable later) {
        this.self = store.self();
        this.slots = store.cores();
        this.change = change;
        this.later = later;
    }

    /** Updates a core at once, or later in {@link #repeat}. The caller must hold the lock of this JVM. */
    void edit(String core, UnaryOperator<Content> step) {
        List<Integer> coreSlots = CoreSlots.slots(List.of(core));
        attempt(() -> edit(coreSlots, ofThisJvm(coreSlots), step));
    }

    /** Updates or ends a quarantine at once, or later in {@link #repeat}. The caller must hold the lock of this JVM. */
    void replace(QuarantineEntry entry, Optional<QuarantineEntry> by) {
        attempt(() -> replace(entry, by, ofThisJvm(CoreSlots.slots(List.of(entry.core())))));
    }

    private void attempt(BooleanSupplier edit) {
        if (!edit.getAsBoolean()) {
            undone.add(edit);
            later.run();
        }
    }

    /** Repeats pending changes. The caller must hold the lock of this JVM. */
    void repeat() {
        if (!undone.isEmpty()) {
            undone.removeIf(BooleanSupplier::getAsBoolean);
        }
    }

    /** Checks whether no change is pending. */
    boolean isDone() {
        return undone.isEmpty();
    }

    private List<Integer> ofThisJvm(List<Integer> coreSlots) {
        return coreSlots.stream().filter(slot -> slots.isLeasedBy(slot, self)).toList();
    }

    /**
     * Updates or ends a quarantine.
     *
     * @param locked slots already locked by this thread
     * @return false if another process has locked the core
     */
    boolean replace(QuarantineEntry entry, Optional<QuarantineEntry> by, List<Integer> locked) {
        return edit(
                CoreSlots.slots(List.of(entry.core())),
                locked,
                content -> content.with(content.barred().stream()
                        .flatMap(each -> each.number() == entry.number() ? by.stream() : Stream.of(each))
                        .toList()));
    }

    private boolean edit(List<Integer> coreSlots, List<Integer> locked, UnaryOperator<Content> step) {
        List<Integer> unlocked = new ArrayList<>(coreSlots);
        unlocked.removeAll(locked);
        if (slots.lock(unlocked).isPresent()) {
            return false;
        }
        try {
            coreSlots.forEach(slot -> slots.write(slot, step.apply(slots.content(slot))));
            change.run();
            return true;
        } finally {
            slots.unlock(unlocked);
        }
    }

    /**
     * Ends the quarantine of a healthy core. Suspicions from before a reset of the device are discarded, because they prove
     * nothing after it. The caller must hold the lock of this JVM.
     *
     * @param locked slots already locked by this thread
     * @return false if another process has locked the core
     */
    boolean recover(QuarantineEntry entry, List<Integer> locked) {
        boolean done = replace(entry, Optional.empty(), locked);
        if (done && entry.until().compareTo(Quarantine.Until.RESET) >= 0) {
            CoreSlots.slots(List.of(entry.core())).stream()
                    .flatMap(slot -> CoreSlots.device(slot).stream())
                    .distinct()
                    .filter(slot -> !slots.content(slot).suspects().isEmpty())
                    .forEach(slot -> edit(
                            List.of(slot),
                            Stream.concat(locked.stream(), ofThisJvm(List.of(slot)).stream())
                                    .toList(),
                            content -> content.suspecting(List.of())));
        }
        return done;
    }

    /** Ends a lease in slots that this thread has locked. */
    void end(LeaseState state, Claim claim, List<Integer> locked, List<QuarantineEntry> outlived) {
        boolean isObserved = false;
        for (Claim other : state.claims()) {
            isObserved |= other.number() != claim.number() && LeaseState.neighbours(other.cores(), claim.cores());
        }
        for (int slot : locked) {
            Content content = slots.content(slot);
            List<QuarantineEntry> barred = new ArrayList<>(content.barred());
            for (QuarantineEntry entry : outlived) {
                if (CoreSlots.slots(List.of(entry.core())).contains(slot)) {
                    barred.add(entry);
                }
            }
            List<EndedLease> past = new ArrayList<>();
            if (isObserved) {
                past.addAll(content.past());
                past.add(claim.past());
            }
            slots.write(slot, content.with((Claim) null).with(barred).after(past));
        }
        change.run();
    }
}
