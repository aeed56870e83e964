package dev.neurontest.baseline;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * What makes numbers comparable: the machine and the versions of what runs on it. Numbers of different stacks are never compared.
 *
 * @param parts names such as {@code platform}, {@code instance}, {@code lnc}, {@code driver}, {@code runtime}, {@code compiler}, {@code profiler},
 *     {@code schema}, {@code capture} and {@code throttle} (the class of throttling of a time) with their values; versions down to what may change a number, such as {@code 2.30}; what is not known is not there
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Stack(SortedMap<String, String> parts) {

    /**
     * Keeps its own copy.
     *
     * @param parts names with their values
     */
    public Stack {
        parts = Collections.unmodifiableSortedMap(new TreeMap<>(parts));
    }

    /**
     * A stack of parts in any order.
     *
     * @param parts names with their values
     * @return the stack
     */
    public static Stack of(Map<String, String> parts) {
        return new Stack(new TreeMap<>(parts));
    }

    /**
     * What may change a number about a version.
     *
     * @param version such as {@code 2.30.51.0}
     * @return its first two numbers, such as {@code 2.30}; the text itself where it has none
     */
    public static String majorMinor(String version) {
        String[] numbers = version.strip().split("[.-]", 3);
        return numbers.length < 2 ? version.strip() : numbers[0] + "." + numbers[1];
    }

    /**
     * The stack for people.
     *
     * @return such as {@code driver 2.30, instance trn2.48xlarge, lnc 2}
     */
    @Override
    public String toString() {
        return parts.entrySet().stream()
                .map(part -> part.getKey() + " " + part.getValue())
                .collect(Collectors.joining(", "));
    }
}
