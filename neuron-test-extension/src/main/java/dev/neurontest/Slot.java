package dev.neurontest;

import dev.neurontest.lease.CoreRequest;
import java.lang.reflect.Executable;
import java.lang.reflect.Parameter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A place for cores in a test or class. Equal parameters of different methods share one: the core that a
 * {@code @BeforeEach} method prepared is the core that the test gets. Equal parameters of one method do not.
 *
 * @param request what is wanted
 * @param ordinal which of the equal parameters of one method it is, from 0
 */
record Slot(CoreRequest request, int ordinal) {

    /** The slots that a method or constructor needs, by parameter. */
    static Map<Parameter, Slot> of(Executable executable) {
        Map<CoreRequest, Integer> used = new HashMap<>();
        Map<Parameter, Slot> slots = new LinkedHashMap<>();
        for (Parameter parameter : executable.getParameters()) {
            Injected.request(parameter).ifPresent(request -> {
                int ordinal = used.merge(request, 1, Integer::sum) - 1;
                slots.put(parameter, new Slot(request, ordinal));
            });
        }
        return slots;
    }
}
