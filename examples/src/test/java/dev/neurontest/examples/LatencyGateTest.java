package dev.neurontest.examples;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;

import dev.neurontest.MaxLatency;
import dev.neurontest.MinMfu;
import dev.neurontest.NeuronTest;
import dev.neurontest.ProfileNeff;
import dev.neurontest.Threshold;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.profile.MetricNames;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.Profiler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests for a model team: the model is as fast as promised and uses the machine. */
@NeuronTest
class LatencyGateTest {

    @BeforeAll
    static void compile() throws IOException {
        CompiledModel.compile();
    }

    @Test
    @ProfileNeff(CompiledModel.RESNET50)
    @MaxLatency("17 ms")
    @MinMfu("5 %")
    void answersInTime() {}

    @Test
    @ProfileNeff(value = CompiledModel.RESNET50, warmup = 2, executions = 10)
    @Threshold(metric = MetricNames.TOTAL_TIME, max = "18 ms", over = "p90")
    void answersInTimeNineTimesOfTen() {}

    @Test
    void isAsFastAsItsOwnBudgetSays(NeuronCore core, Profiler profiler) {
        Profile profile =
                profiler.capture(Path.of(CompiledModel.RESNET50)).captures(3).run();

        assertThat(profile).totalTime().isAtMost(Duration.ofMillis(17));
        assertThat(profile).hbmReadBytes().isAtMost("4 GiB");
    }
}
