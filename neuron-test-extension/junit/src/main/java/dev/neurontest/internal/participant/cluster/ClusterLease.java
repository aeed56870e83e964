package dev.neurontest.internal.participant.cluster;

import dev.neurontest.internal.cluster.agent.RemoteHost;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.thread.Failures;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The cores of a test on the hosts of a cluster.
 *
 * @param shares the leases in the order in which they were granted
 * @param granted the time of the last grant by {@link System#nanoTime()}
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ClusterLease(RunFile runFile, TestId test, List<Share> shares, long granted) implements AutoCloseable {

    /**
     * The cores of a test on one host.
     *
     * @param host the host
     * @param lease the lease in the table of the host
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Share(RemoteHost host, Lease lease) implements AutoCloseable {

        /** Returns the names of the cores with the name of the host, such as {@code n1:neuron0/neuron_core1}. */
        Stream<String> coreNames() {
            return lease.cores().stream().map(core -> host.name() + ":" + core.name());
        }

        @Override
        public void close() {
            lease.close();
        }
    }

    /** Returns the names of all cores with those of their hosts. */
    public List<String> coreNames() {
        return shares.stream().flatMap(Share::coreNames).toList();
    }

    /** Releases the cores on all hosts. */
    @Override
    public void close() {
        runFile.append(new RunEvent.Released(test, coreNames(), Duration.ofNanos(System.nanoTime() - granted)));
        Failures.throwFirst(Failures.of(shares, Share::close));
    }
}
