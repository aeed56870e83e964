package dev.neurontest.internal.baseline;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.PercentileLimit;
import dev.neurontest.baseline.SampleDoubt;
import dev.neurontest.baseline.Samples;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/** The store that provides and keeps comparisons. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface ComparisonStore {

    /**
     * Creates a comparison before its first run.
     *
     * @param margin the accepted degradation; empty for the default
     * @param conditions the parts of the stack that belong to the measurement, with the kind of capture
     */
    RunComparison begin(Metric metric, Optional<Fraction> margin, Map<String, String> conditions);

    /**
     * Creates a comparison of two versions in this test, before its first run.
     *
     * @param margin the accepted degradation; empty for the default
     */
    AbComparison beginAb(Metric metric, Optional<Fraction> margin);

    /** Stores a finished comparison. */
    void made(Comparison comparison);

    /** Stores the result of a test against a limit. */
    void limited(PercentileLimit.Result result);

    /**
     * Stores the reasons why a limit was not evaluated.
     *
     * @param rule text of the limit
     * @param doubts at least one reason
     */
    void incomplete(String rule, Samples samples, List<SampleDoubt> doubts);
}
