package dev.neurontest.lease.store;

import dev.neurontest.process.ProcessTable;
import dev.neurontest.process.ProgramLock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The own files of a JVM that shares a table: one that stays locked as long as the JVM lives, which the kernel sees to however it
 * ends, a bell that others ring by writing to it, and a file for each lease with programs, which these keep locked.
 */
final class Membership implements AutoCloseable {

    /** Begins the names of the directories of members. */
    private static final String PREFIX = "jvm-";

    static final String ALIVE = "alive";

    /** Matches the names of the directories of members. */
    static final Pattern NAME = Pattern.compile(PREFIX + "[0-9]+-[0-9a-f]+-[0-9]+");

    /** The locked file of a member, below the directory of its table. */
    static final Pattern ALIVE_FILE = Pattern.compile(NAME + "/" + ALIVE);

    static final String BELL = "bell";
    private static final String LEASE = "lease-";

    /** The name of a lock, below the directory of its table. */
    private static final Pattern LOCK_FILE = Pattern.compile(NAME + "/" + LEASE + "[0-9]+");

    private static final byte[] RING = {'!'};
    private static final String JVM = name(ProcessTable.unique());

    private final SharedFolder table;
    private final String name;
    private final SharedFolder directory;
    private final SharedFile alive;
    private final Semaphore withoutWatch = new Semaphore(0);
    private @Nullable WatchService watch;
    private boolean watchFailed;
    private boolean closed;

    private Membership(SharedFolder table, String name, SharedFolder directory, SharedFile alive) {
        this.table = table;
        this.name = name;
        this.directory = directory;
        this.alive = alive;
    }

    /**
     * Names this JVM, in the same way for all class loaders that have a copy of this class: closing any channel on a file drops
     * all locks that the process has on it, so that a JVM must not open its own files again. The name is not kept in a system
     * property, because tests set all of these back.
     */
    static String jvm() {
        return JVM;
    }

    private static String name(String unique) {
        CRC32 sum = new CRC32();
        sum.update(unique.getBytes(StandardCharsets.UTF_8));
        return "%s-%08x".formatted(ProcessHandle.current().pid(), sum.getValue());
    }

    /** Makes the files of a new member. */
    static Membership in(SharedFolder table) throws IOException {
        String prefix = PREFIX + jvm() + "-";
        int serial = 1;
        Optional<SharedFolder> made = table.make(prefix + serial, 0755);
        while (made.isEmpty()) {
            serial++;
            made = table.make(prefix + serial, 0755);
        }
        SharedFolder directory = made.get();
        try {
            try (SharedFile bell = directory.create(BELL, SharedFile.FOR_ALL)) {
                ring(bell);
            }
            SharedFile alive = directory.create(ALIVE, SharedFile.FOR_ALL);
            if (!alive.tryLock(false)) {
                alive.close();
                throw new IOException(directory.shown(ALIVE) + " cannot be locked");
            }
            return new Membership(table, prefix + serial, directory, alive);
        } catch (IOException failed) {
            directory.close();
            remove(table, prefix + serial, Set.of());
            throw failed;
        }
    }

    String name() {
        return name;
    }

    /** Returns the names of the directories of members, of those that have left something, too. */
    static List<String> names(SharedFolder table) throws IOException {
        return table.names(PREFIX).stream()
                .filter(name -> NAME.matcher(name).matches())
                .toList();
    }

    /** Whether the files are of this JVM, with this class loader or another. */
    static boolean isOfThisJvm(String name) {
        return name.startsWith(PREFIX + jvm() + "-");
    }

    /**
     * Returns whether a JVM lives.
     *
     * @throws PlantedFileException when its file is none that a JVM makes
     * @throws IOException when its file cannot be opened
     */
    static boolean isAlive(SharedFolder table, String name) throws IOException {
        if (isOfThisJvm(name)) {
            return true;
        }
        try (SharedFolder member = table.folder(name);
                SharedFile probe = member.open(ALIVE)) {
            return !probe.tryLock(true);
        }
    }

    /** Returns what is wrong with the files of a member that none of this JVM is; empty when each is such as a JVM makes. */
    static Optional<PlantedFileException> planted(SharedFolder table, String name) {
        if (isOfThisJvm(name)) {
            return Optional.empty();
        }
        try (SharedFolder member = table.folder(name)) {
            for (String file : List.of(ALIVE, BELL)) {
                member.open(file).close();
            }
            return Optional.empty();
        } catch (PlantedFileException planted) {
            return Optional.of(planted);
        } catch (IOException unseen) {
            return Optional.empty();
        }
    }

