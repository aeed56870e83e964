package dev.neurontest.internal.cluster.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of an agent on this machine and of the connection to it. */
class AgentConnectionIT {

    private FakeNeuronHost fake;
    private AgentConnection agent;

    @BeforeEach
    void start() {
        long t0 = System.nanoTime();
        fake = FakeNeuronHost.builder().instance("trn1.32xlarge").start();
        String root = "root:" + fake.directory();
        long t1 = System.nanoTime();
        agent = AgentConnection.start(
                "host0",
                AgentCommand.words(),
                environment -> {},
                Map.of("neuron.test.platform", root),
                Duration.ofMinutes(1));
        System.out.println("fake ms " + (t1 - t0) / 1000000 + " agent ms " + (System.nanoTime() - t1) / 1000000);
    }

    @AfterEach
    void end() {
        agent.close();
        fake.close();
    }

    @Test
    void leasesCoresAndReadsCountersOfItsHost() throws Exception {
        long t0 = System.nanoTime();
        RemoteHost host = RemoteHost.of(agent, Settings.of(Map.of(), Map.of()));
        long t1 = System.nanoTime();
        Lease lease =
                host.leases().lease(new LeaseRequest("test", List.of(CoreRequest.inARow(32))), Duration.ofSeconds(30));
        long t2 = System.nanoTime();
        CounterSnapshot snapshot = CounterSnapshot.of(host.counters().of(lease.cores()));
        long t3 = System.nanoTime();
        CounterSnapshot again = CounterSnapshot.of(host.counters().of(lease.cores()));
        long t4 = System.nanoTime();
        System.out.println("discover %s lease %s first %s again %s"
                .formatted((t1 - t0) / 1000000, (t2 - t1) / 1000000, (t3 - t2) / 1000000, (t4 - t3) / 1000000));
        assertThat(lease.cores()).hasSize(32);
        assertThat(again.isQuietSince(snapshot)).isTrue();
    }
}
