package dev.neurontest.lease.table;

import dev.neurontest.lease.Quarantine;
import dev.neurontest.lease.store.LeasePrograms;
import dev.neurontest.lease.store.LeaseStore;
import dev.neurontest.lease.store.TableState;
import dev.neurontest.process.ProcessIdentity;
import dev.neurontest.process.ProcessTable;
import dev.neurontest.process.ProgramLock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The end of the quarantines of one core because a person says so. */
final class FreeingByHand {

    private final HostCores cores;
    private final LeaseStore store;
    private final LeasePrograms programs;
    private final CoreEdits edits;
    private final SeenQuarantines quarantines;

    FreeingByHand(
            HostCores cores, LeaseStore store, LeasePrograms programs, CoreEdits edits, SeenQuarantines quarantines) {
        this.cores = cores;
        this.store = store;
        this.programs = programs;
        this.edits = edits;
        this.quarantines = quarantines;
    }

    /** Frees a core, by its name on the table or by its number. */
    LeaseTable.Freed free(String core) {
        TableState state = store.state();
        List<String> wanted = List.of(cores.key(core));
        List<TableState.Barred> entries = state.barred().stream()
                .filter(entry -> TableState.share(wanted, List.of(entry.core())))
                .toList();
        Optional<String> refusal =
                Stream.concat(holders(state, wanted), users(entries)).findFirst();
        if (refusal.isPresent() || entries.isEmpty()) {
            return new LeaseTable.Freed(
                    List.of(), Optional.of(refusal.orElse("it is not in quarantine; is it a core of this host?")));
        }
        for (TableState.Barred entry : entries) {
            if (!edits.recover(entry, List.of())) {
                return new LeaseTable.Freed(List.of(), Optional.of("another process looks whether it is well"));
            }
            quarantines.ended(entry.number(), "a person freed the core");
        }
        return new LeaseTable.Freed(cores.quarantines(entries), Optional.empty());
    }

    private static Stream<String> holders(TableState state, List<String> wanted) {
        return state.claims().stream()
                .filter(claim -> TableState.share(wanted, claim.cores()))
                .map(claim -> "it is leased by %s (pid %s), which still runs".formatted(claim.holder(), claim.pid()));
    }

    private Stream<String> users(List<TableState.Barred> entries) {
        return entries.stream()
                .flatMap(entry -> entry.until() == Quarantine.Until.IDLE
                        ? Stream.of(entry)
                                .filter(driven -> store.lives(driven.jvm()))
                                .map(driven -> "pid %s, which may still drive it, runs".formatted(driven.pid()))
                        : programs(entry));
    }

    private Stream<String> programs(TableState.Barred entry) {
        LeasePrograms.Left left = programs.left(entry.processes(), entry.lock());
        if (left.lock() == ProgramLock.State.HELD) {
            return Stream.of(
                    "a program of %s still runs: a process has the lock of its lease".formatted(entry.holder()));
        }
        return left.processes().stream()
                .filter(process -> programs.life(process) == ProcessTable.Life.ALIVE)
                .map(ProcessIdentity::pid)
                .map(pid -> "process %s, which %s had started, still runs".formatted(pid, entry.holder()));
    }
}
