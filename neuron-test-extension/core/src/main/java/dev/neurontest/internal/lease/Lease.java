package dev.neurontest.internal.lease;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.process.ProgramLock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A lease of cores. No other test gets the cores until {@link #close()} releases them. Further calls of {@link #close()} have no
 * effect.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Lease extends AutoCloseable {

    /** Returns the number of the lease in the table, which all JVMs of the table use. */
    long number();

    /**
     * Returns the holder of the lease.
     *
     * @return the {@link LeaseRequest#holder()}
     */
    String holder();

    /**
     * Returns the thread that requested the lease.
     *
     * @return the name of the thread at that time
     */
    String thread();

    /**
     * Returns the time of the grant.
     *
     * @return by the system's clock
     */
    Instant since();

    /**
     * Returns the time spent waiting for the lease.
     *
     * @return almost zero if the cores were free
     */
    Duration waited();

    /**
     * Returns the cores of each request.
     *
     * @return in the order of {@link LeaseRequest#cores()}
     */
    List<List<NeuronCore>> granted();

    /**
     * Returns all cores.
     *
     * @return ordered by index
     */
    default List<NeuronCore> cores() {
        List<NeuronCore> cores = new ArrayList<>();
        for (List<NeuronCore> each : granted()) {
            cores.addAll(each);
        }
        cores.sort(null);
        return List.copyOf(cores);
    }

    /**
     * Returns the file lock held by the programs on the cores. If this JVM ends without releasing the cores, they are in
     * quarantine while a process holds the lock.
     *
     * @return the same lock for all programs of the lease; empty if the table is not shared, or without {@code flock}
     */
    Optional<ProgramLock> programLock();

    /**
     * Registers a process that uses the cores. If this JVM ends without releasing the cores, they are in quarantine until the
     * process ends. A failed write is retried, as with {@link #close()}.
     *
     * @param child the process, just started
     */
    void startedProcess(ProcessHandle child);

    /**
     * Registers the end of a process.
     *
     * @param child a process registered by {@link #startedProcess}
     */
    void endedProcess(ProcessHandle child);

    /**
     * Puts cores into quarantine. All JVMs of the table see it at once, and {@link #close()} does not release these cores. A
     * {@link HealthCheck} can release them, at the earliest when the lease is closed.
     *
     * @param cores some of the leased cores
     * @param until the condition that ends the quarantine
     * @param reason the reason for people; the remedy is appended
     * @throws IllegalArgumentException if a core is not part of the lease
     */
    default void quarantine(Collection<NeuronCore> cores, Quarantine.Until until, String reason) {
        quarantine(cores, until, reason, holder());
    }

    /**
     * Puts cores into quarantine, as {@link #quarantine(Collection, Quarantine.Until, String)} does. A suspect core needs a reset
     * if another test also made it suspect after the last reset of its device.
     *
     * @param cores some of the leased cores
     * @param until the condition that ends the quarantine
     * @param reason the reason for people; the remedy is appended
     * @param test the test that held the cores, equal for all its invocations
     * @throws IllegalArgumentException if a core is not part of the lease
     */
    void quarantine(Collection<NeuronCore> cores, Quarantine.Until until, String reason, String test);

    /**
     * Clears cores that this lease {@linkplain #quarantine put into quarantine}, even after the lease is closed. Suspect cores
     * leave the quarantine at once. Cores that need a reset stay, with the cause appended to their reason.
     *
     * @param cores some of the leased cores
     * @param reason the original reason
     * @param cause the actual cause, for people
     */
    void acquit(Collection<NeuronCore> cores, String reason, String cause);

    /**
     * Returns the other users of the same devices between the grant and the end of this lease.
     *
     * @return a line for each earlier process without a lease, such as {@code python3 (pid 12) on neuron0}, then for each lease,
     *     ended leases first, such as {@code FooTest.bar() (pid 12) on neuron0/neuron_core1}; at most the last 64 leases
     */
    default List<String> neighbours() {
        return neighbours(0);
    }

    /**
     * Returns the current time of the table, for {@link #neighbours(long)}.
     *
     * @return a number that only increases
     * @throws LeaseTableException if the table cannot be read
     */
    long moment();

    /**
     * Checks whether a given table granted this lease.
     *
     * @param other a table
     */
    boolean isOf(Object other);

    /**
     * Returns the other users of the same devices after a given moment, or after the grant if that is later.
     *
     * @param moment an earlier result of {@link #moment()}
     * @return as {@link #neighbours()}; for a closed lease the same result as {@link #neighbours()}
     */
    List<String> neighbours(long moment);

    /**
     * Returns the reason why another test might have had the same cores.
     *
     * @return for example that the table was removed; empty if the table still contains this lease
     */
    Optional<String> doubt();

    /** Releases the cores. This method does not throw. A failed write is retried, and the observer is warned once. */
    @Override
    void close();
}
