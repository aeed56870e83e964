package dev.neurontest.lease.store;

import dev.neurontest.file.OpenFileLimit;
import dev.neurontest.lease.LeaseTableException;
import dev.neurontest.process.ProcessTable;
import dev.neurontest.process.ProgramLock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A table in a directory that JVMs of several users share.
 *
 * <ul>
 *   <li>{@code lock}: the JVM that has it locked may use the table. It holds the commit record.
 *   <li>{@code table}: see {@link TableFile}.
 *   <li>{@code jvm-<pid>-<random>-<n>/}: see {@link Membership}.
 * </ul>
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DirectoryStore implements LeaseStore {

    private static final String LOCK = "lock";
    private static final String TABLE = "table";

    /** The most files that are named in warnings: another user can make any number. */
    private static final int NAMED = 10;

    /** The most members that are examined when a JVM joins, while it has the table locked. */
    private static final int EXAMINED = 1000;

    private final Path directory;
    private final SharedFolder folder;
    private final OpenMembers members;
    private final Path lockFile;
    private final Path tableFile;
    private final ProcessTable processes;
    private final Consumer<String> warning;
    private final FileLocks locks = new FileLocks(Path.of("/proc"));
    private final LockWait lockWait;
    private final LockLimit limit;
    private final Object monitor;
    private final Membership membership;
    private final TableState.Member self;
    private final Set<String> skipped = new HashSet<>();
    private @Nullable SharedFile lock;
    private @Nullable SharedFile table;
    private boolean closed;
    private TableState known = new TableState();

    /** What that was; nothing when it has to be read again. */
    private TableFile.@Nullable Commit knownCommit;

    private @Nullable String joinedTable;

    /**
     * Makes or joins the table.
     *
     * @param atMost how long what belongs to no request waits for another JVM that has the table locked
     * @param warning told when a damaged table was replaced, when the lock of the table is waited for long, and what is skipped
     * @throws LeaseTableException when it cannot be used
     */
    public DirectoryStore(Path wanted, ProcessTable processes, Duration atMost, Consumer<String> warning) {
        this(wanted, null, processes, atMost, warning);
    }

    /**
     * Makes or joins the table of hardware, which JVMs of the whole machine have to share.
     *
     * @param mounts to find out whether they can, or null where that does not matter
     * @param atMost how long what belongs to no request waits for another JVM that has the table locked
     * @param warning told also when the table is the one of a container
     * @throws LeaseTableException when it cannot be used, or its locks may not be shared by all JVMs of this machine
     */
    public DirectoryStore(
            Path wanted, @Nullable Mounts mounts, ProcessTable processes, Duration atMost, Consumer<String> warning) {
        this.folder = TableDirectory.prepare(wanted);
        this.directory = folder.shown();
        this.members = new OpenMembers(folder);
        this.lockFile = folder.shown(LOCK);
        this.tableFile = folder.shown(TABLE);
        this.processes = processes;
        this.warning = warning;
        this.lockWait = new LockWait(lockFile, processes, locks, LockWait.WORTH_TELLING, warning);
        this.limit = LockLimit.of(atMost);
        this.monitor = monitor(folder);
        Membership made = null;
        try {
            if (mounts != null) {
                mounts.of(folder).ifPresent(this::requireShared);
            }
            made = alone(
                    lock -> {
                        prepareTable(lock);
                        return Membership.in(folder);
                    },
                    limit);
            this.membership = made;
            this.self = join();
        } catch (RuntimeException failed) {
            if (made != null) {
                made.close(Set.of());
            }
            closeFiles();
            throw failed;
        }
    }

    private void requireShared(Mounts.FileSystem system) {
        switch (system.sharing()) {
            case NETWORK ->
                throw new LeaseTableException(
                        "The lease table cannot be kept in %s: it is on %s, and locks of such a file system may not keep apart all JVMs of this machine. Name a directory on a local file system, such as below /run or /var/tmp, with neuron.test.lease.directory."
                                .formatted(directory, system.type()));
            case CONTAINER ->
                warning.accept(
                        "The lease table in %s is on the file system of this container (%s): the host and other containers do not share its leases. Where they use the same devices, mount one directory of the host in all of them and name it with neuron.test.lease.directory."
                                .formatted(directory, system.type()));
            case MACHINE -> {
                // All JVMs of this machine can share it.
            }
        }
    }

    /** The lock keeps processes apart, not threads. Interned strings are the same for all class loaders. */
    static Object monitor(SharedFolder folder) {
        return ("dev.neurontest.lease " + folder.key()).intern();
    }

    /** Something done with the lock. */
    private interface Locked<T> {
        T with(SharedFile lock) throws IOException;
    }

    private TableState.Member join() {
        return alone(
                lock -> {
                    TableState.Member[] joined = new TableState.Member[1];
                    changeLocked(lock, state -> {
                        joined[0] = state.join(processes.self(), Membership.jvm(), membership.name(), Instant.now());
                        return state;
                    });
                    return joined[0];
                },
                limit);
    }

    @Override
    public TableState.Member self() {
        return self;
    }

    @Override
    public Optional<Path> place() {
        return Optional.of(directory);
    }

    @Override
    public <T> T change(Function<TableState, T> step, LockLimit limit) {
        return alone(
                lock -> changeLocked(lock, state -> {
                    if (state.member(self.number()).isEmpty()) {
                        throw replaced();
                    }
                    return step.apply(state);
                }),
                limit);
    }

    private <T> T changeLocked(SharedFile lock, Function<TableState, T> step) throws IOException {
        TableFile.Commit commit = TableFile.committed(lock)
                .orElseThrow(() -> new TableFile.DamagedTableException("the commit record is not there"));
        if (joinedTable != null && !joinedTable.equals(commit.table())) {
            throw replaced();
        }
        if (!commit.equals(knownCommit)) {
            known = TableFile.read(table(), commit.generation());
            knownCommit = commit;
        }
        TableState next = known.copy();
        T result = step.apply(next);
        if (next.changed()) {
            TableFile.write(table(), commit.generation() + 1, next);
            TableFile.commit(lock, commit.next());
            known = next;
            knownCommit = commit.next();
        }
        joinedTable = commit.table();
        return result;
    }

    private LeaseTableException replaced() {
        return new LeaseTableException(("The lease table in %s does not know this JVM any more: it was removed or"
                        + " replaced while it was in use. Leave it alone while tests run; run them again now.")
                .formatted(directory));
    }

    /** Opens the lock once: to open it for each change takes longer than the change. */
    private SharedFile lock() throws IOException {
        if (lock == null) {
            lock = folder.openOrCreate(LOCK);
        }
        return lock;
    }

    /** Opens the table once, and again when another file was put in its place. */
    private SharedFile table() throws IOException {
        SharedFile open = table;
        if (open != null && !open.isAt(tableFile)) {
            table = null;
            open.close();
            open = null;
        }
        if (open == null) {
            open = folder.open(TABLE);
            table = open;
        }
        return open;
    }

    /** Verifies that the lock that is open is the one that other JVMs open. */
    private void requireInPlace(SharedFile held) throws IOException {
        boolean inPlace;
        try {
            inPlace = held.isAt(lockFile);
        } catch (NoSuchFileException removed) {
            inPlace = false;
        }
        if (!inPlace) {
            throw replaced();
        }
    }

    /** Does something while no other thread or JVM uses the table. Between two attempts other threads can make theirs. */
    private <T> T alone(Locked<T> what, LockLimit limit) {
        try {
            return lockWait.until(() -> attempt(what), limit).result();
        } catch (IOException failed) {
            throw unusable(failed);
        }
    }

    /** The result of an action with the lock. */
    private record Done<T>(T result) {}

    private <T> @Nullable Done<T> attempt(Locked<T> what) throws IOException {
        synchronized (monitor) {
            if (closed) {
                throw new LeaseTableException("This JVM has left the lease table in %s.".formatted(directory));
            }
            try {
                SharedFile held = lock();
                if (!held.tryLock(false)) {
                    return null;
                }
                try {
                    requireInPlace(held);
                    return new Done<>(what.with(held));
                } finally {
                    held.unlock();
                }
            } catch (PlantedFileException planted) {
                knownCommit = null;
                throw TableDirectory.refused(planted);
            } catch (IOException failed) {
                knownCommit = null;
                throw failed;
            }
        }
    }

    @Override
    public <T> T alone(Supplier<T> what) {
        return alone(lock -> what.get(), limit);
    }

    /** Makes sure that there is a table that can be read. */
    private void prepareTable(SharedFile lock) throws IOException {
        boolean isThere = folder.has(TABLE);
        try {
            Optional<TableFile.Commit> committed = TableFile.committed(lock);
            if (committed.isPresent()) {
                removeLeftovers(TableFile.read(table(), committed.get().generation()));
                return;
            }
            if (isThere) {
                throw new TableFile.DamagedTableException("the commit record is not there");
            }
            requireUnused("the table and its commit record are not there");
            requireNotRemoved();
            startAfresh(lock);
        } catch (TableFile.DamagedTableException | NoSuchFileException damaged) {
            requireUnused(TableDirectory.describe(damaged));
            startAfresh(lock);
            warning.accept("The lease table in %s was damaged and no JVM used it, so a new one was begun: %s."
                    .formatted(directory, TableDirectory.describe(damaged)));
        }
    }

    private void startAfresh(SharedFile lock) throws IOException {
        try {
            SharedFile fresh = table == null ? folder.openOrCreate(TABLE) : table;
            table = fresh;
            TableFile.allocate(fresh);
            TableFile.write(fresh, 1, new TableState());
            TableFile.commit(lock, TableFile.Commit.first());
        } catch (PlantedFileException planted) {
            throw planted;
        } catch (IOException failed) {
            folder.delete(TABLE);
            throw failed;
        }
        removeLeftovers(new TableState());
    }

    /** A damaged table is replaced only when no JVM uses it. */
    private void requireUnused(String damage) throws IOException {
        for (String name : Membership.names(folder)) {
            if (lives(name)) {
                throw new LeaseTableException(
                        ("The lease table in %s is damaged: %s. At least one JVM still uses it (%s), so that it is not known which"
                                        + " cores are leased. End all JVMs that use it, and run again.")
                                .formatted(directory, damage, name));
            }
        }
    }

    /** A new table would give out what those hold who used the one that was removed. */
    private void requireNotRemoved() {
        List<Long> users = locks.ownersOfRemoved(directory, Membership.ALIVE_FILE);
        if (!users.isEmpty()) {
            throw new LeaseTableException(
                    ("The lease table in %s was removed while it was in use. At least one JVM that used it still runs (%s), so that"
                                    + " it is not known which cores are leased. Wait until it has ended, or end it, and run again.")
                            .formatted(
                                    directory,
                                    users.stream().map(pid -> "pid " + pid).collect(Collectors.joining(", "))));
        }
    }

    /** Removes the files of those who have gone without doing so. */
    private void removeLeftovers(TableState state) throws IOException {
        Set<String> members =
                state.members().stream().map(TableState.Member::directory).collect(Collectors.toSet());
        Membership.names(folder).stream()
                .filter(name -> !members.contains(name))
                .limit(EXAMINED)
                .filter(name -> !lives(name))
                .forEach(name -> Membership.remove(folder, name, state.locks()));
    }

    @Override
    public boolean lives(String name) {
        try {
            return Membership.isAlive(folder, name);
        } catch (NoSuchFileException notWhole) {
            return false;
        } catch (PlantedFileException planted) {
            skip(planted);
            return false;
        } catch (IOException unseen) {
            return true;
        }
    }

    private void skip(PlantedFileException planted) {
        int number;
        synchronized (skipped) {
            if (skipped.size() > NAMED || !skipped.add(planted.getFile())) {
                return;
            }
            number = skipped.size();
        }
        warning.accept(
                number > NAMED
                        ? "The lease table skips more files in %s that no test JVM made. neuron-test doctor names all."
                                .formatted(directory)
                        : "The lease table skips %s: %s, so no test JVM made it. Remove it."
                                .formatted(planted.getFile(), planted.getReason()));
    }

    private LeaseTableException unusable(IOException failed) {
        String what = TableDirectory.describe(failed);
        if (failed instanceof LockedTableException || failed instanceof InterruptedIOException) {
            return new LeaseTableException(
                    "The lease table in %s cannot be used: %s. End that process, or let it go on."
                            .formatted(directory, what),
                    failed);
        }
        if (failed instanceof TableFile.NewerTableException) {
            return new LeaseTableException(
                    "The lease table in %s cannot be used: %s. Use the same version everywhere, or name another directory for this one with neuron.test.lease.directory."
                            .formatted(directory, what),
                    failed);
        }
        if (failed instanceof TableFile.DamagedTableException) {
            return new LeaseTableException(
                    "The lease table in %s is damaged: %s. End all JVMs that use it, and run again."
                            .formatted(directory, what),
                    failed);
        }
        return new LeaseTableException(
                "The lease table in %s cannot be used: %s. %s"
                        .formatted(
                                directory,
                                what,
                                OpenFileLimit.advice(
                                        failed,
                                        "It needs a local file system that can be written to, with some room; neuron.test.lease.directory names another.")),
                failed);
    }

    @Override
    public boolean alive(TableState.Member member) {
        try {
            return members.isAlive(member.directory());
        } catch (IOException unseen) {
            if (unseen instanceof PlantedFileException planted) {
                skip(planted);
            }
            // The file was removed. Never take from a JVM that may live.
            return processes.life(member.process()) != ProcessTable.Life.ENDED;
        }
    }

    @Override
    public void ring(TableState.Member member) {
        try {
            if (member.number() == self.number()) {
                membership.ringSelf();
            } else {
                members.ring(member.directory());
            }
        } catch (PlantedFileException planted) {
            skip(planted);
        }
    }

    @Override
    public void awaitBell(Duration atMost) throws InterruptedException {
        membership.await(atMost);
    }

    @Override
    public Optional<ProgramLock> lock(TableState.Claim lease) {
        return membership.lock(lease.number());
    }

    @Override
    public boolean hasLock(String lock) {
        return Membership.hasLock(folder, lock);
    }

    @Override
    public ProgramLock.State test(String lock) {
        return Membership.test(folder, lock);
    }

    @Override
    public void close() {
        synchronized (monitor) {
            membership.close(known.locks());
        }
        closeFiles();
    }

    /** Closes what is open, while no other table of this JVM has the lock: to close a file drops all locks that a process has on it. */
    private void closeFiles() {
        synchronized (monitor) {
            closed = true;
            for (AutoCloseable each : Arrays.asList(members, lock, table, folder)) {
                try {
                    if (each != null) {
                        each.close();
                    }
                } catch (Exception closedAllTheSame) {
                    // The kernel does it when the JVM ends.
                }
            }
        }
    }
}
