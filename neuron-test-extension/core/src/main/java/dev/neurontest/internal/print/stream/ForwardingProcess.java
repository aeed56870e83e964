package dev.neurontest.internal.print.stream;

import dev.neurontest.print.PrintDoubt;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** A process that forwards its prints, and the thread that reads its messages. */
final class ForwardingProcess {

    static final byte[] MAGIC = "NTPRINTS".getBytes(StandardCharsets.US_ASCII);
    static final int HELLO = 16;
    static final int VERSION = 1;

    /** The version of a connection that only waits for acceptance. */
    static final int PROBE = 0;

    private static final int INVALID = 2;
    private static final int BUFFER = 256 << 10;

    /** Maximum size of a payload that is read into memory. */
    private static final int LARGEST = 1 << 20;

    private final SocketChannel channel;
    private final ForwardedPrints prints;
    private final Thread thread;
    private final AtomicLong came = new AtomicLong();
    private long pid;
    private long requested;
    private long answered;
    private boolean hasEnded;
    private boolean hasGreeted;
    private boolean isClosed;

    ForwardingProcess(SocketChannel channel, ForwardedPrints prints) {
        this.channel = channel;
        this.prints = prints;
        this.thread = new Thread(this::run, "forwarded prints of a process");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    synchronized long pid() {
        return pid;
    }

    /** Returns the number of events that have begun to arrive. */
    long came() {
        return came.get();
    }

    /** Returns whether the connection belongs to a process that forwards prints, even with an invalid greeting. */
    synchronized boolean hasGreeted() {
        return hasGreeted;
    }

    /** Returns whether the connection has ended without belonging to a process that forwards prints. */
    synchronized boolean endedWithoutGreeting() {
        return hasEnded && !hasGreeted;
    }

    private void run() {
        try (channel) {
            read(Channels.newInputStream(channel));
        } catch (IOException e) {
            broken(e);
        } finally {
            synchronized (this) {
                hasEnded = true;
                notifyAll();
            }
        }
    }

    /** Reads messages until the connection ends or a message is invalid. */
    void read(InputStream messages) {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(messages, BUFFER))) {
            if (greeted(in)) {
                follow(in);
            }
        } catch (IOException | RuntimeException e) {
            broken(e);
        }
    }

    private synchronized void broken(Exception e) {
        if (!isClosed && hasGreeted) {
            prints.doubt(
                    PrintDoubt.Kind.UNREADABLE,
                    "The prints that process %s forwards cannot be read (%s). Its later prints are missing."
                            .formatted(pid, e));
        }
    }

    private boolean greeted(DataInputStream in) throws IOException {
        byte[] hello = new byte[HELLO];
        try {
            in.readFully(hello);
        } catch (EOFException nothing) {
            return false;
        }
        ByteBuffer fields = ByteBuffer.wrap(hello).order(ByteOrder.LITTLE_ENDIAN);
        int version = fields.getInt(MAGIC.length);
        boolean magic = Arrays.equals(hello, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
        if (magic && version == PROBE) {
            return false;
        }
        synchronized (this) {
            hasGreeted = true;
            pid = Integer.toUnsignedLong(fields.getInt(MAGIC.length + Integer.BYTES));
        }
        if (!magic || version != VERSION) {
            throw new IOException(
                    magic ? "its version is %s".formatted(version) : "it does not begin with the expected bytes");
        }
        return true;
    }

    private void follow(DataInputStream in) throws IOException {
        while (true) {
            PrintFrame frame;
            try {
                frame = PrintFrame.read(in);
            } catch (EOFException e) {
                ended();
                return;
            }
            switch (frame.kind()) {
                case PrintFrame.EVENT -> event(in, frame);
                case PrintFrame.CONNECTED -> {
                    frame.content(in);
                    prints.connected();
                }
                case PrintFrame.REFUSED ->
                    refused(frame, numbers(frame, in, Integer.BYTES).getInt());
                case PrintFrame.UNAVAILABLE -> unavailable(new String(frame.content(in), StandardCharsets.UTF_8));
                case PrintFrame.LOST ->
                    lost(frame, numbers(frame, in, Long.BYTES).getLong());
                case PrintFrame.FULL -> full(frame, numbers(frame, in, 2 * Long.BYTES));
                case PrintFrame.SETTLED ->
                    settled(numbers(frame, in, Long.BYTES).getLong());
                case PrintFrame.END -> {
                    frame.content(in);
                    return;
                }
                default -> frame.content(in);
            }
        }
    }

    private synchronized void ended() {
        if (!isClosed) {
            prints.doubt(
                    PrintDoubt.Kind.UNSETTLED,
                    "Process %s ended without confirming that it had forwarded everything, for example because it was killed or called os._exit. Its last prints may be missing."
                            .formatted(pid));
        }
    }

    private static ByteBuffer numbers(PrintFrame frame, DataInputStream in, int size) throws IOException {
        byte[] content = frame.content(in);
        if (content.length != size) {
            throw new IOException("a frame of kind %s has %s bytes".formatted(frame.kind(), content.length));
        }
        return ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void refused(PrintFrame frame, int status) {
        if (status == INVALID) {
            prints.doubt(
                    PrintDoubt.Kind.TAKEN,
                    ("nrt_debug_client_connect returned 2 (NRT_INVALID) for core %s of process %s: other code in it reads the debug stream, such as a framework's own consumer. A stream has only one reader: disable that consumer, or collect its files instead.")
                            .formatted(frame.core(), pid()));
        } else {
            prints.doubt(
                    PrintDoubt.Kind.UNAVAILABLE,
                    "nrt_debug_client_connect returned %s for core %s of process %s."
                            .formatted(status, frame.core(), pid()));
        }
    }

    private void unavailable(String reason) {
        prints.doubt(
                PrintDoubt.Kind.UNAVAILABLE,
                "The debug stream of process %s cannot be read: %s.".formatted(pid(), reason));
    }

    private void lost(PrintFrame frame, long count) {
        prints.doubt(
                PrintDoubt.Kind.LOST,
                "Process %s closed the runtime (nrt_close) before %s of its prints on core %s were read: libnrt freed them. Let it wait a moment after its last execution, or end without closing the runtime."
                        .formatted(pid(), count, frame.core()));
    }

    private void full(PrintFrame frame, ByteBuffer numbers) {
        prints.doubt(EventStore.full(
                "The debug stream of core %s of process %s".formatted(frame.core(), pid()),
                numbers.getLong(),
                numbers.getLong()));
    }

    private synchronized void settled(long number) {
        answered = number;
        notifyAll();
    }

    private void event(DataInputStream in, PrintFrame frame) throws IOException {
        byte[] header = new byte[PrintLayout.HEADER];
        in.readFully(header);
        came.incrementAndGet();
        long length = frame.length() - header.length;
        long promised = new HeldEvent(header, ByteBuffer.allocate(0)).size();
        if (Long.compareUnsigned(length, promised) > 0) {
            throw new IOException("an event has %s bytes, but its header promises %s"
                    .formatted(length, Long.toUnsignedString(promised)));
        }
        if (length <= LARGEST) {
            byte[] payload = new byte[(int) length];
            in.readFully(payload);
            prints.store().add(new HeldEvent(header, ByteBuffer.wrap(payload)), frame.core());
        } else {
            spool(in, new HeldEvent(header, ByteBuffer.allocate(0)), length, frame.core());
        }
        if (in.available() == 0) {
            prints.store().flush();
        }
    }

    /**
     * Stores a large event in a file first. It is added to the store only when it is complete, because a process that stops in the middle
     * must not block others.
     */
    private void spool(DataInputStream in, HeldEvent start, long length, int core) throws IOException {
        Path file = prints.folder().resolve("prints-" + UUID.randomUUID() + ".tmp");
        try (FileChannel spool = FileChannel.open(
                file,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE)) {
            byte[] chunk = new byte[BUFFER];
            for (long done = 0; done < length; ) {
                int next = (int) Math.min(chunk.length, length - done);
                in.readFully(chunk, 0, next);
                for (ByteBuffer remaining = ByteBuffer.wrap(chunk, 0, next); remaining.hasRemaining(); ) {
                    done += spool.write(remaining, done);
                }
            }
            prints.store().add(new SpooledEvent(start, spool, length), core);
        }
    }

    /**
     * Waits until the process has confirmed twice, with a pause between, that it has forwarded all events, or until it has ended.
     *
     * @return false without a confirmation in time
     */
    boolean settle(SettleLimit limit) {
        if (!isAnswered(limit)) {
            return false;
        }
        SettleLimit.pause(prints.options().settleDelay().toNanos(), millis -> isAnsweredWithin(Long.MAX_VALUE, millis));
        return isAnswered(limit);
    }

    private boolean isAnswered(SettleLimit limit) {
        long number;
        synchronized (this) {
            if (hasEnded) {
                return true;
            }
            number = ++requested;
        }
        try {
            channel.write(ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(number)
                    .flip());
        } catch (IOException closed) {
            // The process is ending, and its messages are read to their end.
        }
        return limit.await(millis -> isAnsweredWithin(number, millis));
    }

    private synchronized boolean isAnsweredWithin(long number, long millis) throws InterruptedException {
        if (!hasEnded && answered < number) {
            wait(millis);
        }
        return hasEnded || answered >= number;
    }

    /** Closes the connection. Further messages are discarded. */
    void close() {
        synchronized (this) {
            isClosed = true;
        }
        try {
            channel.close();
        } catch (IOException e) {
            // The process is gone.
        }
    }

    void join(Duration atMost) {
        SettleLimit.pause(atMost.toNanos(), millis -> {
            thread.join(millis);
            return !thread.isAlive();
        });
    }
}
