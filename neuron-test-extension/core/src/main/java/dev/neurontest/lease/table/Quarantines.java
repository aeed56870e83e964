package dev.neurontest.lease.table;

import dev.neurontest.lease.DeviceReading;
import dev.neurontest.lease.Quarantine;
import dev.neurontest.lease.store.CoreSlots;
import dev.neurontest.lease.store.CoreSlots.Content;
import dev.neurontest.lease.store.LeaseStore;
import dev.neurontest.lease.store.TableState;
import dev.neurontest.lease.store.TableState.Barred;
import dev.neurontest.lease.store.TableState.Claim;
import dev.neurontest.lease.store.TableState.Suspect;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Puts cores into quarantine, and ends that of cores which are well or not to blame. */
final class Quarantines {

    private final LeaseTable table;
    private final LeaseStore store;
    private final HealthChecks checks;
    private final SeenQuarantines seen;
    private final CoreEdits edits;

    Quarantines(LeaseTable table, LeaseStore store, HealthChecks checks, SeenQuarantines seen, CoreEdits edits) {
        this.table = table;
        this.store = store;
        this.checks = checks;
        this.seen = seen;
        this.edits = edits;
    }

    /**
     * Puts a core of a lease into quarantine. One that is suspect for the second time, after another test, needs a reset. It needs the lock
     * of this JVM.
     */
    void add(Claim claim, String core, Quarantine.Until until, String reason, DeviceReading device, String test) {
        Optional<Suspect> before = CoreSlots.slots(List.of(core)).stream()
                .flatMap(slot -> store.cores().content(slot).suspects().stream())
                .filter(each -> until.isSuspect() && each.isAgain(core, test, device))
                .findFirst();
        Instant now = Instant.now();
        Barred entry = before.map(each -> claim.bar(core, each.again(reason), Quarantine.Until.RESET, now, device))
                .orElseGet(() -> claim.bar(core, reason, until, now, device));
        edits.edit(core, content -> {
            Content barred = content.with(
                    Stream.concat(content.barred().stream(), Stream.of(entry)).toList());
            return until.isSuspect() && before.isEmpty() ? barred.suspecting(List.of(entry.suspect(test))) : barred;
        });
    }

    /** Takes back what this JVM suspects a core of. It needs the lock of this JVM. */
    void acquit(String core, String reason, String cause) {
        edits.edit(
                core,
                content -> content.suspecting(content.suspects().stream()
                        .filter(each -> !each.reason().equals(reason))
                        .toList()));
        for (Barred entry : store.state().barred()) {
            if (entry.jvm().equals(store.self()) && TableState.share(List.of(core), List.of(entry.core()))) {
                Optional<Barred> acquitted = entry.acquitted(reason, cause);
                if (!acquitted.equals(Optional.of(entry))) {
                    seen.ended(entry.number(), cause);
                    edits.replace(entry, acquitted);
                }
            }
        }
    }

    /**
     * Looks at cores in quarantine, one after another.
     *
     * @param kept slots that this thread has locked, which are given back
     */
    void examine(Predicate<Barred> which, List<Integer> kept) {
        try {
            List<Barred> due = table.locked(() -> table.isClosed() ? List.of() : checks.due(store.state()));
            for (Barred entry : due) {
                if (which.test(entry)) {
                    checks.lock(entry, kept).ifPresent(locked -> examine(entry, kept, locked));
                }
            }
        } finally {
            store.cores().unlock(kept);
            table.update();
        }
    }

    private void examine(Barred entry, List<Integer> kept, List<Integer> locked) {
        try {
            Optional<String> trouble = checks.trouble(entry);
            table.locked(() -> {
                checks.found(entry, trouble);
                if (!table.isClosed() && trouble.isEmpty()) {
                    edits.recover(
                            entry, Stream.concat(kept.stream(), locked.stream()).toList());
                    seen.ended(
                            entry.number(),
                            entry.until().isSuspect()
                                    ? "health and error counts are as before"
                                    : "the health check finds the core well");
                }
                return entry;
            });
        } finally {
            store.cores().unlock(locked);
        }
    }
}
