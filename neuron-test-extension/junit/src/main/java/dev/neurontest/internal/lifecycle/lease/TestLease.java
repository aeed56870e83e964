package dev.neurontest.internal.lifecycle.lease;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Leases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A lease that is recorded in the run file.
 *
 * @param table the table that granted the lease
 * @param test the holder of the lease
 * @param begun the start of the lease by {@link System#nanoTime()}
 * @param whenClosed the action after the lease was released; null for none
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TestLease(
        RunFile runFile,
        Leases table,
        TestId test,
        LeaseRequest request,
        Lease lease,
        long begun,
        @Nullable Runnable whenClosed)
        implements AutoCloseable {

    @Override
    public void close() {
        Duration held = Duration.ofNanos(System.nanoTime() - begun);
        runFile.append(new RunEvent.Released(test, names(lease.cores()), held));
        try {
            lease.close();
        } finally {
            if (whenClosed != null) {
                whenClosed.run();
            }
        }
    }

    /** Returns the names of cores. */
    public static List<String> names(List<NeuronCore> cores) {
        List<String> names = new ArrayList<>();
        for (NeuronCore core : cores) {
            names.add(core.name());
        }
        return List.copyOf(names);
    }
}
