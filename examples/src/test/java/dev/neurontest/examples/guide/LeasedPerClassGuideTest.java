package dev.neurontest.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.Count;
import dev.neurontest.LeaseScope;
import dev.neurontest.LeasedPer;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Leases that last longer than a test: docs/leases.md. */
// tag::class
@NeuronTest
class LeasedPerClassGuideTest {

    private static List<NeuronCore> servers;

    @BeforeAll
    static void startTheServer(@Count(2) List<NeuronCore> cores) { // for the class
        servers = cores;
    }

    @Test
    void usesTheServer(@LeasedPer(LeaseScope.CLASS) @Count(2) List<NeuronCore> cores) { // the same cores
        assertThat(cores).isEqualTo(servers);
    }
}
// end::class
