package dev.neurontest.internal.lease;

import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.device.NeuronCore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** Access to the cores of a host, which a lease table of this JVM or of a process on that host assigns. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Leases extends AutoCloseable {

    /**
     * Waits for cores and leases them.
     *
     * @param request the required cores, granted completely or not at all
     * @param atMost the maximum wait; zero to lease only free cores
     * @throws InterruptedException if the thread is interrupted during the wait; then no core was leased
     * @throws ImpossibleRequestException at once, if the empty host could not meet the request, or its device nodes are
     *     renumbered
     * @throws UnreadableTopologyException at once, if the request needs connected devices and this host does not show them
     * @throws CoresQuarantinedException at once, if cores in quarantine make the request impossible
     * @throws LeaseTimeoutException if the time is over
     * @throws LeaseTableException if the table cannot be used
     */
    Lease lease(LeaseRequest request, Duration atMost) throws InterruptedException;

    /**
     * Checks whether the empty host could meet a request.
     *
     * @throws ImpossibleRequestException if this host cannot meet the request
     * @throws UnreadableTopologyException if the request needs connected devices and this host does not show them
     */
    void check(CoreRequest request);

    /**
     * Checks whether a request could be met if only given cores were taken.
     *
     * @param taken cores that the holder itself keeps during the wait
     * @throws ImpossibleRequestException if the request cannot be met, even if all others release their cores
     * @throws UnreadableTopologyException if the request needs connected devices and this host does not show them
     */
    void check(LeaseRequest request, Collection<NeuronCore> taken);

    /**
     * Verifies that cores held by a test are not in quarantine.
     *
     * @param holder the user of the cores
     * @param held leased cores
     * @throws CoresQuarantinedException if one of them is in quarantine
     */
    void requireWell(String holder, Collection<NeuronCore> held);

    /**
     * Returns the processes that have devices open without a lease, as far as {@code proc} shows them. The result might be up to
     * a second old.
     *
     * @param cores the cores of the devices
     * @return for example {@code python3 (pid 12) on neuron0}; empty if such processes are ignored
     */
    List<String> outsiders(Collection<NeuronCore> cores);

    /**
     * Returns the processes that currently have devices open, might descend from this JVM, and belong to no lease. Processes that
     * were present at the grant of a lease are excluded.
     *
     * @param cores the cores of the devices
     * @return for example {@code python3 (pid 12)} by the number of the device
     */
    Map<Integer, List<String>> unleased(Collection<NeuronCore> cores);

    /** Repeats the health checks of cores in quarantine, because activity of this JVM on them might have ended. */
    void checkAgain();

    /** Releases the leases of this JVM and leaves the table. Further calls have no effect. */
    @Override
    void close();
}
