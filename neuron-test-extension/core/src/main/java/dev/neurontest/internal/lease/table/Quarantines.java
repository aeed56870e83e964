package dev.neurontest.internal.lease.table;

import dev.neurontest.internal.lease.DeviceReading;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.store.CoreSlots;
import dev.neurontest.internal.lease.store.CoreSlots.Content;
import dev.neurontest.internal.lease.store.LeasePrograms;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseState.Claim;
import dev.neurontest.internal.lease.store.LeaseState.QuarantineEntry;
import dev.neurontest.internal.lease.store.LeaseState.Suspect;
import dev.neurontest.internal.lease.store.LeaseStore;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.internal.process.ProgramLock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The quarantines of cores. They end when a core is healthy, not the cause, or freed by a person. */
final class Quarantines {

    private final LeaseTable table;
    private final LeaseStore store;
    private final LeasePrograms programs;
    private final HostCores cores;
    private final HealthChecks checks;
    private final SeenQuarantines reported;
    private final CoreEdits edits;

    Quarantines(
            LeaseTable table,
            LeaseStore store,
            LeasePrograms programs,
            HostCores cores,
            HealthChecks checks,
            SeenQuarantines reported,
            CoreEdits edits) {
        this.table = table;
        this.store = store;
        this.programs = programs;
        this.cores = cores;
        this.checks = checks;
        this.reported = reported;
        this.edits = edits;
    }

    /**
     * Puts a core of a lease into quarantine. A core that is suspect a second time, after another test, needs a reset. The caller
     * must hold the lock of this JVM.
     */
    void add(Claim claim, String core, Quarantine.Until until, String reason, DeviceReading device, String test) {
        Optional<Suspect> before = CoreSlots.slots(List.of(core)).stream()
                .flatMap(slot -> store.cores().content(slot).suspects().stream())
                .filter(each -> until.isSuspect() && each.isAgain(core, test, device))
                .findFirst();
        Instant now = Instant.now();
        QuarantineEntry entry = before.map(
                        each -> claim.bar(core, each.again(reason), Quarantine.Until.RESET, now, device))
                .orElseGet(() -> claim.bar(core, reason, until, now, device));
        edits.edit(core, content -> {
            Content barred = content.with(
                    Stream.concat(content.barred().stream(), Stream.of(entry)).toList());
            return until.isSuspect() && before.isEmpty() ? barred.suspecting(List.of(entry.suspect(test))) : barred;
        });
    }

    /** Removes a suspicion of this JVM against a core. The caller must hold the lock of this JVM. */
    void acquit(String core, String reason, String cause) {
        edits.edit(
                core,
                content -> content.suspecting(content.suspects().stream()
                        .filter(each -> !each.reason().equals(reason))
                        .toList()));
        for (QuarantineEntry entry : store.state().barred()) {
            if (entry.jvm().equals(store.self()) && LeaseState.share(List.of(core), List.of(entry.core()))) {
                Optional<QuarantineEntry> acquitted = entry.acquitted(reason, cause);
                if (!acquitted.equals(Optional.of(entry))) {
                    reported.ended(entry.number(), cause);
                    edits.replace(entry, acquitted);
                }
            }
        }
    }

    /**
     * Checks cores in quarantine, one after another.
     *
     * @param kept slots locked by this thread, unlocked afterwards
     */
    void examine(Predicate<QuarantineEntry> which, List<Integer> kept) {
        try {
            for (QuarantineEntry entry : table.due()) {
                if (which.test(entry)) {
                    checks.lock(entry, kept).ifPresent(locked -> examine(entry, kept, locked));
                }
            }
        } finally {
            store.cores().unlock(kept);
            table.update();
        }
    }

    private void examine(QuarantineEntry entry, List<Integer> kept, List<Integer> locked) {
        try {
            Optional<String> trouble = checks.trouble(entry);
            table.locked(() -> {
                checks.found(entry, trouble);
                if (!table.isClosed() && trouble.isEmpty()) {
                    edits.recover(
                            entry, Stream.concat(kept.stream(), locked.stream()).toList());
                    reported.ended(
                            entry.number(),
                            entry.until().isSuspect()
                                    ? "health and error counts are as before"
                                    : "the health check found the core healthy");
                }
                return entry;
            });
        } finally {
            store.cores().unlock(locked);
        }
    }

    /**
     * Ends the quarantines of a core on request of a person. The core is given by its name in the table or by its number. The
     * caller must hold the lock of this JVM.
     */
    LeaseTable.Freed free(String core) {
        LeaseState state = store.state();
        List<String> requested = List.of(cores.key(core));
        List<QuarantineEntry> entries = state.barred().stream()
                .filter(entry -> LeaseState.share(requested, List.of(entry.core())))
                .toList();
        Optional<String> refusal =
                Stream.concat(holders(state, requested), users(entries)).findFirst();
        if (refusal.isPresent() || entries.isEmpty()) {
            return new LeaseTable.Freed(
                    List.of(), Optional.of(refusal.orElse("it is not in quarantine; is it a core of this host?")));
        }
        for (QuarantineEntry entry : entries) {
            if (!edits.recover(entry, List.of())) {
                return new LeaseTable.Freed(List.of(), Optional.of("another process is checking its health"));
            }
            reported.ended(entry.number(), "a person freed the core");
        }
        return new LeaseTable.Freed(cores.quarantines(entries), Optional.empty());
    }

    private static Stream<String> holders(LeaseState state, List<String> requested) {
        return state.claims().stream()
                .filter(claim -> LeaseState.share(requested, claim.cores()))
                .map(claim -> "it is leased by %s (pid %s), which still runs".formatted(claim.holder(), claim.pid()));
    }

    private Stream<String> users(List<QuarantineEntry> entries) {
        return entries.stream()
                .flatMap(entry -> entry.until() == Quarantine.Until.IDLE
                        ? Stream.of(entry)
                                .filter(driven -> store.isAlive(driven.jvm()))
                                .map(driven -> "pid %s still runs and may use it".formatted(driven.pid()))
                        : programs(entry));
    }

    private Stream<String> programs(QuarantineEntry entry) {
        LeasePrograms.Remaining remaining = programs.remaining(entry.processes(), entry.lock());
        if (remaining.lock() == ProgramLock.State.HELD) {
            return Stream.of(
                    "a program of %s still runs: a process holds the lock of its lease".formatted(entry.holder()));
        }
        return remaining.processes().stream()
                .filter(process -> programs.liveness(process) == ProcessTable.Liveness.ALIVE)
                .map(ProcessIdentity::pid)
                .map(pid -> "process %s, which %s had started, still runs".formatted(pid, entry.holder()));
    }
}
