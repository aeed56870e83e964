package dev.neurontest.internal.text;

import java.util.Collection;
import java.util.PrimitiveIterator;
import java.util.StringJoiner;
import org.apiguardian.api.API;

/** Numbers in ranges, for numbers that are mostly consecutive, such as those of cores. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RangeText {

    private RangeText() {}

    /**
     * Returns the distinct numbers as ranges.
     *
     * @param numbers numbers in any order
     * @return for example {@code 0-3, 7}; empty for no numbers
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
