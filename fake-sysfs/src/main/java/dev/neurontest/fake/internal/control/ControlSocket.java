package dev.neurontest.fake.internal.control;

import dev.neurontest.fake.internal.folder.PrivateFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The control socket of a host with a directory. Each connection represents a process on that host. The loss of a connection has the same
 * effect as a kill of that process.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ControlSocket implements AutoCloseable {

    /** The name of the socket in the host's root. */
    public static final String NAME = "control.sock";

    /** Name of the socket until it accepts connections. */
    private static final String NAME_BEFORE = NAME + '~';

    /** Maximum length of {@code sun_path} in an AF_UNIX address, without its terminating NUL: 107 on Linux, 103 on macOS. */
    private static final int LONGEST_ADDRESS = 103;

    private static final int BACKLOG = 1024;
    private static final Duration PAUSE_WITHOUT_DESCRIPTORS = Duration.ofMillis(100);

    private final Supplier<CommandSession> sessions;
    private final Path path;
    private final @Nullable PrivateFolder shortFolder;
    private final ServerSocketChannel server;
    private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();

    private ControlSocket(Supplier<CommandSession> sessions, Path path) throws IOException {
        this.sessions = sessions;
        this.path = path;
        this.shortFolder = isTooLong(path.resolveSibling(NAME_BEFORE))
                ? PrivateFolder.make(Path.of(System.getProperty("java.io.tmpdir")))
                : null;
        this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    }

    /**
     * Opens the socket in a host's root. If its path is too long for an address, the socket is in a private folder with
     * a shorter path, and the root contains a link to it.
     *
     * @param sessions the factory of a session for each connection
     * @param root the host's root
     * @throws UncheckedIOException when it cannot be opened; nothing is left behind then
     */
    public static ControlSocket open(Supplier<CommandSession> sessions, Path root) {
        Path path = root.resolve(NAME);
        try {
            ControlSocket socket = new ControlSocket(sessions, path);
            try {
                socket.listen();
                return socket;
            } catch (IOException refused) {
                socket.close();
                throw refused;
            }
        } catch (IOException refused) {
            throw new UncheckedIOException("The control socket " + path + " cannot be created: " + refused, refused);
        }
    }

    /** Binds the socket. It gets its final name only when it accepts connections. At that time only its user can access it. */
    private void listen() throws IOException {
        if (shortFolder == null) {
            Path before = path.resolveSibling(NAME_BEFORE);
            bind(before);
            Files.move(before, path);
        } else {
            Path address = shortFolder.path().resolve(NAME);
            // At the end of the JVM, files that the host did not close are deleted in the reverse order.
            shortFolder.deleteOnExit();
            address.toFile().deleteOnExit();
            bind(address);
            Files.createSymbolicLink(path, address);
        }
        daemon("neuron-fake-control", this::accept).start();
    }

    private void bind(Path address) throws IOException {
        server.bind(UnixDomainSocketAddress.of(address), BACKLOG);
        Files.setPosixFilePermissions(address, PosixFilePermissions.fromString("rw-------"));
    }

    private static boolean isTooLong(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_ADDRESS;
    }

    private void accept() {
        while (true) {
            try {
                SocketChannel connection = server.accept();
                connections.add(connection);
                daemon("neuron-fake-connection", () -> serve(connection)).start();
            } catch (ClosedChannelException closed) {
                return;
            } catch (IOException shortage) {
                // The process has no free descriptor. The next connection that ends frees one.
                LockSupport.parkNanos(PAUSE_WITHOUT_DESCRIPTORS.toNanos());
            }
        }
    }

    private void serve(SocketChannel connection) {
        // The session is closed first. A client that notices the end of its connection then finds the cores free.
        try (connection;
                Writer answers = Channels.newWriter(connection, StandardCharsets.UTF_8);
                CommandSession session = sessions.get()) {
            CommandLines commands = new CommandLines(Channels.newInputStream(connection));
            String command;
            while (!session.hasQuit() && (command = commands.next()) != null) {
                answers.write(session.answer(command) + "\n");
                answers.flush();
            }
        } catch (IOException gone) {
            // A client was killed in the middle of a line. The session has still killed its processes.
        } finally {
            connections.remove(connection);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            for (SocketChannel connection : connections) {
                connection.close();
            }
            Files.deleteIfExists(path);
            Files.deleteIfExists(path.resolveSibling(NAME_BEFORE));
            if (shortFolder != null) {
                Files.deleteIfExists(shortFolder.path().resolve(NAME));
                shortFolder.delete();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("The control socket " + path + " cannot be removed", failed);
        }
    }

    private static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }
}
