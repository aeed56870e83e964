package dev.neurontest.life.lease;

import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.RunFile;
import dev.neurontest.evidence.TestId;
import dev.neurontest.lease.Lease;
import dev.neurontest.lease.LeaseRequest;
import dev.neurontest.lease.LeaseTimeoutException;
import dev.neurontest.lease.table.LeaseTable;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How cores are waited for.
 *
 * @param runFile tells of each lease
 * @param timeout the longest wait
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TestLeases(RunFile runFile, Duration timeout) {

    /**
     * Waits for cores.
     *
     * @throws RuntimeException when they cannot be had; then nothing is leased
     */
    public TestLease take(LeaseTable table, TestId test, LeaseRequest request) {
        return take(table, test, request, () -> {});
    }

    /**
     * Waits for cores.
     *
     * @throws RuntimeException when they cannot be had; then nothing is leased
     */
    public TestLease take(LeaseTable table, TestId test, LeaseRequest request, Runnable whenClosed) {
        runFile.append(new RunEvent.Requested(test, request.description()));
        try {
            Lease lease = table.lease(request, timeout);
            runFile.append(new RunEvent.Leased(test, TestLease.names(lease.cores()), lease.waited()));
            return new TestLease(runFile, table, test, request, lease, System.nanoTime(), whenClosed);
        } catch (LeaseTimeoutException late) {
            runFile.append(new RunEvent.WaitedInVain(test, late.waited()));
            throw late;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(test.name() + " was interrupted while it waited for cores", interrupted);
        }
    }
}
