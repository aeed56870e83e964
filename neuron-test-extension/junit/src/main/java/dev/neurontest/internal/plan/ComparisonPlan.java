package dev.neurontest.internal.plan;

import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The comparisons of a test with its baseline.
 *
 * @param testClass the full name of the class
 * @param demands the comparisons, from the nearest element for each metric
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ComparisonPlan(String testClass, List<Demand> demands) {

    /** Plan of a class or test without comparisons. */
    public static final ComparisonPlan NONE = new ComparisonPlan("", List.of());

    public ComparisonPlan {
        demands = List.copyOf(demands);
    }

    /**
     * A metric to compare.
     *
     * @param counter the name of the counter, if the metric is one
     * @param margin the accepted worsening; empty for the default of the metric
     * @param words the text of the annotation
     */
    public record Demand(Metric metric, Optional<String> counter, Optional<Fraction> margin, String words) {}

    /** Returns the comparisons of profile metrics. */
    public List<Demand> ofProfiles() {
        return demands.stream().filter(demand -> demand.counter().isEmpty()).toList();
    }

    /** Returns the comparisons of driver counters. */
    public List<Demand> ofCounters() {
        return demands.stream().filter(demand -> demand.counter().isPresent()).toList();
    }

    /** Returns the texts of the comparisons that need profiles. */
    public List<String> demandsOnProfiles() {
        return ofProfiles().stream().map(Demand::words).toList();
    }
}
