package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Short tests that request one core, several, or a whole device. The build runs them in two JVMs on one served host,
 * and {@code .ci/forks} in four of each of two builds. The host refuses a core that another test has open.
 */
@NeuronTest
@Execution(ExecutionMode.CONCURRENT)
abstract class LeaseSaturation {

    @RepeatedTest(40)
    void infersOnOneLeasedCore(NeuronCore core, NeuronHost host) throws IOException {
        ServedHost.of(host).infer(List.of(core));
    }

    @RepeatedTest(10)
    void infersOnFourLeasedCoresInARow(@Count(4) List<NeuronCore> cores, NeuronHost host) throws IOException {
        assertThat(cores.get(3).index() - cores.get(0).index()).isEqualTo(3);
        ServedHost.of(host).infer(cores);
    }

    @RepeatedTest(5)
    void infersOnSevenScatteredCores(
            @Count(value = 7, placement = Placement.SCATTERED) List<NeuronCore> cores, NeuronHost host)
            throws IOException {
        ServedHost.of(host).infer(cores);
    }

    @RepeatedTest(5)
    void infersOnAllCoresOfLeasedDevice(NeuronDevice device, NeuronHost host) throws IOException {
        ServedHost.of(host).infer(device.cores());
    }
}

class LeaseSaturation1IT extends LeaseSaturation {}

class LeaseSaturation2IT extends LeaseSaturation {}

class LeaseSaturation3IT extends LeaseSaturation {}

class LeaseSaturation4IT extends LeaseSaturation {}
