package dev.neurontest.baseline;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The properties that make numbers comparable: the machine and the versions of its software. Numbers of different stacks are never
 * compared.
 *
 * @param parts values by name, such as {@code platform}, {@code instance}, {@code lnc}, {@code driver}, {@code runtime}, {@code compiler},
 *     {@code profiler}, {@code schema}, {@code capture} and {@code throttle} (the throttling class of a time). Versions have only the
 *     digits that may change a number, such as {@code 2.30}. Unknown values are absent.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Stack(SortedMap<String, String> parts) {

    /**
     * Creates a stack with its own copy of the parts.
     *
     * @param parts values by name
     */
    public Stack {
        parts = Collections.unmodifiableSortedMap(new TreeMap<>(parts));
    }

    /**
     * Creates a stack from parts in any order.
     *
     * @param parts values by name
     * @return the stack
     */
    public static Stack of(Map<String, String> parts) {
        return new Stack(new TreeMap<>(parts));
    }

    /**
     * Returns the part of a version that may change a number.
     *
     * @param version a version such as {@code 2.30.51.0}
     * @return its first two numbers, such as {@code 2.30}; the text itself when it does not have two
     */
    public static String majorMinor(String version) {
        String[] numbers = version.strip().split("[.-]", 3);
        return numbers.length < 2 ? version.strip() : numbers[0] + "." + numbers[1];
    }

    /**
     * Returns the stack in readable form.
     *
     * @return a text such as {@code driver 2.30, instance trn2.48xlarge, lnc 2}
     */
    @Override
    public String toString() {
        return parts.entrySet().stream()
                .map(part -> part.getKey() + " " + part.getValue())
                .collect(Collectors.joining(", "));
    }
}
