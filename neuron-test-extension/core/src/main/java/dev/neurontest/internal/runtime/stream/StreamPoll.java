package dev.neurontest.internal.runtime.stream;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A wait by {@code poll} until one of several streams has events, or until another thread ends it. Belongs to one thread; only
 * {@link #wake()} may be called by others.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class StreamPoll implements AutoCloseable {

    private static final int ENTRY = 8;
    private static final int EVENTS = 4;
    private static final int RESULT = 6;

    private final List<DebugStream> streams;
    private final Memory memory;
    private final ByteBuffer entries;
    private final long address;
    private final Memory counter = new Memory(Long.BYTES);
    private final Memory increment = new Memory(Long.BYTES);
    private final int wakeUp;
    private boolean closed;

    /**
     * Creates a wait for the given streams.
     *
     * @throws IllegalStateException when the system has no free file descriptor for wake-ups
     */
    public StreamPoll(List<DebugStream> streams) {
        this.streams = List.copyOf(streams);
        this.wakeUp = PollCalls.eventfd(0, PollCalls.EFD_CLOEXEC_NONBLOCK);
        if (wakeUp < 0) {
            throw new IllegalStateException(
                    "eventfd failed with errno %s: this process has too many open files. Raise ulimit -n, or close some."
                            .formatted(Native.getLastError()));
        }
        this.memory = new Memory((long) ENTRY * (streams.size() + 1));
        memory.clear(); // It is read before the first poll has written to it.
        this.entries = memory.getByteBuffer(0, memory.size()).order(ByteOrder.LITTLE_ENDIAN);
        this.address = Pointer.nativeValue(memory);
        increment.setLong(0, 1);
        for (int entry = 0; entry <= streams.size(); entry++) {
            entries.putInt(
                    entry * ENTRY, entry == 0 ? wakeUp : streams.get(entry - 1).fd());
            entries.putShort(entry * ENTRY + EVENTS, PollCalls.POLLIN);
        }
    }

    /**
     * Removes a stream from the wait.
     *
     * @param stream its index in the list
     */
    public void forget(int stream) {
        entries.putInt((stream + 1) * ENTRY, -1);
    }

    /**
     * Waits until a stream has events, {@link #wake()} is called, the time is over, or a signal arrives.
     *
     * @param milliseconds maximum time; 0 to check without waiting
     * @param forStreams true if events end the wait
     * @return true if a stream has events or an error
     * @throws IllegalStateException when waiting is impossible
     */
    public boolean await(int milliseconds, boolean forStreams) {
        int ready = PollCalls.poll(address, forStreams ? streams.size() + 1 : 1, milliseconds);
        if (ready < 0 && Native.getLastError() != PollCalls.EINTR) {
            throw new IllegalStateException(
                    "poll of %s debug streams failed with errno %s".formatted(streams.size(), Native.getLastError()));
        }
        boolean woken = ready > 0 && entries.getShort(RESULT) != 0;
        if (woken) {
            PollCalls.read(wakeUp, Pointer.nativeValue(counter), Long.BYTES);
        }
        return ready > (woken ? 1 : 0);
    }

    /**
     * Returns whether the file descriptor of a stream was closed by other code, which is not allowed.
     *
     * @param stream its index in the list
     */
    public boolean isGone(int stream) {
        return (entries.getShort((stream + 1) * ENTRY + RESULT) & PollCalls.POLLNVAL) != 0;
    }

    /** Ends the current wait of the other thread, or its next one. */
    public synchronized void wake() {
        if (!closed) {
            PollCalls.write(wakeUp, Pointer.nativeValue(increment), Long.BYTES);
        }
    }

    /** Closes the file descriptor for wake-ups. The streams stay open. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            PollCalls.close(wakeUp);
        }
    }
}
