package dev.neurontest.internal.plan;

import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a test wants compared with its baseline.
 *
 * @param testClass the class by its full name
 * @param demands of the nearest element for each metric
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ComparisonPlan(String testClass, List<Demand> demands) {

    /** For whatever is no test. */
    public static final ComparisonPlan NONE = new ComparisonPlan("", List.of());

    public ComparisonPlan {
        demands = List.copyOf(demands);
    }

    /**
     * A metric that is compared.
     *
     * @param metric what is measured
     * @param counter the counter's name, when it is one
     * @param margin by how much worse is accepted; empty for what is usual
     * @param words the user's
     */
    public record Demand(Metric metric, Optional<String> counter, Optional<Fraction> margin, String words) {}

    /** Those of the test's profiles. */
    public List<Demand> ofProfiles() {
        return demands.stream().filter(demand -> demand.counter().isEmpty()).toList();
    }

    /** Those of what the driver counts. */
    public List<Demand> ofCounters() {
        return demands.stream().filter(demand -> demand.counter().isPresent()).toList();
    }

    /** What is to be compared of profiles. */
    public List<String> demandsOnProfiles() {
        return ofProfiles().stream().map(Demand::words).toList();
    }
}
