package dev.neurontest.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.ExpectCounter;
import dev.neurontest.Hosts;
import dev.neurontest.NeuronTest;
import dev.neurontest.cluster.ClusterResult;
import dev.neurontest.cluster.NeuronCluster;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page docs/several-hosts.md. */
@NeuronTest
class SeveralHostsGuideTest {

    @BeforeAll
    static void assumePython() {
        GuidePython.assume();
    }

    // tag::reduce
    @Test
    @ExpectCounter(value = "inference_count", delta = 1, each = true)
    void reducesOverTwoHosts(@Hosts(value = 2, coresPerHost = 4) NeuronCluster cluster) {
        ClusterResult result = cluster.workloads()
                .perCore("python3", "src/test/python/all_reduce.py")
                .timeout(Duration.ofMinutes(1))
                .run();

        assertThat(result.ranks()).hasSize(8);
    }
    // end::reduce
}
