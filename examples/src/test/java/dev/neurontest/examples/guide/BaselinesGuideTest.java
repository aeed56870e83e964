package dev.neurontest.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.NeuronTest;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Comparisons;
import dev.neurontest.device.NeuronCore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The page docs/baselines.md. */
@NeuronTest
class BaselinesGuideTest {

    // tag::between
    @Test
    void isNotSlowerThanTheOldVersion(NeuronCore core, Comparisons comparisons) {
        Comparison comparison = comparisons
                .latency("p50")
                .margin("3 %")
                .between(() -> seconds("old.neff"), () -> seconds("new.neff")); // runs by turns, no baseline file

        assertThat(comparison.outcome()).isEqualTo(ComparisonOutcome.NOT_WORSE);
    }
    // end::between

    // tag::percentile
    @Test
    void answersInTime99TimesOfAHundred(NeuronCore core, Comparisons comparisons) {
        comparisons.percentile(99, "17 ms", 1000, executionsSlowerThan(Duration.ofMillis(17)));
    }
    // end::percentile

    // tag::used
    private static double seconds(String neff) {
        return neff.equals("old.neff") ? 0.016 : 0.0159;
    }

    private static long executionsSlowerThan(Duration limit) {
        return limit.toMillis() < 17 ? 1000 : 2;
    }
    // end::used
}
