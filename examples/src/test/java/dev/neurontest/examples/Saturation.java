package dev.neurontest.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.Count;
import dev.neurontest.NeuronTest;
import dev.neurontest.Placement;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Short tests that want one core, several, or a whole device. {@code .ci/forks} runs four of them in JVMs of their own, beside another
 * build that does the same, on one served host: whoever were given a core of somebody else would be refused by the host.
 */
@NeuronTest
@Execution(ExecutionMode.CONCURRENT)
abstract class Saturation {

    @RepeatedTest(40)
    void wantsOneCore(NeuronCore core, NeuronHost host, Optional<FakeNeuronHost> fake) throws IOException {
        use(host, fake, List.of(core));
    }

    @RepeatedTest(10)
    void wantsFourInARow(@Count(4) List<NeuronCore> cores, NeuronHost host, Optional<FakeNeuronHost> fake)
            throws IOException {
        assertThat(cores.get(3).index() - cores.get(0).index()).isEqualTo(3);
        use(host, fake, cores);
    }

    @RepeatedTest(5)
    void wantsThemAnywhere(
            @Count(value = 7, placement = Placement.SCATTERED) List<NeuronCore> cores,
            NeuronHost host,
            Optional<FakeNeuronHost> fake)
            throws IOException {
        use(host, fake, cores);
    }

    @RepeatedTest(5)
    void wantsADevice(NeuronDevice device, NeuronHost host, Optional<FakeNeuronHost> fake) throws IOException {
        use(host, fake, device.cores());
    }

    private static void use(NeuronHost host, Optional<FakeNeuronHost> fake, List<NeuronCore> cores) throws IOException {
        if (fake.isPresent()) {
            Workload.on(host, fake).infer(cores, 1);
        } else {
            ServedHost.of(host).infer(cores);
        }
    }
}

class SaturationATest extends Saturation {}

class SaturationBTest extends Saturation {}

class SaturationCTest extends Saturation {}

class SaturationDTest extends Saturation {}
