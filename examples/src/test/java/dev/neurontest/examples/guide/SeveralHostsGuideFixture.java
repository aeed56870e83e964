package dev.neurontest.examples.guide;

import dev.neurontest.Hosts;
import dev.neurontest.MaxLatency;
import dev.neurontest.NeuronTest;
import dev.neurontest.ProfileWorkloads;
import dev.neurontest.cluster.NeuronCluster;
import dev.neurontest.fake.FakeNeuronHost;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Failures that docs/several-hosts.md shows. */
@NeuronTest
class SeveralHostsGuideFixture {

    @Test
    void losesARank(@Hosts(value = 2, coresPerHost = 4) NeuronCluster cluster) {
        cluster.workloads()
                .perCore("sh", "-c", "test $RANK = 5 || exec sleep 60; echo 'the loss is NaN' >&2; exit 3")
                .timeout(Duration.ofMinutes(1))
                .run();
    }

    @Test
    @ProfileWorkloads
    @MaxLatency("17 ms")
    void isSlowOnOneHost(@Hosts(value = 2, coresPerHost = 2) NeuronCluster cluster, List<FakeNeuronHost> fakes)
            throws IOException {
        GuideNeffs.compile();
        fakes.forEach(fake -> fake.runtime().release("2.35.30.0"));
        fakes.get(1).profiler().script("slowdown", 1.25);
        cluster.workloads()
                .perCore("sh", "-c", "exec $NEURON_FAKE_ROOT/bin/run-neff --times 2 target/guide/resnet50.neff")
                .run();
    }
}
