package dev.neurontest.internal.lifecycle.lease;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.table.LeaseTable;
import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A lease of which the run file tells.
 *
 * @param runFile tells of its end
 * @param table who gave it
 * @param test who has it
 * @param request what was wanted
 * @param lease the cores
 * @param begun when, by {@link System#nanoTime()}
 * @param whenClosed what is done when it has been given back
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TestLease(
        RunFile runFile,
        LeaseTable table,
        TestId test,
        LeaseRequest request,
        Lease lease,
        long begun,
        Runnable whenClosed)
        implements AutoCloseable {

    @Override
    public void close() {
        Duration held = Duration.ofNanos(System.nanoTime() - begun);
        runFile.append(new RunEvent.Released(test, names(lease.cores()), held));
        try {
            lease.close();
        } finally {
            whenClosed.run();
        }
    }

    /** What cores are called. */
    public static List<String> names(List<NeuronCore> cores) {
        return cores.stream().map(NeuronCore::name).toList();
    }
}
