package dev.neurontest.examples.guide;

import dev.neurontest.ExpectCounter;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Expectations of a class: docs/counters.md. */
// tag::class
@ExpectCounter(value = "inference_count", delta = 3, wholeClass = true) // of both tests together
@ExpectCounter(value = "inference_count", min = 1) // of each test
class WholeClassGuideTest {

    private static NeuronCore server;

    @BeforeAll
    static void startTheServer(NeuronCore core) {
        server = core;
    }

    @Test
    void answersOnce(FakeNeuronHost fake) {
        new Model(fake).infer(server, 1);
    }

    @Test
    void answersTwice(FakeNeuronHost fake) {
        new Model(fake).infer(server, 2);
    }
}
// end::class
