package dev.neurontest.internal.print.stream;

import dev.neurontest.internal.folder.TemporaryFolder;
import dev.neurontest.internal.print.DelegatedFeed;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.internal.thread.Uninterrupted;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintOrigin;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The prints of processes that forward them over a Unix socket. They are forwarded from inside each process, because its streams are not
 * readable from outside.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ForwardedPrints implements DelegatedFeed, AutoCloseable {

    private static final int LONGEST_ADDRESS = 100;
    private static final Duration ENDED_WITHIN = Duration.ofSeconds(5);

    private final EventStore store;
    private final StreamOptions options;
    private final Path folder;
    private final ServerSocketChannel server;
    private final Path address;
    private final @Nullable TemporaryFolder shortFolder;
    private final List<ForwardingProcess> processes = new ArrayList<>();
    private final AtomicLong connected = new AtomicLong();
    private boolean closed;

    /** Creates a feed that does not accept processes yet. */
    ForwardedPrints(
            ServerSocketChannel server,
            Path address,
            @Nullable TemporaryFolder shortFolder,
            Path folder,
            StreamOptions options,
            PrintLog log) {
        this.server = server;
        this.address = address;
        this.shortFolder = shortFolder;
        this.folder = folder;
        this.options = options;
        this.store = new EventStore(PrintOrigin.FORWARDED, log);
    }

    /**
     * Opens the socket and accepts processes.
     *
     * @param folder existing folder for the socket
     * @param options limits of settling
     * @param log log of the test
     * @throws IOException when the socket cannot be opened
     */
    public static ForwardedPrints listen(Path folder, StreamOptions options, PrintLog log) throws IOException {
        Path address = folder.toAbsolutePath().resolve("prints.sock");
        boolean tooLong = address.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8).length > LONGEST_ADDRESS;
        TemporaryFolder shortFolder = null;
        if (tooLong) {
            shortFolder = TemporaryFolder.make();
            address = shortFolder.path().resolve("s");
        }
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(address));
            // A connection requires write permission, which the umask may grant to other users. They could forge
            // prints.
            Files.setPosixFilePermissions(address, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException | RuntimeException e) {
            server.close();
            if (shortFolder != null) {
                shortFolder.close();
            }
            throw e;
        }
        ForwardedPrints prints = new ForwardedPrints(server, address, shortFolder, folder, options, log);
        Thread accepting = new Thread(prints::accept, "forwarded prints");
        accepting.setDaemon(true);
        accepting.start();
        return prints;
    }

    /** Returns the Unix domain socket for the processes. */
    public Path address() {
        return address;
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel channel = server.accept();
                ForwardingProcess process = new ForwardingProcess(channel, this);
                synchronized (processes) {
                    processes.add(process);
                }
                process.start();
            }
        } catch (IOException | RuntimeException | Error over) {
            noMore(over);
        }
    }

    /**
     * Closes the socket after a failure. Otherwise processes that are waiting for acceptance, and this process itself, would wait forever.
     */
    private void noMore(Throwable reason) {
        synchronized (processes) {
            if (closed) {
                return;
            }
        }
        doubt(
                PrintDoubt.Kind.UNSETTLED,
                "Processes that forward prints are no longer accepted: %s. Prints of later processes are missing."
                        .formatted(reason));
        try {
            server.close();
        } catch (IOException e) {
            // The socket is closed in any case.
        }
    }

    EventStore store() {
        return store;
    }

    /** Counts a stream that a process has connected to. */
    void connected() {
        connected.incrementAndGet();
    }

    Path folder() {
        return folder;
    }

    StreamOptions options() {
        return options;
    }

    void doubt(PrintDoubt.Kind kind, String reason) {
        doubt(new PrintDoubt(kind, reason));
    }

    void doubt(PrintDoubt doubt) {
        store.doubt(doubt);
    }

    /** Waits for all processes. Ended processes are read to their end. Running processes must confirm that they have sent all events. */
    @Override
    public void settle() {
        // An interrupted thread would close every channel that it uses.
        Uninterrupted.get(() -> {
            requestAll();
            return true;
        });
    }

    private void requestAll() {
        awaitAccepted();
        long held = options.held() * Math.max(1, connected.get());
        // A program may print continuously. Prints after the request are not awaited, and the prints of one process do
        // not extend the
        // limit of another.
        for (ForwardingProcess process : processes()) {
            if (!process.settle(new SettleLimit(options.settleTimeout(), process::came, held))) {
                doubt(
                        PrintDoubt.Kind.UNSETTLED,
                        "Process %s did not confirm within %s ms that it has forwarded all of its prints: it may be busy without releasing Python's lock."
                                .formatted(
                                        process.pid(), options.settleTimeout().toMillis()));
            }
        }
    }

    private List<ForwardingProcess> processes() {
        synchronized (processes) {
            return List.copyOf(processes);
        }
    }

    /**
     * Waits until all earlier connections are accepted. A process that has connected and ended may still be in the queue of the socket,
     * before a new connection.
     */
    private void awaitAccepted() {
        synchronized (processes) {
            if (closed) {
                return;
            }
        }
        ByteBuffer probe = ByteBuffer.allocate(ForwardingProcess.HELLO).order(ByteOrder.LITTLE_ENDIAN);
        probe.put(ForwardingProcess.MAGIC)
                .putInt(ForwardingProcess.PROBE)
                .putInt(0)
                .flip();
        try (SocketChannel self = SocketChannel.open(UnixDomainSocketAddress.of(address))) {
            self.write(probe);
            DataInputStream in = new DataInputStream(Channels.newInputStream(self));
            while (in.read() >= 0) {
                // The server closes this connection after it has accepted all earlier ones.
            }
        } catch (IOException e) {
            doubt(
                    PrintDoubt.Kind.UNSETTLED,
                    "The socket for forwarded prints, %s, is gone: %s. Processes that start now cannot forward their prints."
                            .formatted(address, e));
        }
        synchronized (processes) {
            processes.removeIf(ForwardingProcess::endedWithoutGreeting);
        }
    }

    @Override
    public PrintFeed source() {
        return store;
    }

    /** Settles the feed and closes the socket. This method can be called repeatedly. */
    @Override
    public void close() {
        settle();
        synchronized (processes) {
            if (closed) {
                return;
            }
            closed = true;
        }
        if (processes().stream().noneMatch(ForwardingProcess::hasGreeted)) {
            doubt(
                    PrintDoubt.Kind.UNAVAILABLE,
                    "No process forwarded its prints. Only Python does that automatically, unless it is started with -S, -I or -E, or its PYTHONPATH is replaced.");
        }
        try {
            server.close();
            Files.deleteIfExists(address);
            if (shortFolder != null) {
                shortFolder.close();
            }
        } catch (IOException e) {
            // Only an empty socket file remains.
        }
        processes().forEach(ForwardingProcess::close);
        processes().forEach(process -> process.join(ENDED_WITHIN));
    }
}
