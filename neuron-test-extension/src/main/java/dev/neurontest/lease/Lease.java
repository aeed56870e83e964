package dev.neurontest.lease;

import dev.neurontest.device.NeuronCore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** Cores that nobody else gets until they are given back by {@link #close()}, which works once and may be called again. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Lease implements AutoCloseable {

    private final LeaseTable table;
    private final String holder;
    private final String thread;
    private final long threadId;
    private final Instant since;
    private final Duration waited;
    private final List<List<NeuronCore>> granted;

    Lease(
            LeaseTable table,
            String holder,
            Thread thread,
            Instant since,
            Duration waited,
            List<List<NeuronCore>> granted) {
        this.table = table;
        this.holder = holder;
        this.thread = thread.getName();
        this.threadId = thread.getId();
        this.since = since;
        this.waited = waited;
        this.granted = List.copyOf(granted);
    }

    /**
     * Who has it.
     *
     * @return as {@link LeaseRequest#holder()} said
     */
    public String holder() {
        return holder;
    }

    /**
     * The thread that asked for it.
     *
     * @return its name at that time
     */
    public String thread() {
        return thread;
    }

    /** A holder that asks again may be waiting for itself. */
    boolean isOf(Thread other) {
        return threadId == other.getId();
    }

    /**
     * When it was granted.
     *
     * @return by the system's clock
     */
    public Instant since() {
        return since;
    }

    /**
     * How long it had to be waited for.
     *
     * @return zero or next to it when the cores were free
     */
    public Duration waited() {
        return waited;
    }

    /**
     * The cores of each request.
     *
     * @return in the order of {@link LeaseRequest#cores()}
     */
    public List<List<NeuronCore>> granted() {
        return granted;
    }

    /**
     * All cores.
     *
     * @return by index
     */
    public List<NeuronCore> cores() {
        return granted.stream().flatMap(List::stream).sorted().toList();
    }

    /** Gives the cores back. */
    @Override
    public void close() {
        table.release(this);
    }

    @Override
    public String toString() {
        return cores().stream().map(NeuronCore::name).collect(Collectors.joining(", ")) + " leased by " + holder
                + " (thread " + thread + ", since " + since + ")";
    }
}
