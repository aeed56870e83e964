package dev.neurontest.examples;

import dev.neurontest.CompareToBaseline;
import dev.neurontest.MinOfRoofline;
import dev.neurontest.NeuronTest;
import dev.neurontest.ProfileNeff;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.profile.MetricNames;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests for a CI owner that detect slowdowns. The baselines are files in the repository: a change that makes something
 * slower has to change them visibly.
 */
@NeuronTest
class BaselineTest {

    @BeforeAll
    static void compile() throws IOException {
        CompiledModel.compile();
    }

    // tag::first
    @Test
    @ProfileNeff("target/models/resnet50.neff")
    @CompareToBaseline(metric = MetricNames.TOTAL_TIME, margin = "3 %")
    @CompareToBaseline(metric = MetricNames.SPILL_SAVE_BYTES)
    @MinOfRoofline("1 %")
    void isNotSlowerThanItWas(NeuronCore core) {}
    // end::first
}
