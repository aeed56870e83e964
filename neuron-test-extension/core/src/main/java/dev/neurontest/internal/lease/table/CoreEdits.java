package dev.neurontest.internal.lease.table;

import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.store.CoreSlots;
import dev.neurontest.internal.lease.store.CoreSlots.Content;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseState.Claim;
import dev.neurontest.internal.lease.store.LeaseState.QuarantineEntry;
import dev.neurontest.internal.lease.store.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Changes of what the table has of cores, which need their locks. What another process has locked is changed later. */
final class CoreEdits {

    private final String self;
    private final CoreSlots slots;
    private final Runnable change;
    private final Runnable later;
    private final List<BooleanSupplier> undone = new ArrayList<>();

    /**
     * Creates one without changes.
     *
     * @param change done when a core has come back or has come into quarantine
     * @param later done when an edit has to be repeated
     */
    CoreEdits(LeaseStore store, Runnable change, Runnable later) {
        this.self = store.self();
        this.slots = store.cores();
        this.change = change;
        this.later = later;
    }

    /** Changes a core at once, or when {@link #repeat} can. It needs the lock of this JVM. */
    void edit(String core, UnaryOperator<Content> step) {
        List<Integer> wanted = CoreSlots.slots(List.of(core));
        attempt(() -> edit(wanted, ofThisJvm(wanted), step));
    }

    /** Changes or ends a quarantine at once, or when {@link #repeat} can. It needs the lock of this JVM. */
    void replace(QuarantineEntry entry, Optional<QuarantineEntry> by) {
        attempt(() -> replace(entry, by, ofThisJvm(CoreSlots.slots(List.of(entry.core())))));
    }

    private void attempt(BooleanSupplier edit) {
        if (!edit.getAsBoolean()) {
            undone.add(edit);
            later.run();
        }
    }

    /** Repeats what could not be done. It needs the lock of this JVM. */
    void repeat() {
        undone.removeIf(BooleanSupplier::getAsBoolean);
    }

    /** Returns whether nothing has to be repeated. */
    boolean isDone() {
        return undone.isEmpty();
    }

    private List<Integer> ofThisJvm(List<Integer> wanted) {
        return wanted.stream().filter(slot -> slots.isLeasedBy(slot, self)).toList();
    }

    /**
     * Changes or ends a quarantine.
     *
     * @param locked slots that this thread has locked already
     * @return false when another process has the core locked
     */
    boolean replace(QuarantineEntry entry, Optional<QuarantineEntry> by, List<Integer> locked) {
        return edit(
                CoreSlots.slots(List.of(entry.core())),
                locked,
                content -> content.with(content.barred().stream()
                        .flatMap(each -> each.number() == entry.number() ? by.stream() : Stream.of(each))
                        .toList()));
    }

    private boolean edit(List<Integer> wanted, List<Integer> locked, UnaryOperator<Content> step) {
        List<Integer> unlocked = new ArrayList<>(wanted);
        unlocked.removeAll(locked);
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

    /**
     * Ends the quarantine of a core that is well. What was suspect before a reset of its device is no evidence after it. It needs the
     * lock of this JVM.
     *
     * @param locked slots that this thread has locked already
     * @return false when another process has the core locked
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
        boolean isObserved = state.claims().stream()
                .anyMatch(other ->
                        other.number() != claim.number() && LeaseState.neighbours(other.cores(), claim.cores()));
        for (int slot : locked) {
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
}
