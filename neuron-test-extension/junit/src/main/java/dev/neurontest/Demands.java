package dev.neurontest;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;
import static org.junit.platform.commons.support.AnnotationSupport.findRepeatableAnnotations;

import dev.neurontest.counter.CounterMoves;
import dev.neurontest.counter.CounterRules;
import dev.neurontest.counter.DeviceMemoryReturns;
import dev.neurontest.counter.PeakStaysUnder;
import dev.neurontest.metric.ByteSize;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** The demands that annotations state, from the outermost class to the method; what is nearer to the test wins. */
final class Demands {

    private Demands() {}

    /** The demands on a test. */
    static CounterRules ofTest(List<Class<?>> testClasses, Method testMethod) {
        List<AnnotatedElement> elements = new ArrayList<>(testClasses);
        elements.add(testMethod);
        CounterRules.Builder rules = CounterRules.builder();
        allow(elements, rules);
        nearest(elements, ExpectCounter.class, demand -> lastPart(demand.value()))
                .forEach(demand -> rules.expect(moves(demand)));
        nearest(elements, ExpectPeakMemory.class, demand -> lastPart(demand.category()))
                .forEach(demand -> rules.expect(peak(demand)));
        last(elements, ExpectDeviceMemoryReturned.class).ifPresent(demand -> rules.expect(returned(demand)));
        return rules.build();
    }

    /**
     * What holds for a class as a whole: its tests judge themselves, so only what they allow is allowed here too. Memory has to be
     * back also when the class ends.
     */
    static CounterRules ofClass(List<Class<?>> testClasses) {
        CounterRules.Builder rules = CounterRules.builder();
        allow(testClasses, rules);
        last(testClasses, ExpectDeviceMemoryReturned.class).ifPresent(demand -> rules.expect(returned(demand)));
        return rules.build();
    }

    private static void allow(List<? extends AnnotatedElement> elements, CounterRules.Builder rules) {
        for (AnnotatedElement element : elements) {
            for (AllowCounter allowance : findRepeatableAnnotations(element, AllowCounter.class)) {
                List.of(allowance.value()).forEach(rules::allow);
            }
        }
    }

    /** All demands, but of those on the same thing only the ones of the nearest element. */
    private static <A extends Annotation> List<A> nearest(
            List<AnnotatedElement> elements, Class<A> type, Function<A, String> subject) {
        Map<String, List<A>> demands = new LinkedHashMap<>();
        for (AnnotatedElement element : elements) {
            Map<String, List<A>> here = new LinkedHashMap<>();
            for (A demand : findRepeatableAnnotations(element, type)) {
                here.computeIfAbsent(subject.apply(demand), key -> new ArrayList<>())
                        .add(demand);
            }
            demands.putAll(here);
        }
        return demands.values().stream().flatMap(List::stream).toList();
    }

    private static <A extends Annotation> Optional<A> last(List<? extends AnnotatedElement> elements, Class<A> type) {
        return elements.stream()
                .flatMap(element -> findAnnotation(element, type).stream())
                .reduce((outer, inner) -> inner);
    }

    private static CounterMoves moves(ExpectCounter demand) {
        try {
            return CounterMoves.of(
                    demand.value(), given(demand.delta()), given(demand.min()), given(demand.max()), demand.each());
        } catch (IllegalArgumentException impossible) {
            throw new ExtensionConfigurationException(impossible.getMessage(), impossible);
        }
    }

    private static PeakStaysUnder peak(ExpectPeakMemory demand) {
        return new PeakStaysUnder(demand.category(), size(demand, demand.atMost()), demand.clearFirst());
    }

    private static DeviceMemoryReturns returned(ExpectDeviceMemoryReturned demand) {
        return new DeviceMemoryReturns(size(demand, demand.tolerance()));
    }

    private static ByteSize size(Annotation demand, String text) {
        try {
            return ByteSize.parse(text);
        } catch (IllegalArgumentException noSize) {
            throw new ExtensionConfigurationException(demand + ": " + noSize.getMessage(), noSize);
        }
    }

    /** A counter goes by its last part as well as by its path. */
    private static String lastPart(String counter) {
        return counter.substring(counter.lastIndexOf('/') + 1);
    }

    private static OptionalLong given(long bound) {
        return bound == ExpectCounter.NOT_SET ? OptionalLong.empty() : OptionalLong.of(bound);
    }
}
