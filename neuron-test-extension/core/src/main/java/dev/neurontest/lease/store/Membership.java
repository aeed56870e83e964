package dev.neurontest.lease.store;

import dev.neurontest.process.ProcessIdentity;
import dev.neurontest.process.ProcessTable;
import dev.neurontest.process.ProgramLock;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The own files of a JVM that shares a table: a socket, and a file for each lease with programs, which these keep locked. A
 * connection to the socket wakes the JVM. It is accepted by the kernel as long as the JVM lives, also when it is stopped and in
 * whichever namespace it is, and no other code of the JVM can change that by opening files.
 */
final class Membership implements AutoCloseable {

    /** Begins the names of the directories of members. */
    private static final String PREFIX = "jvm-";

    /** Matches the names of the directories of members: the number of the process, and when it started. */
    static final Pattern NAME = Pattern.compile(PREFIX + "(\\d{1,18})-(-?\\d{1,18})-\\d{1,9}");

    static final String BELL = "bell";
    private static final String LEASE = "lease-";
    private static final int WAITING_CONNECTIONS = 1000;

    /** The name of a lock, below the directory of its table. */
    private static final Pattern LOCK_FILE = Pattern.compile(NAME + "/" + LEASE + "[0-9]+");

    private final SharedFolder table;
    private final String name;
    private final SharedFolder directory;
    private final @Nullable ServerSocketChannel bell;
    private final Semaphore withoutBell = new Semaphore(0);
    private @Nullable Selector selector;
    private boolean closed;

    private Membership(
            SharedFolder table, String name, SharedFolder directory, @Nullable ServerSocketChannel bell) {
        this.table = table;
        this.name = name;
        this.directory = directory;
        this.bell = bell;
    }

    /** Makes the files of a new member. */
    static Membership in(SharedFolder table, ProcessIdentity self) throws IOException {
        String prefix = PREFIX + self.pid() + "-" + self.startTicks() + "-";
        int serial = 1;
        Optional<SharedFolder> made = table.make(prefix + serial, 0755);
        while (made.isEmpty()) {
            serial++;
            made = table.make(prefix + serial, 0755);
        }
        return new Membership(table, prefix + serial, made.get(), bell(made.get()));
    }

    /** Binds the socket; null on a file system that has none. Then others look again and again, and by the number of the process. */
    private static @Nullable ServerSocketChannel bell(SharedFolder directory) throws IOException {
        return Descriptor.uninterrupted(() -> {
            ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                Path file = directory.path().resolve(BELL);
                Files.deleteIfExists(file);
                socket.bind(UnixDomainSocketAddress.of(file), WAITING_CONNECTIONS);
                Files.setAttribute(file, "unix:mode", SharedFile.FOR_ALL);
                socket.configureBlocking(false);
                return socket;
            } catch (IOException none) {
                socket.close();
                return null;
            }
        });
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

    /** Returns the process that a name has. */
    static ProcessIdentity process(String name, ProcessTable processes) {
        Matcher parts = NAME.matcher(name);
        return parts.matches()
                ? new ProcessIdentity(
                        Long.parseLong(parts.group(1)),
                        Long.parseLong(parts.group(2)),
                        processes.self().namespace(),
                        "")
                : new ProcessIdentity(0, 0, "", "");
    }

    /** Returns what is wrong with the directory of a member; empty when it is such as a JVM makes. */
    static Optional<PlantedFileException> planted(SharedFolder table, String name) {
        try {
            table.folder(name).close();
            return Optional.empty();
        } catch (PlantedFileException planted) {
            return Optional.of(planted);
        } catch (IOException unseen) {
            return Optional.empty();
        }
    }

    /** Connects to a JVM, which wakes it; returns whether it lives for certain. */
    static boolean ring(SharedFolder table, String name) {
        if (!NAME.matcher(name).matches()) {
            return false;
        }
        try {
            Path file = table.path().resolve(name).resolve(BELL);
            return Descriptor.uninterrupted(() -> {
                try (SocketChannel connection = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                    connection.configureBlocking(false);
                    connection.connect(UnixDomainSocketAddress.of(file));
                    return true;
                }
            });
        } catch (IOException refused) {
            return false;
        }
    }

    /** Returns whether a JVM has not left the table, as far as its directory shows that. */
    static boolean isThere(SharedFolder table, String name) {
        try {
            return NAME.matcher(name).matches() && table.has(name);
        } catch (IOException closed) {
            return true;
        }
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

    /** Waits until this JVM is woken, or the time is over. Only one thread waits at a time. */
    void await(Duration atMost) throws InterruptedException {
        Selector waiting = selector();
        if (waiting == null) {
            if (withoutBell.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
                withoutBell.drainPermits();
            }
            return;
        }
        try {
            waiting.select(Math.max(1, atMost.toMillis()));
            waiting.selectedKeys().clear();
            for (SocketChannel rung = bell.accept(); rung != null; rung = bell.accept()) {
                rung.close();
            }
        } catch (ClosedSelectorException | IOException left) {
            // There is nothing to wait for.
        }
    }

    /** Ends a wait of this JVM. */
    synchronized void wake() {
        withoutBell.release();
        if (selector != null) {
            selector.wakeup();
        }
    }

    /** Opened when it is needed first. */
    private synchronized @Nullable Selector selector() {
        if (selector == null && bell != null && !closed) {
            try {
                selector = Selector.open();
                bell.register(selector, SelectionKey.OP_ACCEPT);
                if (withoutBell.tryAcquire()) {
                    selector.wakeup();
                }
            } catch (IOException none) {
                selector = null;
            }
        }
        return selector;
    }

    @Override
    public void close() {
        close(Set.of());
    }

    /** Leaves the locks that quarantines still need. */
    synchronized void close(Set<String> kept) {
        closed = true;
        try {
            if (selector != null) {
                selector.close();
            }
            if (bell != null) {
                bell.close();
            }
            directory.close();
        } catch (IOException closedByTheKernel) {
            // The kernel closes it when the JVM ends.
        }
        remove(table, name, kept);
    }
}
