package dev.neurontest;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;
import static org.junit.platform.commons.support.AnnotationSupport.findRepeatableAnnotations;

import dev.neurontest.metric.Fraction;
import dev.neurontest.profile.Latency;
import dev.neurontest.profile.MetricNames;
import dev.neurontest.profile.MetricThreshold;
import dev.neurontest.profile.ProfileRules;
import dev.neurontest.profile.RelativeThreshold;
import dev.neurontest.profile.RooflineThreshold;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * The thresholds that annotations state, from the outermost class to the method; what is nearer to the test wins. One that cannot
 * be meant so is an error of the test before anything runs.
 */
final class ProfileDemands {

    private ProfileDemands() {}

    static ProfileRules ofTest(List<Class<?>> testClasses, Method testMethod) {
        List<AnnotatedElement> elements = new ArrayList<>(testClasses);
        elements.add(testMethod);
        ProfileRules.Builder rules = ProfileRules.builder();
        last(elements, MaxLatency.class)
                .ifPresent(limit -> add(
                        rules, () -> MetricThreshold.latency(limit.of(), limit.value(), limit.over(), words(limit))));
        last(elements, MinMfu.class)
                .ifPresent(limit -> add(
                        rules,
                        () -> MetricThreshold.of(
                                MetricNames.MFU_ESTIMATED_PERCENT,
                                "",
                                limit.value(),
                                limit.over(),
                                words(limit.annotationType(), limit.value(), limit.over()))));
        last(elements, MinMbu.class)
                .ifPresent(limit -> add(
                        rules,
                        () -> MetricThreshold.of(
                                MetricNames.MBU_ESTIMATED_PERCENT,
                                "",
                                limit.value(),
                                limit.over(),
                                words(limit.annotationType(), limit.value(), limit.over()))));
        last(elements, MaxSpill.class)
                .ifPresent(limit -> List.of(MetricNames.SPILL_SAVE_BYTES, MetricNames.SPILL_RELOAD_BYTES)
                        .forEach(metric -> add(
                                rules,
                                () -> MetricThreshold.of(
                                        metric,
                                        limit.value(),
                                        "",
                                        limit.over(),
                                        words(limit.annotationType(), limit.value(), limit.over())))));
        thresholds(elements)
                .forEach(limit ->
                        add(rules, () -> MetricThreshold.of(limit.metric(), limit.max(), limit.min(), limit.over())));
        return rules.build();
    }

    static Optional<RooflineThreshold> roofline(List<Class<?>> testClasses, Method testMethod) {
        List<AnnotatedElement> elements = new ArrayList<>(testClasses);
        elements.add(testMethod);
        return last(elements, MinOfRoofline.class).map(limit -> {
            String words = "@MinOfRoofline(\"%s\")".formatted(limit.value());
            return new RooflineThreshold(share(words, limit.value()).orElseThrow(), words);
        });
    }

    static List<ProfilePlan.Relative> relatives(Class<?> testClass, Method testMethod) {
        return findRepeatableAnnotations(testMethod, RelativeToTest.class).stream()
                .map(demand -> relative(testClass, testMethod, demand))
                .toList();
    }

    private static ProfilePlan.Relative relative(Class<?> testClass, Method testMethod, RelativeToTest demand) {
        Class<?> other = demand.type() == void.class ? testClass : demand.type();
        String words = "@RelativeToTest(%smethod = \"%s\", metric = \"%s\"%s%s)"
                .formatted(
                        demand.type() == void.class ? "" : "type = %s.class, ".formatted(other.getSimpleName()),
                        demand.method(),
                        demand.metric(),
                        demand.max().isEmpty() ? "" : ", max = \"%s\"".formatted(demand.max()),
                        demand.min().isEmpty() ? "" : ", min = \"%s\"".formatted(demand.min()));
        Optional<Fraction> max = demand.max().isEmpty() ? Optional.empty() : share(words, demand.max());
        Optional<Fraction> min = demand.min().isEmpty() ? Optional.empty() : share(words, demand.min());
        if (max.isEmpty() && min.isEmpty()) {
            throw new ExtensionConfigurationException(words + " demands nothing: give a max or a min.");
        }
        boolean exists = !ReflectionSupport.findMethods(
                        other, method -> method.getName().equals(demand.method()), HierarchyTraversalMode.TOP_DOWN)
                .isEmpty();
        if (!exists || other == testClass && demand.method().equals(testMethod.getName())) {
            throw new ExtensionConfigurationException("%s: %s"
                    .formatted(
                            words,
                            exists
                                    ? "that is the test itself."
                                    : "there is no method %s in %s.".formatted(demand.method(), other.getName())));
        }
        return new ProfilePlan.Relative(
                ProfilePlan.name(other, demand.method()),
                profile -> new RelativeThreshold(
                        demand.metric(), max, min, other.getSimpleName() + "." + demand.method(), profile, words));
    }

    private static Optional<Fraction> share(String words, String text) {
        try {
            return Optional.of(Fraction.parse(text));
        } catch (IllegalArgumentException unreadable) {
            throw new ExtensionConfigurationException(words + ": " + unreadable.getMessage(), unreadable);
        }
    }

    /** All of them, but of those on the same metric only the ones of the nearest element. */
    private static List<Threshold> thresholds(List<AnnotatedElement> elements) {
        Map<String, List<Threshold>> byMetric = new LinkedHashMap<>();
        for (AnnotatedElement element : elements) {
            Map<String, List<Threshold>> here = new LinkedHashMap<>();
            for (Threshold threshold : findRepeatableAnnotations(element, Threshold.class)) {
                here.computeIfAbsent(threshold.metric(), metric -> new ArrayList<>())
                        .add(threshold);
            }
            byMetric.putAll(here);
        }
        return byMetric.values().stream().flatMap(List::stream).toList();
    }

    private static <A extends Annotation> Optional<A> last(List<AnnotatedElement> elements, Class<A> type) {
        return elements.stream()
                .flatMap(element -> findAnnotation(element, type).stream())
                .reduce((outer, inner) -> inner);
    }

    private static String words(MaxLatency limit) {
        return limit.of() == Latency.TOTAL
                ? words(limit.annotationType(), limit.value(), limit.over())
                : "@MaxLatency(value = \"%s\", of = %s%s)"
                        .formatted(
                                limit.value(),
                                limit.of(),
                                limit.over().equals("median") ? "" : ", over = \"%s\"".formatted(limit.over()));
    }

    private static String words(Class<? extends Annotation> type, String value, String over) {
        return over.equals("median")
                ? "@%s(\"%s\")".formatted(type.getSimpleName(), value)
                : "@%s(value = \"%s\", over = \"%s\")".formatted(type.getSimpleName(), value, over);
    }

    /** The message begins with the annotation. */
    private static void add(ProfileRules.Builder rules, Supplier<MetricThreshold> threshold) {
        try {
            rules.expect(threshold.get());
        } catch (IllegalArgumentException impossible) {
            throw new ExtensionConfigurationException(impossible.getMessage(), impossible);
        }
    }
}
