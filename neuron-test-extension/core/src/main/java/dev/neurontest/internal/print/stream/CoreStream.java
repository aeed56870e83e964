package dev.neurontest.internal.print.stream;

import dev.neurontest.internal.runtime.stream.DebugStream;
import dev.neurontest.internal.runtime.stream.StreamEvent;
import dev.neurontest.print.PrintDoubt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The stream of one core and the test that its events belong to. The reading thread reads it; others begin and end tests. */
final class CoreStream {

    /** After so many reads in a row that fail, with waiting between them, nothing more is expected. */
    private static final int FAILURES = 3;

    private static final int CLOSED = 14;

    private final DebugStream stream;
    private final StreamEvent event;
    private final PrintEventSource source;
    private volatile @Nullable StreamTap tap;
    private volatile @Nullable PrintDoubt end;
    private volatile Drained drained = Drained.EMPTY;
    private int failures;
    // Written by the reading thread alone; others see by it that this gets on.
    private final AtomicLong taken = new AtomicLong();
    private long late;
    private final long capacity;
    private long run;

    /**
     * Nothing was read yet.
     *
     * @param capacity how many events the stream can hold; 0 when that is not known
     */
    CoreStream(DebugStream stream, StreamEvent event, long capacity) {
        this.stream = stream;
        this.capacity = capacity;
        this.event = event;
        this.source = new StreamEventSource(event);
    }

    /** What there was to read. */
    enum Drained {
        /** Nothing, or nothing any more. */
        EMPTY,
        /** As much as was asked for; there may be more. */
        MORE,
        /** Reading failed; it may be tried again later, unless the stream has ended. */
        FAILED
    }

    DebugStream stream() {
        return stream;
    }

    @Nullable
    StreamTap tap() {
        return tap;
    }

    /** From now on events belong to this test, or to none. */
    void tap(@Nullable StreamTap next) {
        tap = next;
        PrintDoubt why = end;
        if (next != null && why != null) {
            next.doubt(why);
        }
    }

    /** The state when it was last read. */
    Drained drained() {
        return drained;
    }

    /** All events so far. */
    long taken() {
        return taken.get();
    }

    /** Events that came while there was no test. */
    long late() {
        return late;
    }

    boolean hasEnded() {
        return end != null;
    }

    /** It is closed before it was empty. */
    void cutOff() {
        if (end == null) {
            doubt(new PrintDoubt(
                    PrintDoubt.Kind.UNSETTLED,
                    "The debug stream of core %s of this process was closed before it was empty: what was printed last is missing. Let executions end before the runtime is closed."
                            .formatted(stream.core())));
        }
    }

    /** Nothing is read from it any more. */
    void end(String reason) {
        if (end == null) {
            PrintDoubt why = new PrintDoubt(
                    PrintDoubt.Kind.UNSETTLED,
                    "The debug stream of core %s is not read any more: %s. Prints after that are missing here."
                            .formatted(stream.core(), reason));
            end = why;
            doubt(why);
        }
    }

    private void doubt(PrintDoubt doubt) {
        StreamTap doubting = tap;
        if (doubting != null) {
            doubting.doubt(doubt);
        }
    }

    /**
     * Reads until the stream is empty, or enough was read.
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
     * An event can only be lost while the ring is full, and then so many events follow each other as it holds, whichever end is dropped
     * (less one, since a ring may keep a place free). A shorter run proves that nothing was lost in it.
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
            end("the runtime was closed while it was open (nrt_debug_client_read_one_event gave 14, NRT_CLOSED)");
        } else if (failures >= FAILURES) {
            end("nrt_debug_client_read_one_event gave %s, %s times in a row".formatted(status, failures));
        } else {
            doubt(new PrintDoubt(
                    PrintDoubt.Kind.UNSETTLED,
                    "nrt_debug_client_read_one_event gave %s for core %s of this process: the event that it should have read may be lost. See what the runtime logged."
                            .formatted(status, stream.core())));
        }
        return Drained.FAILED;
    }
}
