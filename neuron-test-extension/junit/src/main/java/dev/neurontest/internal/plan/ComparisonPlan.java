package dev.neurontest.internal.plan;

import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The comparisons of a test with its baseline.
 *
 * @param testClass the full name of the class
 * @param expectations the comparisons, from the nearest element for each metric
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ComparisonPlan(String testClass, List<Expectation> expectations) {

    /** Plan of a class or test without comparisons. */
    public static final ComparisonPlan NONE = new ComparisonPlan("", List.of());

    public ComparisonPlan {
        expectations = List.copyOf(expectations);
    }

    /**
     * A metric to compare.
     *
     * @param counter the name of the counter, if the metric is one
     * @param margin the accepted worsening; empty for the default of the metric
     * @param words the text of the annotation
     */
    public record Expectation(Metric metric, Optional<String> counter, Optional<Fraction> margin, String words) {}

    /** Returns the comparisons of profile metrics. */
    public List<Expectation> ofProfiles() {
        return selected(false);
    }

    /** Returns the comparisons of driver counters. */
    public List<Expectation> ofCounters() {
        return selected(true);
    }

    private List<Expectation> selected(boolean ofCounters) {
        List<Expectation> selected = new ArrayList<>();
        for (Expectation expectation : expectations) {
            if (expectation.counter().isPresent() == ofCounters) {
                selected.add(expectation);
            }
        }
        return selected;
    }

    /** Returns the texts of the comparisons that need profiles. */
    public List<String> expectationsOnProfiles() {
        return ofProfiles().stream().map(Expectation::words).toList();
    }
}
