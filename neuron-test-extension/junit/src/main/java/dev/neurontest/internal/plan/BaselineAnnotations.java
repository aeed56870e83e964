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
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reader of annotations that request a comparison with a baseline. The annotation nearest to the test wins. */
final class BaselineAnnotations {

    private static final String COUNTER = "counter:";

    private BaselineAnnotations() {}

    static ComparisonPlan plan(List<Class<?>> testClasses, Method testMethod) {
        NearestAnnotations annotations = NearestAnnotations.to(testClasses, testMethod);
        Map<String, CompareToBaseline> byMetric = new LinkedHashMap<>();
        annotations.all(CompareToBaseline.class).forEach(annotation -> byMetric.put(annotation.metric(), annotation));
        annotations.elements().forEach(element -> requireOneForEachMetric(element, annotations));
        return new ComparisonPlan(
                testClasses.get(testClasses.size() - 1).getName(),
                byMetric.values().stream().map(BaselineAnnotations::expectation).toList());
    }

    /** Requires that an element states no second comparison of a metric. One of a superclass or composed annotation may be replaced. */
    private static void requireOneForEachMetric(AnnotatedElement element, NearestAnnotations annotations) {
        Map<String, CompareToBaseline> stated = new HashMap<>();
        for (CompareToBaseline annotation : element.getDeclaredAnnotationsByType(CompareToBaseline.class)) {
            CompareToBaseline other = stated.put(annotation.metric(), annotation);
            if (other != null) {
                throw Misuse.of("%s and %s compare the same metric. Remove one of them."
                        .formatted(annotations.withPlace(other), annotations.withPlace(annotation)));
            }
        }
    }

    private static ComparisonPlan.Expectation expectation(CompareToBaseline annotation) {
        String words = AnnotationText.of(annotation);
        Optional<String> counter = Optional.of(annotation.metric())
                .filter(metric -> metric.startsWith(COUNTER))
                .map(metric -> metric.substring(COUNTER.length()));
        Metric metric = counter.isPresent()
                ? new Metric(annotation.metric(), Unit.COUNT, Direction.LOWER, Noise.NEARLY_FIXED)
                : profiled(annotation.metric());
        Direction better = annotation.better() == Direction.NEITHER ? metric.better() : annotation.better();
        if (better == Direction.DEPENDS || better == Direction.NEITHER && metric.noise() == Noise.NOISY) {
            throw Misuse.of(words
                    + ": it is unknown whether lower or higher values of %s are better. Set better = Direction.LOWER or HIGHER."
                            .formatted(annotation.metric()));
        }
        return new ComparisonPlan.Expectation(
                new Metric(metric.name(), metric.unit(), better, metric.noise()),
                counter,
                margin(words, annotation),
                words);
    }

    private static Metric profiled(String name) {
        return ProfileMetrics.find(name)
                .map(ProfileMetric::metric)
                .orElseGet(() -> new Metric(
                        name, MetricExpectation.unit(name).orElse(Unit.COUNT), Direction.NEITHER, Noise.NOISY));
    }

    private static Optional<Fraction> margin(String words, CompareToBaseline annotation) {
        if (annotation.margin().isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Fraction.parse(annotation.margin()));
        } catch (IllegalArgumentException unreadable) {
            throw Misuse.of(words + ": " + unreadable.getMessage(), unreadable);
        }
    }
}
