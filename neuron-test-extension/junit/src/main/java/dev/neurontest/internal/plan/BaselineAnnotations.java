package dev.neurontest.internal.plan;

import dev.neurontest.CompareToBaseline;
import dev.neurontest.internal.profile.ProfileMetric;
import dev.neurontest.internal.profile.ProfileMetrics;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.MetricExpectation;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reader of annotations that request a comparison with a baseline. The annotation nearest to the test wins. */
final class BaselineAnnotations {

    private static final String COUNTER = "counter:";

    private BaselineAnnotations() {}

    static ComparisonPlan plan(List<Class<?>> testClasses, Method testMethod) {
        Map<String, ComparisonPlan.Expectation> nearest = new LinkedHashMap<>();
        NearestAnnotations.to(testClasses, testMethod)
                .all(CompareToBaseline.class)
                .forEach(wanted -> nearest.put(wanted.metric(), expectation(wanted)));
        return new ComparisonPlan(testClasses.get(testClasses.size() - 1).getName(), List.copyOf(nearest.values()));
    }

    private static ComparisonPlan.Expectation expectation(CompareToBaseline wanted) {
        String words = AnnotationText.of(wanted);
        Optional<String> counter = Optional.of(wanted.metric())
                .filter(metric -> metric.startsWith(COUNTER))
                .map(metric -> metric.substring(COUNTER.length()));
        Metric known = counter.isPresent()
                ? new Metric(wanted.metric(), Unit.COUNT, Direction.LOWER, Noise.NEARLY_FIXED)
                : profiled(wanted.metric());
        Direction better = wanted.better() == Direction.NEITHER ? known.better() : wanted.better();
        if (better == Direction.DEPENDS || better == Direction.NEITHER && known.noise() == Noise.NOISY) {
            throw Misuse.of(words
                    + ": it is unknown whether lower or higher values of %s are better. Set better = Direction.LOWER or HIGHER."
                            .formatted(wanted.metric()));
        }
        return new ComparisonPlan.Expectation(
                new Metric(known.name(), known.unit(), better, known.noise()), counter, margin(words, wanted), words);
    }

    private static Metric profiled(String name) {
        return ProfileMetrics.find(name)
                .map(ProfileMetric::metric)
                .orElseGet(() -> new Metric(
                        name, MetricExpectation.unit(name).orElse(Unit.COUNT), Direction.NEITHER, Noise.NOISY));
    }

    private static Optional<Fraction> margin(String words, CompareToBaseline wanted) {
        if (wanted.margin().isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Fraction.parse(wanted.margin()));
        } catch (IllegalArgumentException unreadable) {
            throw Misuse.of(words + ": " + unreadable.getMessage(), unreadable);
        }
    }
}
