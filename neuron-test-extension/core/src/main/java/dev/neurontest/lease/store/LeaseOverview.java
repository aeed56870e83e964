package dev.neurontest.lease.store;

import dev.neurontest.lease.LeaseTableException;
import dev.neurontest.lease.Quarantine;
import dev.neurontest.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a table of leases says at one moment, for a reader: nothing is made, joined or changed.
 *
 * @param jvms how many JVMs share the table and live
 * @param held the longest held first
 * @param waiting first come, first
 * @param quarantines cores that no test gets
 * @param skipped files that no JVM made, with the reason
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record LeaseOverview(
        int jvms, List<Held> held, List<Waiting> waiting, List<Quarantine> quarantines, List<String> skipped) {

    private static final String LOCK = "lock";
    private static final String TABLE = "table";

    /**
     * A lease.
     *
     * @param cores by the names of their physical cores
     * @param holder the test
     * @param pid its JVM
     * @param since when it was granted, by the system's clock
     * @param alive false when the JVM has ended; the next JVM that leases gives its cores back
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Held(List<String> cores, String holder, long pid, Instant since, boolean alive) {

        /**
         * Keeps its own copy.
         *
         * @param cores by the names of their physical cores
         * @param holder the test
         * @param pid its JVM
         * @param since when it was granted
         * @param alive false when the JVM has ended
         */
        public Held {
            cores = List.copyOf(cores);
        }
    }

    /**
     * A test that waits.
     *
     * @param holder the test
     * @param wants in the user's words
     * @param pid its JVM; 0 when that is not known any more
     * @param alive false when the JVM has ended
     * @param passedOver whether the JVM does not answer, so that others are served before it
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Waiting(String holder, String wants, long pid, boolean alive, boolean passedOver) {}

    /**
     * Keeps its own copies.
     *
     * @param jvms how many share the table and live
     * @param held the longest held first
     * @param waiting first come, first
     * @param quarantines cores that no test gets
     * @param skipped files that no JVM made, with the reason
     */
    public LeaseOverview {
        held = List.copyOf(held);
        waiting = List.copyOf(waiting);
        quarantines = List.copyOf(quarantines);
        skipped = List.copyOf(skipped);
    }

    /**
     * Looks at a table. It may be in use: what is written meanwhile is read again.
     *
     * @param directory of the table
     * @return empty when there is none
     * @throws LeaseTableException when it is there and cannot be read
     */
    public static Optional<LeaseOverview> of(Path directory) {
        if (!Files.exists(directory.resolve(LOCK), LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try (SharedFolder folder = SharedFolder.at(TableDirectory.place(directory))) {
            // Closing a file drops the locks that this process has on it through other channels.
            synchronized (DirectoryStore.monitor(folder)) {
                Optional<TableState> state = committed(folder);
                return state.isPresent() ? Optional.of(of(folder, state.get(), skipped(folder))) : Optional.empty();
            }
        } catch (PlantedFileException planted) {
            throw TableDirectory.refused(planted);
        } catch (IOException failed) {
            throw new LeaseTableException(
                    "The lease table in %s cannot be read: %s. While no test runs it may be removed; another directory is named with neuron.test.lease.directory."
                            .formatted(directory, TableDirectory.describe(failed)),
                    failed);
        }
    }

    /** Without the lock, which takes the right to write: a place is overwritten only after the other one was committed. */
    private static Optional<TableState> committed(SharedFolder folder) throws IOException {
        try (SharedFile lock = folder.open(LOCK)) {
            for (int attempts = 10; ; attempts--) {
                try {
                    Optional<TableFile.Commit> commit = TableFile.committed(lock);
                    if (commit.isEmpty()) {
                        return Optional.empty();
                    }
                    try (SharedFile table = folder.open(TABLE)) {
                        return Optional.of(TableFile.read(table, commit.get().generation()));
                    }
                } catch (TableFile.DamagedTableException beingWritten) {
                    if (attempts == 0) {
                        throw beingWritten;
                    }
                    Thread.onSpinWait();
                }
            }
        }
    }

    private static List<String> skipped(SharedFolder folder) throws IOException {
        List<String> skipped = new ArrayList<>();
        for (String name : Membership.names(folder)) {
            Membership.planted(folder, name).ifPresent(planted -> skipped.add(planted.getMessage()));
        }
        return skipped;
    }

    private static LeaseOverview of(SharedFolder folder, TableState state, List<String> skipped) {
        return new LeaseOverview(
                (int) state.members().stream()
                        .filter(member -> lives(folder, member))
                        .count(),
                state.claims().stream()
                        .map(claim -> new Held(
                                claim.cores(),
                                claim.holder(),
                                claim.pid(),
                                claim.since(),
                                lives(folder, state, claim.member())))
                        .toList(),
                state.queue().stream()
                        .map(ticket -> new Waiting(
                                ticket.holder(),
                                ticket.wants(),
                                state.member(ticket.member())
                                        .map(member -> member.process().pid())
                                        .orElse(0L),
                                lives(folder, state, ticket.member()),
                                state.isPassedOver(ticket.member())))
                        .toList(),
                state.barred().stream()
                        .filter(barred -> !isOver(folder, barred))
                        .map(barred -> new Quarantine(
                                barred.core(),
                                barred.told(),
                                barred.holder(),
                                barred.pid(),
                                barred.since(),
                                barred.until(),
                                barred.device()))
                        .toList(),
                skipped);
    }

    /** Returns whether the next JVM that leases takes a core out of quarantine at once. */
    private static boolean isOver(SharedFolder folder, TableState.Barred entry) {
        if (entry.until() != Quarantine.Until.PROCESSES_END) {
            return false;
        }
        LeasePrograms programs =
                new LockedPrograms(new ProcessTable(), lock -> true, lock -> Membership.test(folder, lock));
        if (!programs.isTested(entry.lock())) {
            programs.test();
        }
        return programs.left(entry.processes(), entry.lock()).isNothing();
    }

    private static boolean lives(SharedFolder folder, TableState state, long member) {
        return state.member(member).filter(known -> lives(folder, known)).isPresent();
    }

    private static boolean lives(SharedFolder folder, TableState.Member member) {
        try {
            return Membership.isAlive(folder, member.directory());
        } catch (IOException unseen) {
            return new ProcessTable().life(member.process()) != ProcessTable.Life.ENDED;
        }
    }
}
