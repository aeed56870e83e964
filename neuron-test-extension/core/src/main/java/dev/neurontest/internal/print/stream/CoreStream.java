package dev.neurontest.internal.print.stream;

import dev.neurontest.internal.runtime.stream.DebugStream;
import dev.neurontest.internal.runtime.stream.StreamEvent;
import dev.neurontest.print.PrintDoubt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The stream of one core, and the test that currently receives its events. One thread reads it; other threads begin and end tests. */
final class CoreStream {

    /** Maximum number of consecutive failed reads, with pauses between them, before the stream is given up. */
    private static final int FAILURES = 3;

    private static final int CLOSED = 14;

    private final DebugStream stream;
    private final StreamEvent event;
    private final PrintEventSource source;
    private volatile @Nullable StreamTap tap;
    private volatile @Nullable PrintDoubt end;
    private volatile Drained drained = Drained.EMPTY;
    private int failures;
    // Number of events, written only by the reading thread. Other threads use it to detect progress.
    private final AtomicLong taken = new AtomicLong();
    private long late;
    private final long capacity;
    private long run;

    /**
     * Creates a stream without reading it.
     *
     * @param capacity number of events that the stream can hold; 0 when unknown
     */
    CoreStream(DebugStream stream, StreamEvent event, long capacity) {
        this.stream = stream;
        this.capacity = capacity;
        this.event = event;
        this.source = new StreamEventSource(event);
    }

    /** The result of a read. */
    enum Drained {
        /** An empty or ended stream. */
        EMPTY,
        /** A read of the requested number of events; there may be more. */
        MORE,
        /** A read error. Reading can be retried later, unless the stream has ended. */
        FAILED
    }

    DebugStream stream() {
        return stream;
    }

    @Nullable
    StreamTap tap() {
        return tap;
    }

    /** Sets the test that receives future events, or none. */
    void tap(@Nullable StreamTap next) {
        tap = next;
        PrintDoubt doubt = end;
        if (next != null && doubt != null) {
            next.doubt(doubt);
        }
    }

    /** Returns the result of the last read. */
    Drained drained() {
        return drained;
    }

    /** Returns the number of all events so far. */
    long taken() {
        return taken.get();
    }

    /** Returns the number of events that came without a running test. */
    long late() {
        return late;
    }

    boolean hasEnded() {
        return end != null;
    }

    /** Records a doubt because the stream is closed before it was empty. */
    void cutOff() {
        if (end == null) {
            doubt(new PrintDoubt(
                    PrintDoubt.Kind.UNSETTLED,
                    "The debug stream of core %s of this process was closed before it was empty: the last prints are missing. Let executions end before the runtime is closed."
                            .formatted(stream.core())));
        }
    }

    /** Ends the reading of this stream. */
    void end(String reason) {
        if (end == null) {
            PrintDoubt doubt = new PrintDoubt(
                    PrintDoubt.Kind.UNSETTLED,
                    "The debug stream of core %s is no longer read: %s. Later prints are missing."
                            .formatted(stream.core(), reason));
            end = doubt;
            doubt(doubt);
        }
    }

    private void doubt(PrintDoubt doubt) {
        StreamTap doubting = tap;
        if (doubting != null) {
            doubting.doubt(doubt);
        }
    }

    /**
     * Reads until the stream is empty or the limit is reached.
     *
     * @return {@link Drained#EMPTY} also when it has ended
     */
    Drained drain(int atMost) {
        long before = taken();
        Drained read = read(atMost);
        StreamTap flushed = tap;
        if (flushed != null && taken() > before) {
            flushed.flush();
        }
        drained = read;
        return read;
    }

    private Drained read(int atMost) {
        if (end != null) {
            return Drained.EMPTY;
        }
        for (int count = 0; count < atMost; count++) {
            int status = stream.read(event);
            if (status == DebugStream.EMPTY) {
                failures = 0;
                endRun();
                return Drained.EMPTY;
            }
            if (status != 0) {
                return failed(status);
            }
            failures = 0;
            take();
        }
        return Drained.MORE;
    }

    /**
     * Ends a run of events and checks for a possible overflow. An event can only be lost while the ring is full. Then the run has at least
     * as many events as the capacity of the ring. This is independent of whether the ring drops the oldest or the newest events. A ring
     * may keep one place free, so one event less is enough. A shorter run proves that no event was lost in it.
     */
    private void endRun() {
        StreamTap read = tap;
        if (run > 0 && run >= capacity - 1 && read != null) {
            read.mayHaveOverflowed(stream.core(), run);
        }
        run = 0;
    }

    private void take() {
        run++;
        taken.lazySet(taken.getPlain() + 1);
        StreamTap taking = tap;
        try {
            if (taking == null) {
                late++;
            } else {
                taking.add(source, stream.core());
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } finally {
            event.free();
        }
    }

    private Drained failed(int status) {
        failures++;
        if (status == CLOSED) {
            end("the runtime was closed while it was open (nrt_debug_client_read_one_event returned 14, NRT_CLOSED)");
        } else if (failures >= FAILURES) {
            end("nrt_debug_client_read_one_event returned %s, %s times in a row".formatted(status, failures));
        } else {
            doubt(new PrintDoubt(
                    PrintDoubt.Kind.UNSETTLED,
                    "nrt_debug_client_read_one_event returned %s for core %s of this process: an event may be lost. Check the runtime's log."
                            .formatted(status, stream.core())));
        }
        return Drained.FAILED;
    }
}
