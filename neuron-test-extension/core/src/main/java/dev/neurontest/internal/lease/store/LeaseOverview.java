package dev.neurontest.internal.lease.store;

import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * A read-only snapshot of a table of leases. Creating it does not create, join or change the table.
 *
 * @param jvms the number of live JVMs that share the table
 * @param held the leases, the oldest first
 * @param waiting the waiting requests in their order
 * @param quarantines the cores in quarantine
 * @param skipped files that no JVM created, with the reason
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record LeaseOverview(
        int jvms, List<Held> held, List<Waiting> waiting, List<Quarantine> quarantines, List<String> skipped) {

    /**
     * A lease.
     *
     * @param cores the names of the physical cores
     * @param holder the test
     * @param pid its JVM
     * @param since the time of the grant, by the system's clock
     * @param alive false if the JVM has ended; the next JVM that leases cores releases these
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Held(List<String> cores, String holder, long pid, Instant since, boolean alive) {

        /** Creates the record with a copy of the list. */
        public Held {
            cores = List.copyOf(cores);
        }
    }

    /**
     * A waiting test.
     *
     * @param holder the test
     * @param wants the request in the user's words
     * @param pid its JVM; 0 if it is no longer known
     * @param alive false if the JVM has ended
     * @param passedOver true if the JVM does not answer and others are served before it
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Waiting(String holder, String wants, long pid, boolean alive, boolean passedOver) {}

    /** Creates the record with copies of the lists. */
    public LeaseOverview {
        held = List.copyOf(held);
        waiting = List.copyOf(waiting);
        quarantines = List.copyOf(quarantines);
        skipped = List.copyOf(skipped);
    }

    /**
     * Reads a table. It may be in use; concurrently changed parts are read again.
     *
     * @param directory the directory of the table
     * @return empty if there is no table
     * @throws LeaseTableException if the directory exists but cannot be used for a table
     */
    public static Optional<LeaseOverview> of(Path directory) {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try (SharedFolder folder = SharedFolder.at(LeaseDirectory.place(directory))) {
            LeaseDirectory.requireTrusted(folder);
            if (!folder.has(SharedSlots.FILE)) {
                return Optional.empty();
            }
            ProcessTable processes = new ProcessTable();
            try (SharedSlots slots = slots(folder, processes)) {
                return Optional.of(of(folder, slots, processes));
            }
        } catch (InternalError cut) {
            throw SharedSlots.cut(directory, cut);
        } catch (PlantedFileException planted) {
            throw LeaseDirectory.refused(planted);
        } catch (IOException failed) {
            throw new LeaseTableException(
                    "The lease table in %s cannot be read: %s. Remove it while no test runs, or set neuron.test.lease.directory to another directory."
                            .formatted(directory, LeaseDirectory.describe(failed)),
                    failed);
        }
    }

    /** Opens the file of a table, which another JVM might be creating. */
    private static SharedSlots slots(SharedFolder folder, ProcessTable processes) throws IOException {
        return CreationWait.await(last -> {
            try {
                return Optional.of(new SharedSlots(folder, "", processes));
            } catch (LeaseTableException damaged) {
                if (last) {
                    throw damaged;
                }
                return Optional.empty();
            }
        });
    }

    private static LeaseOverview of(SharedFolder folder, SharedSlots slots, ProcessTable processes) throws IOException {
        List<String> names = Membership.names(folder);
        Set<String> living = names.stream()
                .filter(name -> Membership.isAlive(folder, name, processes))
                .collect(Collectors.toSet());
        LeasePrograms programs = new LeasePrograms(processes, lock -> Membership.test(folder, lock));
        LeaseState state = new CoreSlots(slots).state(List.of());
        TicketSlots tickets = new TicketSlots(slots);
        return new LeaseOverview(
                living.size(),
                state.claims().stream()
                        .map(claim -> new Held(
                                claim.cores(),
                                claim.holder(),
                                claim.pid(),
                                claim.since(),
                                living.contains(claim.jvm())))
                        .toList(),
                tickets.heads().stream()
                        .flatMap(head -> tickets.ticket(head).stream())
                        .map(ticket -> new Waiting(
                                ticket.holder(),
                                ticket.wants(),
                                ticket.process().pid(),
                                living.contains(ticket.jvm()),
                                ticket.head().passedOver()))
                        .toList(),
                state.barred().stream()
                        .filter(barred -> !isOver(programs, barred))
                        .map(barred -> new Quarantine(
                                barred.core(),
                                barred.description(),
                                barred.holder(),
                                barred.pid(),
                                barred.since(),
                                barred.until(),
                                barred.device()))
                        .toList(),
                names.stream()
                        .flatMap(name -> Membership.planted(folder, name).stream())
                        .map(Throwable::getMessage)
                        .toList());
    }

    /** Checks whether the next JVM that leases cores removes this core from quarantine at once. */
    private static boolean isOver(LeasePrograms programs, LeaseState.QuarantineEntry entry) {
        return entry.until() == Quarantine.Until.PROCESSES_END
                && programs.remaining(entry.processes(), entry.lock()).isNothing();
    }
}
