package dev.neurontest.internal.baseline;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.PercentileLimit;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import java.util.Optional;
import org.apiguardian.api.API;

/** Where comparisons come from and go to. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface ComparisonStore {

    /**
     * Begins a comparison.
     *
     * @param metric what is measured
     * @param margin by how much worse is accepted; empty for what is usual
     * @return the comparison before its first run
     */
    RunComparison begin(Metric metric, Optional<Fraction> margin);

    /**
     * Begins a comparison of two versions in this test.
     *
     * @param metric what is measured
     * @param margin by how much worse is accepted; empty for what is usual
     * @return the comparison before its first run
     */
    AbComparison beginAb(Metric metric, Optional<Fraction> margin);

    /**
     * Keeps one that has ended.
     *
     * @param comparison what it came to
     */
    void made(Comparison comparison);

    /**
     * Keeps what executions showed of a limit.
     *
     * @param seen the limit and the answer
     */
    void limited(PercentileLimit.Seen seen);
}
