package dev.neurontest.internal.configuration;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apiguardian.api.API;

/**
 * The cores that a runtime takes. The runtime requires consecutive cores.
 *
 * @param count the number of cores, at least 1
 * @param indices the indices of the logical cores, in order; empty for any cores
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RuntimeCores(int count, List<Integer> indices) {

    private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,3}");
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,4})-([0-9]{1,4})");

    /** Creates the choice with a copy of the indices. */
    public RuntimeCores {
        indices = List.copyOf(indices);
    }

    static RuntimeCores parse(String text) {
        if (COUNT.matcher(text).matches()) {
            return new RuntimeCores(Integer.parseInt(text), List.of());
        }
        Matcher range = RANGE.matcher(text);
        if (!range.matches()) {
            throw new IllegalArgumentException("it is neither");
        }
        int first = Integer.parseInt(range.group(1));
        int last = Integer.parseInt(range.group(2));
        if (first > last) {
            throw new IllegalArgumentException("the first is above the last");
        }
        return new RuntimeCores(
                last - first + 1, IntStream.rangeClosed(first, last).boxed().toList());
    }
}
