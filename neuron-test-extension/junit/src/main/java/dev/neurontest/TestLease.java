package dev.neurontest;

import dev.neurontest.configuration.Setting;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.TestId;
import dev.neurontest.lease.Lease;
import dev.neurontest.lease.LeaseRequest;
import dev.neurontest.lease.LeaseTable;
import dev.neurontest.lease.LeaseTimeoutException;
import java.time.Duration;
import java.util.List;

/** A lease of which the run file tells. */
record TestLease(
        Session session,
        LeaseTable table,
        TestId test,
        LeaseRequest request,
        Lease lease,
        long begun,
        Runnable whenClosed)
        implements AutoCloseable {

    /**
     * Waits for cores.
     *
     * @param table who gives them
     * @throws RuntimeException when they cannot be had; then nothing is leased
     */
    static TestLease take(Session session, LeaseTable table, TestId test, LeaseRequest request) {
        return take(session, table, test, request, () -> {});
    }

    /**
     * Waits for cores.
     *
     * @param table who gives them
     * @param whenClosed what is done when they have been given back
     * @throws RuntimeException when they cannot be had; then nothing is leased
     */
    static TestLease take(Session session, LeaseTable table, TestId test, LeaseRequest request, Runnable whenClosed) {
        session.runFile().append(new RunEvent.Requested(test, request.description()));
        try {
            Lease lease = table.lease(request, session.settings().value(Setting.LEASE_TIMEOUT));
            session.runFile().append(new RunEvent.Leased(test, names(lease.cores()), lease.waited()));
            return new TestLease(session, table, test, request, lease, System.nanoTime(), whenClosed);
        } catch (LeaseTimeoutException late) {
            session.runFile().append(new RunEvent.WaitedInVain(test, late.waited()));
            throw late;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(test.name() + " was interrupted while it waited for cores", interrupted);
        }
    }

    @Override
    public void close() {
        Duration held = Duration.ofNanos(System.nanoTime() - begun);
        session.runFile().append(new RunEvent.Released(test, names(lease.cores()), held));
        try {
            lease.close();
        } finally {
            whenClosed.run();
        }
    }

    static List<String> names(List<NeuronCore> cores) {
        return cores.stream().map(NeuronCore::name).toList();
    }
}