    /**
     * Rings, if that is possible.
     *
     * @throws PlantedFileException when its bell is none that a JVM makes
     */
    static void ring(SharedFolder table, String name) throws PlantedFileException {
        try (SharedFolder member = table.folder(name);
                SharedFile bell = member.open(BELL)) {
            ring(bell);
        } catch (PlantedFileException planted) {
            throw planted;
        } catch (IOException deaf) {
            // It looks again by itself before long.
        }
    }

    static void ring(SharedFile bell) throws IOException {
        bell.write(0, RING);
    }

    /** Returns the name of what the programs of a lease keep locked, below the directory of the table. */
    static String lock(String directory, long lease) {
        return directory + "/" + LEASE + lease;
    }

    /** Creates what the programs of a lease keep locked; empty where this JVM cannot. */
    Optional<ProgramLock> lock(long lease) {
        String file = LEASE + lease;
        try {
            return ProgramLock.create(
                    lock(name, lease),
                    directory.path().resolve(file),
                    () -> directory.create(file, SharedFile.FOR_ALL)::close);
        } catch (IOException closed) {
            return Optional.empty();
        }
    }

    /** Returns whether there is what the programs of a lease keep locked. A table that another user wrote may name anything. */
    static boolean hasLock(SharedFolder table, String lock) {
        if (!LOCK_FILE.matcher(lock).matches()) {
            return false;
        }
        try (SharedFolder member = table.folder(member(lock))) {
            return member.has(file(lock));
        } catch (IOException gone) {
            return false;
        }
    }

    private static String member(String lock) {
        return lock.substring(0, lock.indexOf('/'));
    }

    private static String file(String lock) {
        return lock.substring(lock.indexOf('/') + 1);
    }

    /** Tests what the programs of a lease keep locked. A table that another user wrote may name anything. */
    static ProgramLock.State test(SharedFolder table, String lock) {
        if (!LOCK_FILE.matcher(lock).matches()) {
            return ProgramLock.State.UNKNOWN;
        }
        String file = file(lock);
        try (SharedFolder member = table.folder(member(lock))) {
            return ProgramLock.test(member.path().resolve(file), () -> member.open(file)::close);
        } catch (IOException gone) {
            return ProgramLock.State.UNKNOWN;
        }
    }

    /**
     * Removes the files of a member that is no more, as far as this user may.
     *
     * @param kept the names of the locks that quarantines still need
     */
    static void remove(SharedFolder table, String name, Set<String> kept) {
        try {
            try (SharedFolder member = table.folder(name)) {
                member.delete(BELL);
                member.delete(ALIVE);
                for (String lock : member.names(LEASE)) {
                    if (!kept.contains(name + "/" + lock)) {
                        member.delete(lock);
                    }
                }
            } catch (PlantedFileException notOfAJvm) {
                // Then its name is all that there is to remove.
            }
            table.delete(name);
        } catch (IOException notMine) {
            // They belong to its user and do no harm.
        }
    }

    void await(Duration atMost) throws InterruptedException {
        WatchService rung = watch();
        if (rung == null) {
            withoutWatch.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS);
            return;
        }
        WatchKey key;
        try {
            key = rung.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ClosedWatchServiceException left) {
            return;
        }
        if (key != null) {
            key.pollEvents();
            key.reset();
        }
    }

    void ringSelf() throws PlantedFileException {
        withoutWatch.release();
        try (SharedFile bell = directory.open(BELL)) {
            ring(bell);
        } catch (PlantedFileException planted) {
            throw planted;
        } catch (IOException deaf) {
            // It looks again by itself before long.
        }
    }

    /** Made when it is needed first; there is only a limited number for each user, and it can be had without. */
    private synchronized @Nullable WatchService watch() {
        if (watch == null && !watchFailed && !closed) {
            try {
                watch = FileSystems.getDefault().newWatchService();
                directory.path().register(watch, StandardWatchEventKinds.ENTRY_MODIFY);
            } catch (IOException none) {
                watchFailed = true;
                watch = null;
            }
        }
        return watch;
    }

    @Override
    public void close() {
        close(Set.of());
    }

    /** Leaves the locks that quarantines still need. */
    synchronized void close(Set<String> kept) {
        closed = true;
        try {
            if (watch != null) {
                watch.close();
            }
            alive.close();
            directory.close();
        } catch (IOException closedAllTheSame) {
            // The kernel does it when the JVM ends.
        }
        remove(table, name, kept);
    }
}
