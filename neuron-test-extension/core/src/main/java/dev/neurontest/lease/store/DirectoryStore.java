package dev.neurontest.lease.store;

import dev.neurontest.lease.LeaseTableException;
import dev.neurontest.process.ProgramLock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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

    private final Path directory;
    private final ProcessTable processes;
    private final FileLocks locks = new FileLocks(Path.of("/proc"));
    private final LockWait lockWait;
    private final LockLimit limit;
    private final Object monitor;
    private final Membership membership;
    private final TableState.Member self;
    private TableState known = new TableState();

    /** What that was; nothing when it has to be read again. */
    private TableFile.@Nullable Commit knownCommit;

    private @Nullable String joinedTable;

    /**
     * Makes or joins the table.
     *
     * @param atMost how long what belongs to no request waits for another JVM that has the table locked
     * @param warning told when a damaged table was replaced, and when the lock of the table is waited for long
     * @throws LeaseTableException when it cannot be used
     */
    public DirectoryStore(Path wanted, ProcessTable processes, Duration atMost, Consumer<String> warning) {
        this.directory = TableDirectory.prepare(wanted);
        this.processes = processes;
        this.lockWait = new LockWait(directory.resolve(LOCK), processes, locks, LockWait.WORTH_TELLING, warning);
        this.limit = LockLimit.of(atMost);
        this.monitor = monitor(directory);
        Membership made = null;
        try {
            made = alone(
                    lock -> {
                        prepareTable(lock, warning);
                        return Membership.in(directory);
                    },
                    limit);
            this.membership = made;
            this.self = join();
        } catch (RuntimeException failed) {
            if (made != null) {
                made.close(Set.of());
            }
            throw failed;
        }
    }

    /** The lock keeps processes apart, not threads. Interned strings are the same for all class loaders. */
    static Object monitor(Path directory) {
        return ("dev.neurontest.lease " + directory).intern();
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
            try (SharedFile table = openTable(StandardOpenOption.READ)) {
                known = TableFile.read(table, commit.generation());
                knownCommit = commit;
            }
        }
        TableState next = known.copy();
        T result = step.apply(next);
        if (next.changed()) {
            try (SharedFile table = openTable(StandardOpenOption.WRITE)) {
                TableFile.write(table, commit.generation() + 1, next);
            }
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

    private SharedFile openTable(StandardOpenOption how) throws IOException {
        return SharedFile.open(directory.resolve(TABLE), how);
    }

    /** Does something while no other thread or JVM uses the table. Between two attempts other threads can make theirs. */
    private <T> T alone(Locked<T> what, LockLimit limit) {
        try {
            return lockWait.until(() -> attempt(what), limit).result();
        } catch (IOException failed) {
            throw unusable(failed);
        }
    }

    /** What was done with the lock. */
    private record Done<T>(T result) {}

    private <T> @Nullable Done<T> attempt(Locked<T> what) throws IOException {
        synchronized (monitor) {
            try (SharedFile lock = openLock()) {
                return lock.tryLock(false) ? new Done<>(what.with(lock)) : null;
            } catch (IOException failed) {
                knownCommit = null;
                if (self != null && !Files.exists(directory.resolve(LOCK), LinkOption.NOFOLLOW_LINKS)) {
                    throw replaced();
                }
                throw failed;
            }
        }
    }

    @Override
    public <T> T alone(Supplier<T> what) {
        return alone(lock -> what.get(), limit);
    }

    private SharedFile openLock() throws IOException {
        Path file = directory.resolve(LOCK);
        if (self == null) {
            makeOrTrust(file);
        }
        return SharedFile.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    static void makeOrTrust(Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            try {
                SharedFile.create(file, "rw-rw-rw-").close();
            } catch (FileAlreadyExistsException anotherJvmDid) {
                // Then it is looked at like any other.
            }
        }
        TableDirectory.requireTrustedFile(file);
    }

    /** Makes sure that there is a table that can be read. */
    private void prepareTable(SharedFile lock, Consumer<String> warning) throws IOException {
        Path file = directory.resolve(TABLE);
        boolean isThere = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        if (isThere) {
            TableDirectory.requireTrustedFile(file);
        }
        try {
            Optional<TableFile.Commit> committed = TableFile.committed(lock);
            if (committed.isPresent()) {
                try (SharedFile table = openTable(StandardOpenOption.READ)) {
                    TableState state = TableFile.read(table, committed.get().generation());
                    removeLeftovers(state);
                    return;
                }
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
        Path file = directory.resolve(TABLE);
        try {
            boolean isThere = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
            try (SharedFile table =
                    isThere ? openTable(StandardOpenOption.WRITE) : SharedFile.create(file, "rw-rw-rw-")) {
                TableFile.allocate(table);
                TableFile.write(table, 1, new TableState());
            }
            TableFile.commit(lock, TableFile.Commit.first());
        } catch (IOException failed) {
            Files.deleteIfExists(file);
            throw failed;
        }
        removeLeftovers(new TableState());
    }

    /** A damaged table is replaced only when no JVM uses it. */
    private void requireUnused(String damage) throws IOException {
        for (Path member : members()) {
            String name = member.getFileName().toString();
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
        for (Path member : members()) {
            String name = member.getFileName().toString();
            if (state.members().stream().noneMatch(other -> other.directory().equals(name)) && !lives(name)) {
                Membership.remove(member, state.locks());
            }
        }
    }

    @Override
    public boolean lives(String name) {
        try {
            return Membership.isAlive(directory, name);
        } catch (NoSuchFileException notWhole) {
            return false;
        } catch (IOException unseen) {
            return true;
        }
    }

    private List<Path> members() throws IOException {
        List<Path> members = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, Membership.PREFIX + "*")) {
            found.forEach(members::add);
        }
        return members;
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
                "The lease table in %s cannot be used: %s. It needs a local file system that can be written to, with some room; neuron.test.lease.directory names another."
                        .formatted(directory, what),
                failed);
    }

    @Override
    public boolean alive(TableState.Member member) {
        try {
            return Membership.isAlive(directory, member.directory());
        } catch (IOException unseen) {
            // The file was removed. Never take from a JVM that may live.
            return processes.life(member.process()) != ProcessTable.Life.ENDED;
        }
    }

    @Override
    public void ring(TableState.Member member) {
        if (member.number() == self.number()) {
            membership.ringSelf(directory);
        } else {
            Membership.ring(directory, member.directory());
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
        return Membership.hasLock(directory, lock);
    }

    @Override
    public ProgramLock.State test(String lock) {
        return Membership.test(directory, lock);
    }

    @Override
    public void close() {
        synchronized (monitor) {
            membership.close(known.locks());
        }
    }
}
