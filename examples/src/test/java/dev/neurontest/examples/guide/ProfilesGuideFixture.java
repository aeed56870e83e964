package dev.neurontest.examples.guide;

import dev.neurontest.MaxLatency;
import dev.neurontest.MaxSpill;
import dev.neurontest.MinMfu;
import dev.neurontest.NeuronTest;
import dev.neurontest.ProfileNeff;
import dev.neurontest.Threshold;
import dev.neurontest.fake.FakeNeuronHost;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Failures that docs/profiles.md shows. */
@NeuronTest
class ProfilesGuideFixture {

    @BeforeAll
    static void compile() throws IOException {
        GuideNeffs.compile();
    }

    @BeforeEach
    void reset(FakeNeuronHost fake) {
        fake.profiler().reset();
    }

    @Test
    @ProfileNeff("target/guide/resnet50.neff")
    @MaxLatency("15 ms")
    @MinMfu("42 %")
    @MaxSpill("0 B")
    void isTooSlow() {}

    @Test
    @ProfileNeff("target/guide/resnet50.neff")
    @Threshold(metric = "total_tme", max = "15 ms")
    void asksForAMetricThatIsNotThere() {}

    @Test
    @ProfileNeff("target/guide/resnet50.neff")
    @MaxLatency("17 ms")
    void isThrottled(FakeNeuronHost fake) {
        fake.profiler().script("throttle", 0.4, "times", 9);
    }
}
