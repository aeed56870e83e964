package dev.neurontest;

import static org.junit.platform.commons.support.AnnotationSupport.findRepeatableAnnotations;

import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.MetricThreshold;
import dev.neurontest.profile.ProfileMetric;
import dev.neurontest.profile.ProfileMetrics;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * What a test wants compared with its baseline.
 *
 * @param testClass the class by its full name
 * @param demands of the nearest element for each metric
 */
record ComparisonPlan(String testClass, List<Demand> demands) {

    /** For whatever is no test. */
    static final ComparisonPlan NONE = new ComparisonPlan("", List.of());

    private static final String COUNTER = "counter:";

    /**
     * A metric that is compared.
     *
     * @param metric what is measured
     * @param counter the counter's name, when it is one
     * @param margin by how much worse is accepted; empty for what is usual
     * @param words the user's
     */
    record Demand(Metric metric, Optional<String> counter, Optional<Fraction> margin, String words) {}

    static ComparisonPlan of(List<Class<?>> testClasses, Method testMethod) {
        List<AnnotatedElement> elements = new ArrayList<>(testClasses);
        elements.add(testMethod);
        Map<String, Demand> nearest = new LinkedHashMap<>();
        for (AnnotatedElement element : elements) {
            findRepeatableAnnotations(element, CompareToBaseline.class)
                    .forEach(wanted -> nearest.put(wanted.metric(), demand(wanted)));
        }
        return new ComparisonPlan(testClasses.get(testClasses.size() - 1).getName(), List.copyOf(nearest.values()));
    }

    private static Demand demand(CompareToBaseline wanted) {
        String words = "@CompareToBaseline(metric = \"%s\"%s)"
                .formatted(
                        wanted.metric(),
                        wanted.margin().isEmpty() ? "" : ", margin = \"%s\"".formatted(wanted.margin()));
        Optional<String> counter = Optional.of(wanted.metric())
                .filter(metric -> metric.startsWith(COUNTER))
                .map(metric -> metric.substring(COUNTER.length()));
        Metric known = counter.isPresent()
                ? new Metric(wanted.metric(), Unit.COUNT, Direction.LOWER, Noise.NEARLY_FIXED)
                : profiled(wanted.metric());
        Direction better = wanted.better() == Direction.NEITHER ? known.better() : wanted.better();
        if (better == Direction.DEPENDS || better == Direction.NEITHER && known.noise() == Noise.NOISY) {
            throw new ExtensionConfigurationException(words
                    + ": it is not known which way %s gets better. Say so by better = Direction.LOWER or HIGHER."
                            .formatted(wanted.metric()));
        }
        return new Demand(
                new Metric(known.name(), known.unit(), better, known.noise()), counter, margin(words, wanted), words);
    }

    private static Metric profiled(String name) {
        return ProfileMetrics.find(name)
                .map(ProfileMetric::metric)
                .orElseGet(() -> new Metric(
                        name, MetricThreshold.unit(name).orElse(Unit.COUNT), Direction.NEITHER, Noise.NOISY));
    }

    private static Optional<Fraction> margin(String words, CompareToBaseline wanted) {
        if (wanted.margin().isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Fraction.parse(wanted.margin()));
        } catch (IllegalArgumentException unreadable) {
            throw new ExtensionConfigurationException(words + ": " + unreadable.getMessage(), unreadable);
        }
    }

    /** Those of the test's profiles. */
    List<Demand> ofProfiles() {
        return demands.stream().filter(demand -> demand.counter().isEmpty()).toList();
    }

    /** Those of what the driver counts. */
    List<Demand> ofCounters() {
        return demands.stream().filter(demand -> demand.counter().isPresent()).toList();
    }
}
