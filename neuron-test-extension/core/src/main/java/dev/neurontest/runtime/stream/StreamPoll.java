package dev.neurontest.runtime.stream;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Waits until one of several streams has events, by {@code poll}, or until another thread wants something. Belongs to one thread;
 * only {@link #wake()} is for others.
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
    private final Memory one = new Memory(Long.BYTES);
    private final int wakeUp;
    private boolean closed;

    /**
     * For some streams.
     *
     * @param streams all of them are watched until they are told not to be
     * @throws IllegalStateException when the system has no file descriptor left to be woken up by
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
        memory.clear(); // it is looked at before the first poll has written to it
        this.entries = memory.getByteBuffer(0, memory.size()).order(ByteOrder.LITTLE_ENDIAN);
        this.address = Pointer.nativeValue(memory);
        one.setLong(0, 1);
        for (int entry = 0; entry <= streams.size(); entry++) {
            entries.putInt(
                    entry * ENTRY, entry < streams.size() ? streams.get(entry).fd() : wakeUp);
            entries.putShort(entry * ENTRY + EVENTS, PollCalls.POLLIN);
        }
    }

    /**
     * Says whether a stream is waited for.
     *
     * @param stream its place in the list
     * @param watched whether its events end the waiting
     */
    public void watch(int stream, boolean watched) {
        entries.putInt(stream * ENTRY, watched ? streams.get(stream).fd() : -1);
    }

    /**
     * Waits until a watched stream has events, or {@link #wake()} is called, or the time is over, or a signal comes.
     *
     * @param milliseconds 0 only looks
     * @throws IllegalStateException when it is not possible to wait
     */
    public void await(int milliseconds) {
        int ready = PollCalls.poll(address, streams.size() + 1, milliseconds);
        if (ready < 0) {
            int errno = Native.getLastError();
            for (int entry = 0; entry <= streams.size(); entry++) {
                entries.putShort(entry * ENTRY + RESULT, (short) 0);
            }
            if (errno != PollCalls.EINTR) {
                throw new IllegalStateException(
                        "poll of %s debug streams failed with errno %s".formatted(streams.size(), errno));
            }
        }
        if (entries.getShort(streams.size() * ENTRY + RESULT) != 0) {
            PollCalls.read(wakeUp, Pointer.nativeValue(counter), Long.BYTES);
        }
    }

    /**
     * Whether a stream had something when it was last waited for.
     *
     * @param stream its place in the list
     * @return also true when something is wrong with it
     */
    public boolean isReady(int stream) {
        return entries.getShort(stream * ENTRY + RESULT) != 0;
    }

    /**
     * Whether the file descriptor of a stream was closed by code that must not close it.
     *
     * @param stream its place in the list
     * @return true when polling says that there is no such file
     */
    public boolean isGone(int stream) {
        return (entries.getShort(stream * ENTRY + RESULT) & PollCalls.POLLNVAL) != 0;
    }

    /** Ends the waiting of the other thread, or its next one. */
    public synchronized void wake() {
        if (!closed) {
            PollCalls.write(wakeUp, Pointer.nativeValue(one), Long.BYTES);
        }
    }

    /** Gives the own file descriptor back; the streams stay as they are. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            PollCalls.close(wakeUp);
        }
    }
}
