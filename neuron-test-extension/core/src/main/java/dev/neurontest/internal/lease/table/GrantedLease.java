package dev.neurontest.internal.lease.table;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProgramLock;
import dev.neurontest.internal.text.ListText;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A lease in the table that granted it. */
final class GrantedLease implements Lease {

    private final LeaseTable table;
    private volatile LeaseState.Claim claim;
    private final Duration waited;
    private final List<List<NeuronCore>> granted;
    private @Nullable Optional<ProgramLock> lock;
    private volatile List<String> outsiders = List.of();
    private volatile @Nullable List<String> neighboursAtEnd;

    GrantedLease(LeaseTable table, LeaseState.Claim claim, Duration waited, List<List<NeuronCore>> granted) {
        this.table = table;
        this.claim = claim;
        this.waited = waited;
        this.granted = List.copyOf(granted);
    }

    @Override
    public long number() {
        return claim.number();
    }

    @Override
    public String holder() {
        return claim.holder();
    }

    @Override
    public String thread() {
        return claim.thread();
    }

    @Override
    public Instant since() {
        return claim.since();
    }

    @Override
    public Duration waited() {
        return waited;
    }

    @Override
    public List<List<NeuronCore>> granted() {
        return granted;
    }

    LeaseState.Claim claim() {
        return claim;
    }

    /** Updates the processes of the lease. */
    LeaseState.Claim withProcesses(List<ProcessIdentity> processes) {
        claim = claim.with(processes);
        return claim;
    }

    @Override
    public synchronized Optional<ProgramLock> programLock() {
        if (lock == null) {
            lock = table.lock(number());
        }
        return lock;
    }

    /** Closes the lock of the programs. If {@code kept}, its file stays, because programs might still hold it. */
    synchronized void closeLock(boolean kept) {
        if (lock != null) {
            lock.ifPresent(used -> used.close(kept));
        }
        lock = Optional.empty();
    }

    @Override
    public void startedProcess(ProcessHandle child) {
        table.started(this, child.pid());
    }

    @Override
    public void endedProcess(ProcessHandle child) {
        table.ended(this, child.pid());
    }

    @Override
    public void quarantine(Collection<NeuronCore> cores, Quarantine.Until until, String reason, String test) {
        if (!cores().containsAll(cores)) {
            throw new IllegalArgumentException(
                    cores.stream().map(NeuronCore::name).toList() + " are not all among " + this);
        }
        table.quarantine(this, cores, until, reason, test);
    }

    @Override
    public void acquit(Collection<NeuronCore> cores, String reason, String cause) {
        table.acquit(cores, reason, cause);
    }

    /** Stores the processes without a lease that had the devices open at the time of the grant. */
    void meets(List<String> processes) {
        outsiders = List.copyOf(processes);
    }

    /** Returns the processes without a lease at the time of the grant, such as {@code python3 (pid 12) on neuron0}. */
    List<String> met() {
        return outsiders;
    }

    @Override
    public long moment() {
        return LeaseState.moment();
    }

    @Override
    public boolean isOf(Object other) {
        return table == other;
    }

    @Override
    public List<String> neighbours(long moment) {
        List<String> atEnd = neighboursAtEnd;
        List<String> holders = atEnd == null ? table.neighbours(this, moment) : atEnd;
        return outsiders.isEmpty()
                ? holders
                : Stream.concat(outsiders.stream(), holders.stream()).toList();
    }

    @Override
    public Optional<String> doubt() {
        return table.doubt(this);
    }

    void ended(List<String> neighbours) {
        neighboursAtEnd = neighbours;
    }

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
