package dev.neurontest.internal.lease.store;

import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.internal.process.ProgramLock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A table of leases, either in the memory of this JVM or in a directory shared by JVMs of several users. It consists of
 * {@link SharedSlots} for cores and queue, and a {@link Membership} for each JVM. No lock covers the whole table. A JVM can be
 * stopped or killed at any moment, and the others only lack the cores that it holds.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LeaseStore implements AutoCloseable {

    /** The maximum number of files named in warnings, because another user can create any number. */
    private static final int NAMED = 10;

    /** The maximum number of members that are examined when a JVM joins. */
    private static final int EXAMINED = 1000;

    private static final Path PROCESSES = Path.of("/proc");

    private final ProcessTable processes;
    private final ProcessIdentity process;
    private final Consumer<String> warning;
    private final @Nullable SharedFolder folder;
    private final @Nullable Membership membership;
    private final Slots slots;
    private final TicketSlots tickets;
    private final CoreSlots cores;
    private final Semaphore bell = new Semaphore(0);

    private LeaseStore(
            ProcessTable processes, Consumer<String> warning, @Nullable SharedFolder folder, @Nullable Mounts mounts) {
        this.processes = processes;
        this.process = processes.self();
        this.warning = warning;
        this.folder = folder;
        Membership made = null;
        try {
            if (folder != null) {
                if (mounts != null) {
                    mounts.of(folder).ifPresent(system -> system.requireShared(folder.shown(), warning));
                }
                requireNotRemoved(folder);
                made = Membership.in(folder, process);
            }
            this.membership = made;
            this.slots = folder == null ? new MemorySlots() : new SharedSlots(folder, made.name(), processes);
        } catch (IOException | RuntimeException failed) {
            if (made != null) {
                made.close(Set.of());
            }
            close(folder);
            throw failed instanceof IOException io ? unusable(folder, io) : (RuntimeException) failed;
        }
        this.tickets = new TicketSlots(slots);
        this.cores = new CoreSlots(slots);
    }

    /**
     * Prepares the table for leases of given cores, and removes files of ended JVMs.
     *
     * @throws LeaseTableException if there is not enough disk space
     */
    public void prepare(Collection<String> all) {
        slots.requireInPlace();
        if (folder != null && membership != null && slots instanceof SharedSlots shared) {
            try {
                List<SharedSlots.Part> parts = new ArrayList<>();
                parts.add(new SharedSlots.Part(0, TicketSlots.END));
                for (int slot : CoreSlots.slots(all)) {
                    parts.add(new SharedSlots.Part(CoreSlots.begin(slot), CoreSlots.end(slot)));
                }
                shared.allocate(parts);
                removeLeftovers(folder);
                membership.removeIncomplete();
            } catch (IOException failed) {
                throw unusable(folder, failed);
            }
        }
    }

    /** Creates a table that only this JVM uses. */
    public static LeaseStore inMemory(ProcessTable processes) {
        return new LeaseStore(processes, warning -> {}, null, null);
    }

    /**
     * Creates or joins a table.
     *
     * @param mounts the mounts, to check whether all JVMs of this machine can share the table; null to skip the check
     * @param warning the receiver of warnings about skipped files and about a table that belongs to a container
     * @throws LeaseTableException if the table cannot be used
     */
    public static LeaseStore in(
            Path directory, @Nullable Mounts mounts, ProcessTable processes, Consumer<String> warning) {
        return new LeaseStore(processes, warning, LeaseDirectory.prepare(directory), mounts);
    }

    /** Verifies that no JVM uses a removed table. A new table would grant the cores held by the users of the removed table. */
    private static void requireNotRemoved(SharedFolder folder) throws IOException {
        if (!folder.has(SharedSlots.FILE)) {
            List<String> users = RemovedFile.users(folder.shown(SharedSlots.FILE), PROCESSES);
            if (!users.isEmpty()) {
                throw new LeaseTableException(
                        "The lease table in %s was removed while it was in use. At least one JVM that used it still runs (pid %s), so it is unknown which cores are leased. Wait until it has ended, or end it, and run again."
                                .formatted(folder.shown(), String.join(", pid ", users)));
            }
        }
    }

    private static LeaseTableException unusable(SharedFolder folder, IOException failed) {
        return failed instanceof PlantedFileException planted
                ? LeaseDirectory.refused(planted)
                : SharedSlots.unusable(folder.shown(), failed);
    }

    /** Removes the files of JVMs that ended without removing them. */
    private void removeLeftovers(SharedFolder shared) throws IOException {
        List<String> names = new ArrayList<>(Membership.names(shared));
        names.remove(self());
        if (names.isEmpty()) {
            return;
        }
        List<String> ended = names.stream()
                .limit(EXAMINED)
                .filter(name -> !Membership.isAlive(shared, name, processes))
                .toList();
        // At this point the table contains all leases of the ended JVMs.
        Set<String> kept = Stream.concat(
                        state().claims().stream().map(LeaseState.Claim::lock),
                        state().barred().stream().map(LeaseState.QuarantineEntry::lock))
                .collect(Collectors.toCollection(HashSet::new));
        List<PlantedFileException> planted = names.stream()
                .limit(EXAMINED)
                .flatMap(name -> Membership.planted(shared, name).stream())
                .toList();
        planted.stream()
                .limit(NAMED)
                .forEach(each -> warning.accept("The lease table skips %s: %s, so no test JVM made it. Remove it."
                        .formatted(each.getFile(), each.getReason())));
        if (planted.size() > NAMED) {
            warning.accept("The lease table skips more files in %s that no test JVM made. neuron-test doctor lists all."
                    .formatted(shared.shown()));
        }
        ended.forEach(name -> Membership.remove(shared, name, kept));
    }

    /** Checks whether another process has truncated the file of the table. Then the table cannot even be left properly. */
    public boolean isCut() {
        return slots instanceof SharedSlots shared && shared.isCut();
    }

    /** Verifies that no other process has truncated the file of the table, before its memory is used. */
    public void requireWhole() {
        if (isCut()) {
            throw SharedSlots.cut(place().orElseThrow(), null);
        }
    }

    /** Creates the exception for a use of the table after another process has truncated its file. */
    public LeaseTableException cut(InternalError failed) {
        return SharedSlots.cut(place().orElseThrow(() -> failed), failed);
    }

    /** Returns the name of this JVM; empty if the table is not shared. */
    public String self() {
        return membership == null ? "" : membership.name();
    }

    public ProcessIdentity process() {
        return process;
    }

    /** Returns the directory of the table; empty if the table is in memory. */
    public Optional<Path> place() {
        return Optional.ofNullable(folder).map(SharedFolder::shown);
    }

    public CoreSlots cores() {
        return cores;
    }

    public TicketSlots tickets() {
        return tickets;
    }

    /** Returns the current state of the table, without the queue. */
    public LeaseState state() {
        return cores.state(List.of());
    }

    /** Returns the current state of the table. */
    public LeaseState stateWithQueue() {
        return cores.state(tickets.heads().stream()
                .flatMap(head -> tickets.ticket(head).stream())
                .toList());
    }

    /** Returns the visible JVMs that share the table. */
    public List<ProcessIdentity> members() {
        try {
            if (folder == null) {
                return List.of(process);
            }
            List<ProcessIdentity> members = new ArrayList<>();
            for (String name : Membership.names(folder)) {
                members.add(Membership.process(name, process));
            }
            return members;
        } catch (IOException failed) {
            throw unusable(folder, failed);
        }
    }

    /** Checks whether a JVM shares the table and runs. */
    public boolean isAlive(String jvm) {
        return folder == null || jvm.equals(self()) || Membership.isAlive(folder, jvm, processes);
    }

    /** Creates the lock for the programs of a lease of this JVM; empty if that is impossible. */
    public Optional<ProgramLock> lock(long lease) {
        return membership == null ? Optional.empty() : membership.lock(lease);
    }

    /** Creates the finder of programs of leases. */
    public LeasePrograms programs() {
        return new LeasePrograms(
                processes, lock -> folder == null ? ProgramLock.State.UNKNOWN : Membership.test(folder, lock));
    }

    /** Wakes a waiting JVM if it can be reached. */
    public void ring(String jvm) {
        if (jvm.equals(self())) {
            wake();
        } else if (folder != null) {
            Membership.ring(folder, jvm);
        }
    }

    /** Ends a wait of this JVM. */
    public void wake() {
        bell.release();
        if (membership != null) {
            membership.wake();
        }
    }

    /** Waits until this JVM is woken or the time is over. */
    public void await(Duration atMost) throws InterruptedException {
        if (membership != null) {
            membership.await(atMost);
        } else if (bell.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
            bell.drainPermits();
        }
    }

    @Override
    public void close() {
        if (membership != null) {
            membership.close(locksOfQuarantines());
        }
        if (slots instanceof SharedSlots shared) {
            close(shared);
        }
        close(folder);
    }

    private Set<String> locksOfQuarantines() {
        Set<String> locks = new HashSet<>();
        if (!isCut()) {
            for (LeaseState.QuarantineEntry entry : state().barred()) {
                locks.add(entry.lock());
            }
        }
        return locks;
    }

    private static void close(@Nullable AutoCloseable open) {
        try {
            if (open != null) {
                open.close();
            }
        } catch (Exception closedByTheKernel) {
            // The kernel closes it when the JVM ends.
        }
    }
}
