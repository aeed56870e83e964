package dev.neurontest.lease;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.text.ListText;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Cores that nobody else gets until they are given back by {@link #close()}, which works once and may be called again. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Lease implements AutoCloseable {

    private final LeaseTable table;
    private final TableState.Claim claim;
    private final Duration waited;
    private final List<List<NeuronCore>> granted;
    private volatile List<String> outsiders = List.of();
    private volatile @Nullable List<String> neighboursAtEnd;

    Lease(LeaseTable table, TableState.Claim claim, Duration waited, List<List<NeuronCore>> granted) {
        this.table = table;
        this.claim = claim;
        this.waited = waited;
        this.granted = List.copyOf(granted);
    }

    /** Its number in the table. */
    long number() {
        return claim.number();
    }

    /**
     * Who has it.
     *
     * @return as {@link LeaseRequest#holder()} said
     */
    public String holder() {
        return claim.holder();
    }

    /**
     * The thread that asked for it.
     *
     * @return its name at that time
     */
    public String thread() {
        return claim.thread();
    }

    /**
     * When it was granted.
     *
     * @return by the system's clock
     */
    public Instant since() {
        return claim.since();
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

    /**
     * Says that a process uses the cores. If this JVM ends without giving them back, they are in quarantine until the process has
     * ended. What cannot be written down is tried again, as with {@link #close()}.
     *
     * @param child the process, just started
     */
    public void startedProcess(ProcessHandle child) {
        table.started(this, child.pid());
    }

    /**
     * Says that a process has ended.
     *
     * @param child one that was {@linkplain #startedProcess said} to use the cores
     */
    public void endedProcess(ProcessHandle child) {
        table.ended(this, child.pid());
    }

    /**
     * Puts cores into quarantine: everybody sees it at once, and {@link #close()} does not return them. A
     * {@link HealthCheck} may do so, for the first time when the lease is closed; where not the hardware is suspect, that is up
     * to this JVM as long as it runs, which alone knows what it still does on the core.
     *
     * @param cores some of its cores
     * @param ofHardware whether the hardware itself is suspect; otherwise somebody may still be driving the core
     * @param reason why, for a person
     * @throws IllegalArgumentException when it does not have one of the cores
     */
    public void quarantine(Collection<NeuronCore> cores, boolean ofHardware, String reason) {
        if (!cores().containsAll(cores)) {
            throw new IllegalArgumentException(
                    cores.stream().map(NeuronCore::name).toList() + " are not all among " + this);
        }
        table.quarantine(this, cores, ofHardware, reason);
    }

    /** Processes without a lease that had its devices open when it was granted. */
    void meets(List<String> processes) {
        outsiders = List.copyOf(processes);
    }

    /**
     * Who else had cores of the same devices at any time since this was granted, until it was closed.
     *
     * @return a line for each process without a lease that was there already, such as {@code python3 (pid 12) on neuron0}, then for
     *     each lease, those that have ended first, such as {@code FooTest.bar() (pid 12) on neuron0/neuron_core1}; at most the
     *     last 64 of those
     */
    public List<String> neighbours() {
        return neighbours(0);
    }

    /**
     * This moment on its table, for {@link #neighbours(long)}.
     *
     * @return a number that only grows
     * @throws LeaseTableException when the table cannot be read
     */
    public long moment() {
        return table.moment();
    }

    /**
     * Who gave it.
     *
     * @param other some table
     * @return whether it was this one
     */
    public boolean isOf(LeaseTable other) {
        return table == other;
    }

    /**
     * Who else had cores of the same devices since some moment, where that is later than when this was granted.
     *
     * @param moment what {@link #moment()} said then
     * @return as {@link #neighbours()}; the same as that when the lease is closed
     */
    public List<String> neighbours(long moment) {
        List<String> atEnd = neighboursAtEnd;
        List<String> holders = atEnd == null ? table.neighbours(this, moment) : atEnd;
        return outsiders.isEmpty()
                ? holders
                : Stream.concat(outsiders.stream(), holders.stream()).toList();
    }

    void ended(List<String> neighbours) {
        neighboursAtEnd = neighbours;
    }

    /**
     * Gives the cores back. It does not fail: what cannot be written down is tried again, and the observer is warned once.
     */
    @Override
    public void close() {
        table.release(this);
    }

    @Override
    public String toString() {
        return ListText.of(cores(), NeuronCore::name) + " leased by " + claim.holder() + " (thread " + claim.thread()
                + ", since " + claim.since() + ")";
    }
}
