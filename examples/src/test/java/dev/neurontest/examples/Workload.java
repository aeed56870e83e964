package dev.neurontest.examples;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import java.util.List;
import java.util.Optional;

/**
 * The programs that the examples run on their cores. When a method returns, the program has ended and released the
 * cores.
 */
interface Workload {

    /** Runs the model the given number of times on each core. */
    void infer(List<NeuronCore> cores, int times);

    /** Runs once a kernel that reaches out of its tensor's bounds. */
    void reachOutOfBounds(NeuronCore core);

    /**
     * Returns a scripted workload on the fake, and on hardware the command of the setting {@code examples.workload}.
     */
    static Workload on(NeuronHost host, Optional<FakeNeuronHost> fake) {
        return fake.<Workload>map(ScriptedWorkload::new).orElseGet(() -> CommandWorkload.configured(host));
    }
}
