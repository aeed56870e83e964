package dev.neurontest.internal.text;

import java.util.Collection;
import java.util.PrimitiveIterator;
import java.util.StringJoiner;
import org.apiguardian.api.API;

/** Numbers of things that mostly follow each other, such as cores. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RangeText {

    private RangeText() {}

    /**
     * All of them, each once.
     *
     * @param numbers in any order
     * @return such as {@code 0-3, 7}; empty for none
     */
    public static String of(Collection<Integer> numbers) {
        StringJoiner ranges = new StringJoiner(", ");
        PrimitiveIterator.OfInt sorted =
                numbers.stream().mapToInt(Integer::intValue).sorted().distinct().iterator();
        if (!sorted.hasNext()) {
            return "";
        }
        int first = sorted.nextInt();
        int last = first;
        while (sorted.hasNext()) {
            int next = sorted.nextInt();
            if (next != last + 1) {
                ranges.add(range(first, last));
                first = next;
            }
            last = next;
        }
        return ranges.add(range(first, last)).toString();
    }

    private static String range(int first, int last) {
        return first == last ? String.valueOf(first) : first + "-" + last;
    }
}
