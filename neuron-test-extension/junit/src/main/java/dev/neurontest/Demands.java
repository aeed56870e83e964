package dev.neurontest;

import dev.neurontest.counter.CounterMoves;
import dev.neurontest.counter.CounterRules;
import dev.neurontest.counter.DeviceMemoryReturns;
import dev.neurontest.counter.PeakStaysUnder;
import dev.neurontest.metric.ByteSize;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.OptionalLong;

/** The demands that annotations state, from the outermost class to the method; what is nearer to the test wins. */
final class Demands {

    private Demands() {}

    /** The demands on a test. */
    static CounterRules ofTest(List<Class<?>> testClasses, Method testMethod) {
        NearestAnnotations nearest = NearestAnnotations.to(testClasses, testMethod);
        CounterRules.Builder rules = allowing(nearest);
        nearest.of(ExpectCounter.class, demand -> lastPart(demand.value()))
                .forEach(demand -> rules.expect(moves(demand)));
        nearest.of(ExpectPeakMemory.class, demand -> lastPart(demand.category()))
                .forEach(demand -> rules.expect(peak(demand)));
        nearest.one(ExpectDeviceMemoryReturned.class).ifPresent(demand -> rules.expect(returned(demand)));
        return rules.build();
    }

    /**
     * What holds for a class as a whole: its tests judge themselves, so only what they allow is allowed here too. Memory has to be
     * back also when the class ends.
     */
    static CounterRules ofClass(List<Class<?>> testClasses) {
        NearestAnnotations nearest = new NearestAnnotations(testClasses);
        CounterRules.Builder rules = allowing(nearest);
        nearest.one(ExpectDeviceMemoryReturned.class).ifPresent(demand -> rules.expect(returned(demand)));
        return rules.build();
    }

    private static CounterRules.Builder allowing(NearestAnnotations nearest) {
        CounterRules.Builder rules = CounterRules.builder();
        nearest.all(AllowCounter.class)
                .forEach(allowance -> List.of(allowance.value()).forEach(rules::allow));
        return rules;
    }

    private static CounterMoves moves(ExpectCounter demand) {
        try {
            return CounterMoves.of(
                    demand.value(), given(demand.delta()), given(demand.min()), given(demand.max()), demand.each());
        } catch (IllegalArgumentException impossible) {
            throw Misuse.of(impossible.getMessage(), impossible);
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
            throw Misuse.of(demand + ": " + noSize.getMessage(), noSize);
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
