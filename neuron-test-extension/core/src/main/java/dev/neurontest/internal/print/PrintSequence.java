package dev.neurontest.internal.print;

import dev.neurontest.internal.text.ListText;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.tensor.TensorView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * Prints that count: one of their elements rises by the same step from print to print. A stream that is full drops events without a
 * sign, and a number that is missing is the only way to see it.
 *
 * @param seen how many prints there are
 * @param missing numbers that are not there between the first one that should be and the last one that is; shortened
 * @param missingCount how many those are
 * @param repeated numbers that are there more than once; shortened
 * @param odd what is no number of the sequence, as it is written; shortened
 * @param falls how often a number is smaller than that of the print before
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record PrintSequence(
        long seen, List<Long> missing, long missingCount, List<Long> repeated, List<String> odd, long falls) {

    private static final int SHOWN = 20;

    /**
     * Keeps its own copies.
     *
     * @param seen how many prints there are
     * @param missing numbers that are not there
     * @param missingCount how many those are
     * @param repeated numbers that are there more than once
     * @param odd what is no number of the sequence
     * @param falls how often a number is smaller than the one before
     */
    public PrintSequence {
        missing = List.copyOf(missing);
        repeated = List.copyOf(repeated);
        odd = List.copyOf(odd);
    }

    /**
     * Looks at prints that count 0, 1, 2, ... in their first element.
     *
     * @param prints of one prefix on one core, in the order of arrival
     * @return what is missing
     */
    public static PrintSequence of(List<DevicePrint> prints) {
        return of(prints, 0, 0, 1);
    }

    /**
     * Looks at prints that count.
     *
     * @param prints of one prefix on one core, in the order of arrival
     * @param element which of their elements, by row-major index
     * @param first its first number
     * @param step from one to the next, more than 0
     * @return what is missing
     * @throws IllegalArgumentException when the step is not more than 0
     */
    public static PrintSequence of(List<DevicePrint> prints, long element, long first, long step) {
        if (step <= 0) {
            throw new IllegalArgumentException("A sequence rises by 1 or more, not by %s.".formatted(step));
        }
        return new Counting(element, first, step).read(prints);
    }

    /**
     * Whether every number is there once, and none falls.
     *
     * @return true when nothing was lost before the last print that is there
     */
    public boolean isWhole() {
        return missingCount == 0 && repeated.isEmpty() && odd.isEmpty() && falls == 0;
    }

    /**
     * What is wrong, and what may help.
     *
     * @return a sentence or two; empty when it is {@linkplain #isWhole whole}
     */
    public Optional<String> trouble() {
        List<String> found = new ArrayList<>();
        if (missingCount > 0) {
            found.add("%s missing: %s%s"
                    .formatted(missingCount, joined(missing), missingCount > missing.size() ? ", ..." : ""));
        }
        if (!repeated.isEmpty()) {
            found.add("there more than once: " + joined(repeated));
        }
        if (!odd.isEmpty()) {
            found.add("no number of the sequence: " + joined(odd));
        }
        if (falls > 0) {
            found.add("%s times smaller than the one before".formatted(falls));
        }
        String help = missingCount > 0
                ? " A stream that is full drops events: print less at once, or set NEURON_RT_DEBUG_STREAM_BUFFER_SIZE to a larger power of two."
                : "";
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of("%s prints, %s.%s".formatted(seen, String.join("; ", found), help));
    }

    private static String joined(List<?> numbers) {
        return ListText.of(numbers);
    }

    private static final class Counting {

        private final long element;
        private final long first;
        private final long step;
        private final Map<Long, Integer> times = new LinkedHashMap<>();
        private final List<String> odd = new ArrayList<>();
        private long last = Long.MIN_VALUE;
        private long highest;
        private long falls;

        private Counting(long element, long first, long step) {
            this.element = element;
            this.first = first;
            this.step = step;
            this.highest = first - step;
        }

        private PrintSequence read(List<DevicePrint> prints) {
            for (DevicePrint print : prints) {
                read(TensorView.of(print.dtype(), print.shape(), print.data()));
            }
            List<Long> repeated = times.entrySet().stream()
                    .filter(number -> number.getValue() > 1)
                    .map(Map.Entry::getKey)
                    .limit(SHOWN)
                    .toList();
            List<Long> missing = new ArrayList<>();
            long wanted = (highest - first) / step + 1;
            for (long number = first; number <= highest && missing.size() < SHOWN; number += step) {
                if (!times.containsKey(number)) {
                    missing.add(number);
                }
            }
            return new PrintSequence(prints.size(), missing, wanted - times.size(), repeated, odd, falls);
        }

        private void read(TensorView tensor) {
            if (!tensor.isDecodable() || element < 0 || element >= tensor.size()) {
                odd(view -> view.isDecodable() ? "no element " + element : view.trouble(), tensor);
                return;
            }
            double value = tensor.number(element);
            long number = (long) value;
            if (number != value || number < first || Math.floorMod(number - first, step) != 0) {
                odd(view -> view.text(element), tensor);
                return;
            }
            times.merge(number, 1, Integer::sum);
            falls += number < last ? 1 : 0;
            last = number;
            highest = Math.max(highest, number);
        }

        private void odd(Function<TensorView, String> text, TensorView tensor) {
            if (odd.size() < SHOWN) {
                odd.add(text.apply(tensor));
            }
        }
    }
}
