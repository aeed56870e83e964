package dev.neurontest.examples.guide;

import dev.neurontest.Hosts;
import dev.neurontest.NeuronTest;
import dev.neurontest.cluster.NeuronCluster;
import java.time.Duration;
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
}
