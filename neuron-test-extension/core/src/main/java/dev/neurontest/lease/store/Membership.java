package dev.neurontest.lease.store;

import dev.neurontest.process.ProgramLock;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The own files of a JVM that shares a table: one that stays locked as long as the JVM lives, which the kernel sees to however it
 * ends, a bell that others ring by writing to it, and a file for each lease with programs, which these keep locked.
 */
final class Membership implements AutoCloseable {

    /** Begins the names of the directories of members. */
    static final String PREFIX = "jvm-";

    private static final String ALIVE = "alive";

    /** The locked file of a member, below the directory of its table. */
    static final Pattern ALIVE_FILE = Pattern.compile(PREFIX + "[0-9]+-[0-9a-f]+-[0-9]+/" + ALIVE);

    private static final String BELL = "bell";
    private static final String LEASE = "lease-";

    /** The name of a lock, below the directory of its table. */
    private static final Pattern LOCK_FILE = Pattern.compile(PREFIX + "[0-9]+-[0-9a-f]+-[0-9]+/" + LEASE + "[0-9]+");

    private static final byte[] RING = {'!'};

    private final Path directory;
    private final SharedFile alive;
    private final Semaphore withoutWatch = new Semaphore(0);
    private @Nullable WatchService watch;
    private boolean watchFailed;
    private boolean closed;

    private Membership(Path directory, SharedFile alive) {
        this.directory = directory;
        this.alive = alive;
    }

    /**
     * Names this JVM, in the same way for all class loaders that have a copy of this class: closing any channel on a file drops
     * all locks that the process has on it, so that a JVM must not open its own files again.
     */
    static String jvm() {
        String property = Membership.class.getPackageName() + ".jvm";
        String mine = ProcessHandle.current().pid() + "-";
        synchronized (property.intern()) {
            String token = System.getProperty(property);
            if (token == null || !token.startsWith(mine)) {
                token = mine + UUID.randomUUID().toString().substring(0, 8);
                System.setProperty(property, token);
            }
            return token;
        }
    }

    /** Makes the files of a new member. */
    static Membership in(Path table) throws IOException {
        String name = PREFIX + jvm() + "-";
        int serial = 1;
        while (!TableDirectory.make(table.resolve(name + serial), 0755)) {
            serial++;
        }
        Path directory = table.resolve(name + serial);
        try {
            try (SharedFile bell = SharedFile.create(directory.resolve(BELL), "rw-rw-rw-")) {
                bell.write(0, RING);
            }
            SharedFile alive = SharedFile.create(directory.resolve(ALIVE), "rw-r--r--");
            if (!alive.tryLock(false)) {
                throw new IOException(directory.resolve(ALIVE) + " cannot be locked");
            }
            return new Membership(directory, alive);
        } catch (IOException failed) {
            remove(directory, Set.of());
            throw failed;
        }
    }

    String name() {
        return directory.getFileName().toString();
    }

    /** Whether the files are of this JVM, with this class loader or another. */
    static boolean isOfThisJvm(String name) {
        return name.startsWith(PREFIX + jvm() + "-");
    }

    /**
     * Whether a JVM lives.
     *
     * @throws IOException when its file cannot be looked at
     */
    static boolean isAlive(Path table, String name) throws IOException {
        if (isOfThisJvm(name)) {
            return true;
        }
        try (SharedFile probe = SharedFile.open(table.resolve(name).resolve(ALIVE), StandardOpenOption.READ)) {
            return !probe.tryLock(true);
        }
    }

    /** Rings, if that is possible. */
    static void ring(Path table, String name) {
        try (SharedFile bell = SharedFile.open(table.resolve(name).resolve(BELL), StandardOpenOption.WRITE)) {
            bell.write(0, RING);
        } catch (IOException deaf) {
            // It looks again by itself before long.
        }
    }

    /** Returns the name of what the programs of a lease keep locked, below the directory of the table. */
    static String lock(String directory, long lease) {
        return directory + "/" + LEASE + lease;
    }

    /** Creates what the programs of a lease keep locked; empty where this JVM cannot. */
    Optional<ProgramLock> lock(long lease) {
        Path file = directory.resolve(LEASE + lease);
        return ProgramLock.create(lock(name(), lease), file, () -> {
            SharedFile created = SharedFile.create(file, "rw-r--r--");
            return created::close;
        });
    }

    /** Returns whether there is what the programs of a lease keep locked. A table that another user wrote may name anything. */
    static boolean hasLock(Path table, String lock) {
        return LOCK_FILE.matcher(lock).matches() && Files.isRegularFile(table.resolve(lock), LinkOption.NOFOLLOW_LINKS);
    }

    /** Tests what the programs of a lease keep locked. */
    static ProgramLock.State test(Path table, String lock) {
        if (!hasLock(table, lock)) {
            return ProgramLock.State.UNKNOWN;
        }
        Path file = table.resolve(lock);
        return ProgramLock.test(file, () -> {
            SharedFile opened = SharedFile.open(file, StandardOpenOption.READ);
            return opened::close;
        });
    }

    /**
     * Removes the files of a member that is no more, as far as this user may.
     *
     * @param kept the names of the locks that quarantines still need
     */
    static void remove(Path directory, Set<String> kept) {
        try {
            Files.deleteIfExists(directory.resolve(BELL));
            Files.deleteIfExists(directory.resolve(ALIVE));
            try (DirectoryStream<Path> locks = Files.newDirectoryStream(directory, LEASE + "*")) {
                for (Path lock : locks) {
                    if (!kept.contains(directory.getFileName() + "/" + lock.getFileName())) {
                        Files.deleteIfExists(lock);
                    }
                }
            }
            Files.deleteIfExists(directory);
        } catch (IOException | DirectoryIteratorException notMine) {
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

    void ringSelf(Path table) {
        withoutWatch.release();
        ring(table, name());
    }

    /** Made when it is needed first; there is only a limited number for each user, and it can be had without. */
    private synchronized @Nullable WatchService watch() {
        if (watch == null && !watchFailed && !closed) {
            try {
                watch = FileSystems.getDefault().newWatchService();
                directory.register(watch, StandardWatchEventKinds.ENTRY_MODIFY);
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
        } catch (IOException closedAllTheSame) {
            // The kernel does it when the JVM ends.
        }
        remove(directory, kept);
    }
}
