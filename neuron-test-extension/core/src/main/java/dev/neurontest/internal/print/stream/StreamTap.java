package dev.neurontest.internal.print.stream;

import dev.neurontest.internal.print.DelegatedFeed;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintOrigin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The prints of one test from the debug streams of its cores. It begins when the streams were empty and ends when it is closed. Later
 * events belong to no test. It is readable after the end too. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class StreamTap implements DelegatedFeed, AutoCloseable {

    private final DebugStreams streams;
    private final List<Integer> cores;
    private final EventStore store;
    private final long capacity;
    private final Map<Integer, Long> overflows = new TreeMap<>();
    private boolean closed;

    /** Number of events when the streams were last found quiet. */
    private volatile long settledAfterEvents = -1;

    private volatile long settledAfterExecutions = -1;

    StreamTap(DebugStreams streams, List<Integer> cores, StreamOptions options, PrintLog log) {
        this.streams = streams;
        this.cores = List.copyOf(cores);
        this.capacity = options.capacity();
        this.store = new EventStore(PrintOrigin.STREAM, log);
    }

    /** Returns the numbers of the cores in this process. */
    public List<Integer> cores() {
        return cores;
    }

    void add(PrintEventSource event, int core) throws IOException {
        store.add(event, core);
    }

    void flush() {
        store.flush();
    }

    long arrived() {
        return store.arrived();
    }

    /** Returns whether no execution has run and no event has arrived since the streams were last found quiet. */
    boolean isSettled(long executions) {
        return executions >= 0 && executions == settledAfterExecutions && arrived() == settledAfterEvents;
    }

    void settled(long executions) {
        settledAfterExecutions = executions;
        settledAfterEvents = arrived();
    }

    void doubt(PrintDoubt doubt) {
        store.doubt(doubt);
    }

    /**
     * Waits until the streams stay empty for a while. If no execution has run and no event has arrived since the last time, it only checks
     * them. A doubt is recorded when they do not become quiet in time.
     */
    @Override
    public void settle() {
        if (!isClosed()) {
            streams.settle(this);
        }
    }

    @Override
    public PrintFeed source() {
        return store;
    }

    /** Adds a run of events with a possible loss. */
    void mayHaveOverflowed(int core, long run) {
        synchronized (overflows) {
            overflows.merge(core, run, Math::max);
        }
    }

    @Override
    public List<PrintDoubt> doubts() {
        List<PrintDoubt> all = new ArrayList<>(store.doubts());
        synchronized (overflows) {
            overflows.forEach((core, run) -> all.add(
                    EventStore.full("The debug stream of core %s of this process".formatted(core), run, capacity)));
        }
        return all;
    }

    @Override
    public boolean isProven() {
        return doubts().isEmpty();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Settles the streams and stops receiving events. This method can be called repeatedly. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        streams.end(this);
    }
}
