package dev.neurontest.internal.plan;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;

import dev.neurontest.LeaseScope;
import dev.neurontest.LeasedPer;
import dev.neurontest.internal.lease.CoreRequest;
import java.lang.reflect.Executable;
import java.lang.reflect.Parameter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A slot for cores in a test, a class or the session. Equal parameters of different methods share a slot. A test therefore gets the core
 * that a {@code @BeforeEach} method prepared. Equal parameters of one method have different slots.
 *
 * @param ordinal the position among equal parameters of one method, from 0
 * @param scope the duration of the lease
 */
@API(status = API.Status.INTERNAL)
public record CoreSlot(CoreRequest request, int ordinal, LeaseScope scope) {

    /**
     * Returns the slots of a method or constructor, by parameter.
     *
     * @param place the default scope of the method
     */
    public static Map<Parameter, CoreSlot> of(Executable executable, LeaseScope place) {
        Map<CoreSlot, Integer> used = new HashMap<>();
        Map<Parameter, CoreSlot> slots = new LinkedHashMap<>();
        for (Parameter parameter : executable.getParameters()) {
            @Nullable CoreRequest request = HostParameter.request(parameter).orElse(null);
            if (request != null) {
                CoreSlot first = new CoreSlot(request, 0, scope(parameter, place));
                int ordinal = used.getOrDefault(first, 0);
                used.put(first, ordinal + 1);
                slots.put(parameter, new CoreSlot(request, ordinal, first.scope()));
            }
        }
        return slots;
    }

    /** Compares without the generated method of a record, which would delay the first test of a JVM. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CoreSlot slot
                && ordinal == slot.ordinal
                && scope == slot.scope
                && request.equals(slot.request);
    }

    @Override
    public int hashCode() {
        return 31 * ordinal + request.getClass().hashCode();
    }

    private static LeaseScope scope(Parameter parameter, LeaseScope place) {
        if (!HostParameter.isAnnotated(parameter)) {
            return place;
        }
        @Nullable
        LeasedPer leasedPer = findAnnotation(parameter, LeasedPer.class).orElse(null);
        LeaseScope scope = leasedPer == null ? place : leasedPer.value();
        if (scope.compareTo(place) < 0) {
            throw Misuse.of(
                    "Parameter %s of %s: it is called once for all tests of the class, so its cores cannot be leased per test."
                            .formatted(parameter, parameter.getDeclaringExecutable()));
        }
        return scope;
    }
}
