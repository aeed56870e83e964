package dev.neurontest.internal.lease.store;

import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.internal.process.ProgramLock;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of a JVM that shares a table: a socket, and a file for each lease with programs, which the programs keep locked. A
 * connection to the socket wakes the JVM. The kernel accepts connections while the JVM runs, even if the JVM is stopped or in
 * another namespace. No other code of the JVM can affect that by opening files.
 */
final class Membership implements AutoCloseable {

    /** The prefix of directories of members. */
    static final String PREFIX = "jvm-";

    /** The prefix of incomplete directories. */
    static final String NEW = "new-";

    /** The name of the directory of a member: process id, start time and serial number. */
    static final Pattern NAME = Pattern.compile(PREFIX + "(\\d{1,7})-(-?\\d{1,11})-(\\d{1,3})");

    static final String BELL = "bell";
    private static final String LEASE = "lease-";
    private static final int WAITING_CONNECTIONS = 1000;
    private static final int ATTEMPTS = 100;
    private static final long INCOMPLETE_MILLIS = 60_000;
    private static final int SERIALS = 1 << 7;

    /** The number of bits for five years in ticks of a hundredth second. */
    private static final int TICK_BITS = 35;

    private static final int PROCESS_BITS = 42;

    /** The last serial number of a directory. The first is random, to differ from that of other class loaders. */
    private static final AtomicInteger LAST =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(SERIALS));

    /** The path of a lock below the directory of its table. */
    private static final Pattern LOCK_FILE = Pattern.compile(NAME + "/" + LEASE + "[0-9]+");

    private final SharedFolder table;
    private final String name;
    private final SharedFolder directory;
    private final ServerSocketChannel bell;
    private @Nullable Selector selector;
    private boolean isWoken;
    private boolean closed;

    private Membership(SharedFolder table, String name, SharedFolder directory, ServerSocketChannel bell) {
        this.table = table;
        this.name = name;
        this.directory = directory;
        this.bell = bell;
    }

    /** Creates the files of a new member. */
    static Membership in(SharedFolder table, ProcessIdentity self) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            // A JVM that was stopped might still treat a released name of this JVM as that of an ended JVM.
            int serial = Math.floorMod(LAST.incrementAndGet(), SERIALS);
            String name = PREFIX + self.pid() + "-" + self.startTicks() + "-" + serial;
            // Other JVMs treat a directory with this name and without answer as the remains of an ended JVM.
            Optional<SharedFolder> made = table.has(name) ? Optional.empty() : table.make(NEW + name, 0755);
            if (made.isPresent()) {
                try {
                    ServerSocketChannel bell = bell(made.get());
                    table.rename(NEW + name, name);
                    return new Membership(table, name, made.get(), bell);
                } catch (IOException failed) {
                    made.get().close();
                    remove(table, NEW + name, Set.of());
                    throw failed;
                }
            }
        }
        throw new IOException("this JVM shares it too often");
    }

    private static ServerSocketChannel bell(SharedFolder directory) throws IOException {
        return Descriptor.uninterrupted(() -> {
            ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                Path file = directory.path().resolve(BELL);
                Files.deleteIfExists(file);
                socket.bind(UnixDomainSocketAddress.of(file), WAITING_CONNECTIONS);
                Files.setAttribute(file, "unix:mode", SharedFile.FOR_ALL);
                socket.configureBlocking(false);
                return socket;
            } catch (IOException failed) {
                socket.close();
                throw failed;
            }
        });
    }

    /** Encodes a name as a number; 0 for a malformed name. */
    static long number(String name) {
        Matcher parts = NAME.matcher(name);
        return parts.matches()
                ? Long.parseLong(parts.group(1)) << PROCESS_BITS
                        | Long.parseLong(parts.group(3)) << TICK_BITS
                        | Long.parseLong(parts.group(2)) & (1L << TICK_BITS) - 1
                : 0;
    }

    /** Decodes a name from its number. */
    static String name(long number) {
        int above = Long.SIZE - TICK_BITS;
        return PREFIX + (number >>> PROCESS_BITS) + "-" + (number << above >> above) + "-"
                + (number >>> TICK_BITS & SERIALS - 1);
    }

    String name() {
        return name;
    }

    /** Returns the names of the directories of members, including ended members with remaining files. */
    static List<String> names(SharedFolder table) throws IOException {
        List<String> names = new ArrayList<>();
        for (String name : table.names(PREFIX)) {
            if (NAME.matcher(name).matches()) {
                names.add(name);
            }
        }
        return names;
    }

    /** Returns the process of a name. The result is valid only if that process is in the namespace of this JVM. */
    static ProcessIdentity process(String name, ProcessIdentity self) {
        Matcher parts = NAME.matcher(name);
        return parts.matches()
                ? new ProcessIdentity(
                        Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)), self.namespace(), self.user())
                : new ProcessIdentity(0, 0, "", "");
    }

    /** Returns the problem with the directory of a member; empty if a JVM may have created it. */
    static Optional<PlantedFileException> planted(SharedFolder table, String name) {
        try (SharedFolder member = table.folder(name)) {
            member.requireSocket(BELL);
            return Optional.empty();
        } catch (PlantedFileException planted) {
            return Optional.of(planted);
        } catch (IOException unseen) {
            return Optional.empty();
        }
    }

    /** Connects to a JVM to wake it. Returns false if it has ended or left. */
    static boolean ring(SharedFolder table, String name) {
        if (!NAME.matcher(name).matches()) {
            return false;
        }
        try {
            Path member = table.path().resolve(name);
            Path file = member.resolve(BELL);
            // A connection would follow a link.
            FileIdentity.named(member).requireDirectory(member);
            FileIdentity.named(file).requireSocket(file);
            return Descriptor.uninterrupted(() -> {
                try (SocketChannel connection = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                    connection.configureBlocking(false);
                    connection.connect(UnixDomainSocketAddress.of(file));
                    return true;
                } catch (ConnectException refused) {
                    return false;
                } catch (IOException otherwise) {
                    // For example too many connections to a stopped JVM.
                    return Files.exists(file);
                }
            });
        } catch (PlantedFileException | NoSuchFileException noneOfAJvm) {
            return false;
        } catch (IOException closed) {
            return true;
        }
    }

    /**
     * Checks whether a JVM shares the table and runs. A live process with its id decides. Otherwise the socket decides, because the
     * same id can exist in another namespace.
     */
    static boolean isAlive(SharedFolder table, String name, ProcessTable processes) {
        return isThere(table, name)
                && (processes.liveness(process(name, processes.self())) == ProcessTable.Liveness.ALIVE
                        || ring(table, name));
    }

    private static boolean isThere(SharedFolder table, String name) {
        try {
            return NAME.matcher(name).matches() && table.has(name);
        } catch (IOException closed) {
            return true;
        }
    }

    /** Checks whether other JVMs can find the socket of a JVM. Without a socket a JVM counts as ended. */
    static boolean hasBell(SharedFolder table, String name) throws IOException {
        return Files.exists(table.path().resolve(name).resolve(BELL), LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns the name of the lock of a lease's programs, relative to the directory of the table. */
    static String lock(String directory, long lease) {
        return directory + "/" + LEASE + lease;
    }

    /** Creates the lock for the programs of a lease; empty if that is impossible. */
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

    /** Checks the lock of a lease's programs. The name is checked, because another user may have written any text into the table. */
    static ProgramLock.State test(SharedFolder table, String lock) {
        if (!LOCK_FILE.matcher(lock).matches()) {
            return ProgramLock.State.UNKNOWN;
        }
        String file = file(lock);
        try (SharedFolder member = table.folder(member(lock))) {
            return ProgramLock.test(member.path().resolve(file), () -> member.open(file)::close);
        } catch (IOException unreadable) {
            return ProgramLock.State.UNKNOWN;
        }
    }

    /** Removes the files of JVMs that were killed while creating them, at least a minute before this JVM created its own. */
    void removeIncomplete() throws IOException {
        long made = Files.getLastModifiedTime(directory.path()).toMillis();
        for (String other : table.names(NEW)) {
            if (made - changed(table.path().resolve(other)) > INCOMPLETE_MILLIS) {
                remove(table, other, Set.of());
            }
        }
    }

    /** Returns the time of the last change; the maximum if another JVM has completed or removed it. */
    private static long changed(Path incomplete) throws IOException {
        try {
            return Files.getLastModifiedTime(incomplete, LinkOption.NOFOLLOW_LINKS)
                    .toMillis();
        } catch (NoSuchFileException removed) {
            return Long.MAX_VALUE;
        }
    }

    /**
     * Removes the files of an ended member, as far as permissions allow.
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
                // Then only the name can be removed.
            }
            table.delete(name);
        } catch (IOException notMine) {
            // The files belong to another user and do no harm.
        }
    }

    /** Waits until this JVM is woken or the time is over. Only one thread waits at a time. */
    void await(Duration atMost) {
        Selector waiting = selector();
        try {
            if (waiting != null) {
                waiting.select(Math.max(1, atMost.toMillis()));
                waiting.selectedKeys().clear();
                for (SocketChannel rung = bell.accept(); rung != null; rung = bell.accept()) {
                    rung.close();
                }
            }
        } catch (ClosedSelectorException | IOException closed) {
            // This JVM has left, so there is no reason to wait.
        }
    }

    /** Ends a wait of this JVM. */
    synchronized void wake() {
        isWoken = true;
        if (selector != null) {
            selector.wakeup();
        }
    }

    /** Returns the selector, opened at the first call; null if this JVM has left. */
    private synchronized @Nullable Selector selector() {
        if (selector == null && !closed) {
            try {
                selector = Selector.open();
                bell.register(selector, SelectionKey.OP_ACCEPT);
                if (isWoken) {
                    selector.wakeup();
                }
            } catch (IOException none) {
                throw SharedSlots.unusable(table.shown(), none);
            }
        }
        return selector;
    }

    @Override
    public void close() {
        close(Set.of());
    }

    /** Closes the membership, except for the locks that quarantines still need. */
    synchronized void close(Set<String> kept) {
        closed = true;
        try {
            if (selector != null) {
                selector.close();
            }
            bell.close();
            directory.close();
        } catch (IOException closedByTheKernel) {
            // The kernel closes it when the JVM ends.
        }
        remove(table, name, kept);
    }
}
