package dev.neurontest.internal.plan;

import static org.junit.platform.commons.support.AnnotationSupport.findRepeatableAnnotations;

import dev.neurontest.AllowCounter;
import dev.neurontest.ExpectCounter;
import dev.neurontest.ExpectDeviceMemoryReturned;
import dev.neurontest.ExpectPeakMemory;
import dev.neurontest.counter.CounterDeltaExpectation;
import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.counter.MemoryReturnedExpectation;
import dev.neurontest.counter.PeakMemoryExpectation;
import dev.neurontest.metric.ByteSize;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Reader of annotations with counter expectations, from the outermost class to the method. The annotation nearest to the test wins. */
final class CounterAnnotations {

    private CounterAnnotations() {}

    /** Returns the counter expectations of a test. */
    static CounterExpectations ofTest(List<Class<?>> testClasses, Method testMethod) {
        refuseOverWholeClass(testMethod);
        NearestAnnotations nearest = NearestAnnotations.to(testClasses, testMethod);
        CounterExpectations.Builder rules = allowing(nearest);
        Map<CounterDeltaExpectation, Annotation> deltas = addDeltas(
                nearest.of(ExpectCounter.class, CounterAnnotations::subject).stream()
                        .filter(expectation -> !expectation.wholeClass()),
                rules);
        nearest.of(ExpectPeakMemory.class, expectation -> lastPart(expectation.category()))
                .forEach(expectation -> {
                    PeakMemoryExpectation peak = peak(expectation);
                    deltas.put(eachAtMost(peak.category(), peak.limit()), expectation);
                    rules.expect(peak);
                });
        nearest.nearest(ExpectDeviceMemoryReturned.class).ifPresent(expectation -> {
            MemoryReturnedExpectation returned = returned(expectation);
            deltas.put(eachAtMost("memory_usage/device_mem", returned.tolerance()), expectation);
            rules.expect(returned);
        });
        nearest.requireCompatible(deltas, CounterDeltaExpectation::excludes);
        return rules.build();
    }

    /**
     * Returns the expectations of a class as a whole. The tests of the class check their own expectations, so only their allowances apply
     * here too. Memory must also be back when the class ends. Counts over the whole class are those of the class with the annotation, not
     * of a nested one.
     */
    static CounterExpectations ofClass(List<Class<?>> testClasses) {
        NearestAnnotations nearest = new NearestAnnotations(testClasses);
        CounterExpectations.Builder rules = allowing(nearest);
        nearest.nearest(ExpectDeviceMemoryReturned.class).ifPresent(expectation -> rules.expect(returned(expectation)));
        nearest.requireCompatible(
                addDeltas(overWholeClass(testClasses.get(testClasses.size() - 1)).stream(), rules),
                CounterDeltaExpectation::excludes);
        return rules.build();
    }

    private static Map<CounterDeltaExpectation, Annotation> addDeltas(
            Stream<ExpectCounter> expectations, CounterExpectations.Builder rules) {
        Map<CounterDeltaExpectation, Annotation> deltas = new LinkedHashMap<>();
        expectations.forEach(expectation -> {
            CounterDeltaExpectation delta = moves(expectation);
            deltas.put(delta, expectation);
            rules.expect(delta);
        });
        return deltas;
    }

    /** Returns what a limit for memory allows for the difference of the memory in use. */
    private static CounterDeltaExpectation eachAtMost(String memory, ByteSize limit) {
        return CounterDeltaExpectation.of(
                memory, OptionalLong.empty(), OptionalLong.empty(), OptionalLong.of(limit.bytes()), true);
    }

    private static List<ExpectCounter> overWholeClass(AnnotatedElement element) {
        return findRepeatableAnnotations(element, ExpectCounter.class).stream()
                .filter(ExpectCounter::wholeClass)
                .toList();
    }

    private static void refuseOverWholeClass(Method testMethod) {
        overWholeClass(testMethod).forEach(expectation -> {
            throw Misuse.of(
                    "%s on %s concerns the whole class. Put it on the class, or remove wholeClass to judge this test only."
                            .formatted(moves(expectation), testMethod));
        });
    }

    private static CounterExpectations.Builder allowing(NearestAnnotations nearest) {
        CounterExpectations.Builder rules = CounterExpectations.builder();
        nearest.all(AllowCounter.class)
                .forEach(allowance -> List.of(allowance.value()).forEach(rules::allow));
        return rules;
    }

    private static CounterDeltaExpectation moves(ExpectCounter expectation) {
        try {
            CounterDeltaExpectation moves = CounterDeltaExpectation.of(
                    expectation.value(),
                    given(expectation.delta()),
                    given(expectation.min()),
                    given(expectation.max()),
                    expectation.each());
            return expectation.wholeClass() ? moves.overWholeClass() : moves;
        } catch (IllegalArgumentException impossible) {
            throw Misuse.of(impossible.getMessage(), impossible);
        }
    }

    private static PeakMemoryExpectation peak(ExpectPeakMemory expectation) {
        return new PeakMemoryExpectation(
                expectation.category(), size(expectation, expectation.atMost()), expectation.clearFirst());
    }

    private static MemoryReturnedExpectation returned(ExpectDeviceMemoryReturned expectation) {
        return new MemoryReturnedExpectation(size(expectation, expectation.tolerance()));
    }

    private static ByteSize size(Annotation expectation, String text) {
        try {
            return ByteSize.parse(text);
        } catch (IllegalArgumentException noSize) {
            throw Misuse.of(AnnotationText.of(expectation) + ": " + noSize.getMessage(), noSize);
        }
    }

    /** Returns the counter and the period of an expectation. A test overrides expectations of each test only. */
    private static String subject(ExpectCounter expectation) {
        return (expectation.wholeClass() ? "whole class " : "") + lastPart(expectation.value());
    }

    /** Returns the last part of a counter's path; an annotation can name a counter by its path or by its last part. */
    private static String lastPart(String counter) {
        return counter.substring(counter.lastIndexOf('/') + 1);
    }

    private static OptionalLong given(long bound) {
        return bound == ExpectCounter.NOT_SET ? OptionalLong.empty() : OptionalLong.of(bound);
    }
}
