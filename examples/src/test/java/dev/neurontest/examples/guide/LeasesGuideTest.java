package dev.neurontest.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.Count;
import dev.neurontest.ForEachDevice;
import dev.neurontest.NeuronIndex;
import dev.neurontest.NeuronTest;
import dev.neurontest.Placement;
import dev.neurontest.RetryOnAnotherCore;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page docs/leases.md. */
@NeuronTest
class LeasesGuideTest {

    // tag::first
    @Test
    void takesFourCoresInARow(@Count(4) List<NeuronCore> cores) {
        assertThat(cores.get(3).index()).isEqualTo(cores.get(0).index() + 3);
    }
    // end::first

    // tag::which
    @Test
    void takesTheseCores(@NeuronIndex({2, 5}) List<NeuronCore> cores) {
        assertThat(cores).extracting(NeuronCore::index).containsExactly(2, 5);
    }

    @Test
    void takesCoresOfOneDevice(@Count(value = 2, placement = Placement.ONE_DEVICE) List<NeuronCore> cores) {
        assertThat(cores.get(0).device()).isEqualTo(cores.get(1).device());
    }

    @Test
    void takesAWholeDevice(NeuronDevice device, NeuronHost host) {
        assertThat(host.devices()).contains(device);
    }
    // end::which

    // tag::group
    @Test
    void takesAGroupForCollectives(@Count(value = 8, collectives = true) List<NeuronCore> cores) {
        assertThat(cores.get(0).index() % 8).isZero();
    }
    // end::group

    // tag::each
    @ForEachDevice
    void isHealthy(NeuronDevice device) {
        assertThat(device.cores()).isNotEmpty();
    }
    // end::each

    // tag::retry
    @RetryOnAnotherCore
    void mayMeetABrokenCore(NeuronCore core) {
        assertThat(core.physicalCores()).isNotEmpty();
    }
    // end::retry
}
