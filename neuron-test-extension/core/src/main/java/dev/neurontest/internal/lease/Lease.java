package dev.neurontest.internal.lease;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.process.ProgramLock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** Cores that no other test gets until {@link #close()} gives them back, which works once and may be called again. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Lease extends AutoCloseable {

    /**
     * Its number in the table.
     *
     * @return by which those who share the table know it
     */
    long number();

    /**
     * Who has it.
     *
     * @return as {@link LeaseRequest#holder()} said
     */
    String holder();

    /**
     * The thread that asked for it.
     *
     * @return its name at that time
     */
    String thread();

    /**
     * When it was granted.
     *
     * @return by the system's clock
     */
    Instant since();

    /**
     * How long it had to be waited for.
     *
     * @return zero or next to it when the cores were free
     */
    Duration waited();

    /**
     * The cores of each request.
     *
     * @return in the order of {@link LeaseRequest#cores()}
     */
    List<List<NeuronCore>> granted();

    /**
     * All cores.
     *
     * @return by index
     */
    default List<NeuronCore> cores() {
        return granted().stream().flatMap(List::stream).sorted().toList();
    }

    /**
     * Returns what the programs on the cores keep locked. If this JVM ends without giving the cores back, they are in quarantine as
     * long as a process has the lock.
     *
     * @return the same for all programs of the lease; empty where the table is not shared, or where there is no {@code flock}
     */
    Optional<ProgramLock> programLock();

    /**
     * Says that a process uses the cores. If this JVM ends without giving them back, they are in quarantine until the process has
     * ended. What cannot be written down is tried again, as with {@link #close()}.
     *
     * @param child the process, just started
     */
    void startedProcess(ProcessHandle child);

    /**
     * Says that a process has ended.
     *
     * @param child one that was {@linkplain #startedProcess said} to use the cores
     */
    void endedProcess(ProcessHandle child);

    /**
     * Puts cores into quarantine: all who share the table see it at once, and {@link #close()} does not return them. A
     * {@link HealthCheck} may do so, for the first time when the lease is closed.
     *
     * @param cores some of its cores
     * @param until what ends the quarantine
     * @param reason why, for a person; what is to be done is added
     * @throws IllegalArgumentException when it does not have one of the cores
     */
    default void quarantine(Collection<NeuronCore> cores, Quarantine.Until until, String reason) {
        quarantine(cores, until, reason, holder());
    }

    /**
     * Puts cores into quarantine, as {@link #quarantine(Collection, Quarantine.Until, String)} does. A core that is only suspect, but
     * was suspect after another test already since its device was reset, needs a reset.
     *
     * @param cores some of its cores
     * @param until what ends the quarantine
     * @param reason why, for a person; what is to be done is added
     * @param test the test that had them, equal for all its invocations
     * @throws IllegalArgumentException when it does not have one of the cores
     */
    void quarantine(Collection<NeuronCore> cores, Quarantine.Until until, String reason, String test);

    /**
     * Takes back the blame from cores that this lease {@linkplain #quarantine put into quarantine}, also when it is closed. What was
     * only suspect comes back at once. What needs a reset still does, with the cause as a part of its reason.
     *
     * @param cores some of its cores
     * @param reason as it was given then
     * @param cause what is to blame instead, for a person
     */
    void acquit(Collection<NeuronCore> cores, String reason, String cause);

    /**
     * Who else had cores of the same devices at any time since this was granted, until it was closed.
     *
     * @return a line for each process without a lease that was there already, such as {@code python3 (pid 12) on neuron0}, then for
     *     each lease, those that have ended first, such as {@code FooTest.bar() (pid 12) on neuron0/neuron_core1}; at most the
     *     last 64 of those
     */
    default List<String> neighbours() {
        return neighbours(0);
    }

    /**
     * This moment on its table, for {@link #neighbours(long)}.
     *
     * @return a number that only grows
     * @throws LeaseTableException when the table cannot be read
     */
    long moment();

    /**
     * Who gave it.
     *
     * @param other some table
     * @return whether it was this one
     */
    boolean isOf(Object other);

    /**
     * Who else had cores of the same devices since some moment, where that is later than when this was granted.
     *
     * @param moment what {@link #moment()} said then
     * @return as {@link #neighbours()}; the same as that when the lease is closed
     */
    List<String> neighbours(long moment);

    /**
     * Why another test may have had the same cores.
     *
     * @return such as that the table was removed in the meantime; empty when the table still has this lease
     */
    Optional<String> doubt();

    /**
     * Gives the cores back. It does not fail: what cannot be written down is tried again, and the observer is warned once.
     */
    @Override
    void close();
}
