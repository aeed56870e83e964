package dev.neurontest.examples;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import java.util.List;
import java.util.Optional;

/** What the examples run on their cores. It has ended, and let go of the cores, when a method returns. */
interface Workload {

    /** Runs the model so many times on each core. */
    void infer(List<NeuronCore> cores, int times);

    /** Runs a kernel that reaches out of its tensor's bounds, once. */
    void reachOutOfBounds(NeuronCore core);

    /** On the fake it is scripted; on hardware it is the command of the setting {@code examples.workload}. */
    static Workload on(NeuronHost host, Optional<FakeNeuronHost> fake) {
        return fake.<Workload>map(ScriptedWorkload::new).orElseGet(() -> CommandWorkload.configured(host));
    }
}
