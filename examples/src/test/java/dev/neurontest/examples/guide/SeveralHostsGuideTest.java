package dev.neurontest.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.ExpectCounter;
import dev.neurontest.Hosts;
import dev.neurontest.MaxSpill;
import dev.neurontest.NeuronTest;
import dev.neurontest.ProfileWorkloads;
import dev.neurontest.cluster.ClusterResult;
import dev.neurontest.cluster.NeuronCluster;
import dev.neurontest.fake.FakeRuntime;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
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

    @Nested
    class Profiled {

        @BeforeAll
        static void compile() throws IOException {
            assumeTrue(
                    FakeRuntime.unavailable().isEmpty(),
                    () -> FakeRuntime.unavailable().orElseThrow());
            GuideNeffs.compile();
        }

        // tag::profile
        @Test
        @ProfileWorkloads(graph = "attention")
        @MaxSpill("0 B")
        void spillsOnNoRank(@Hosts(value = 2, coresPerHost = 2) NeuronCluster cluster) {
            cluster.workloads()
                    .perCore("python3", "src/test/python/execute_neff.py", "target/guide/attention.neff")
                    .run();
        }
        // end::profile
    }
}
