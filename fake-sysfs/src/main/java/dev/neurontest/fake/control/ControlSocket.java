package dev.neurontest.fake.control;

import dev.neurontest.fake.FakeNeuronHost;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The control socket of a directory host. A connection is a process on that host: when it is lost, the driver sees what it
 * sees when a program is killed.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ControlSocket implements AutoCloseable {

    /** The name of the socket in the host's root. */
    public static final String NAME = "control.sock";

    /** What {@code sun_path} of an AF_UNIX address can hold, without its terminating NUL. */
    private static final int LONGEST_ADDRESS = 107;

    private final Path path;
    private final @Nullable Path shortDirectory;
    private final ServerSocketChannel server;
    private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();

    private ControlSocket(Path path, @Nullable Path shortDirectory, ServerSocketChannel server) {
        this.path = path;
        this.shortDirectory = shortDirectory;
        this.server = server;
    }

    /**
     * Begins to listen in a host's root. Where its path is too long for an address, the socket lies in a short private
     * directory and the root holds a link to it.
     *
     * @param host what the commands act on
     * @param root the host's root
     * @return the open socket
     */
    public static ControlSocket open(FakeNeuronHost host, Path root) {
        Path path = root.resolve(NAME);
        @Nullable Path shortDirectory = null;
        try {
            Path address = path;
            if (path.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_ADDRESS) {
                shortDirectory = Files.createTempDirectory("neuron");
                address = shortDirectory.resolve(NAME);
                Files.createSymbolicLink(path, address);
            }
            ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(address));
            Files.setPosixFilePermissions(address, PosixFilePermissions.fromString("rw-------"));
            ControlSocket socket = new ControlSocket(path, shortDirectory, server);
            daemon("neuron-fake-control", () -> socket.accept(host)).start();
            return socket;
        } catch (IOException refused) {
            throw new UncheckedIOException("The control socket " + path + " could not be made", refused);
        }
    }

    private void accept(FakeNeuronHost host) {
        while (server.isOpen()) {
            try {
                SocketChannel connection = server.accept();
                connections.add(connection);
                daemon("neuron-fake-connection", () -> serve(host, connection)).start();
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(FakeNeuronHost host, SocketChannel connection) {
        try (connection;
                CommandSession session = new CommandSession(host);
                BufferedReader commands = new BufferedReader(Channels.newReader(connection, StandardCharsets.UTF_8));
                Writer answers = Channels.newWriter(connection, StandardCharsets.UTF_8)) {
            String command;
            while (!session.hasQuit() && (command = commands.readLine()) != null) {
                answers.write(session.answer(command) + "\n");
                answers.flush();
            }
        } catch (IOException gone) {
            // A client that was killed in the middle of a line: the session has killed its processes all the same.
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
            Path real = shortDirectory == null ? path : shortDirectory.resolve(NAME);
            Files.deleteIfExists(real);
            Files.deleteIfExists(path);
            if (shortDirectory != null) {
                Files.deleteIfExists(shortDirectory);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("The control socket " + path + " could not be removed", failed);
        }
    }

    private static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }
}
