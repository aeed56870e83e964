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
 * A sequence of prints with a counter: one element increases by the same step from print to print. A full stream drops events without a
 * sign, and a missing number is the only evidence.
 *
 * @param count number of prints
 * @param missing missing numbers between the expected first number and the last existing number; shortened
 * @param missingCount number of missing numbers
 * @param repeated numbers that occur more than once; shortened
 * @param odd texts that are no number of the sequence; shortened
 * @param falls number of prints with a smaller number than the print before
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record PrintSequence(
        long count, List<Long> missing, long missingCount, List<Long> repeated, List<String> odd, long falls) {

    private static final int SHOWN = 20;

    /** Creates a sequence with its own copies of the lists. */
    public PrintSequence {
        missing = List.copyOf(missing);
        repeated = List.copyOf(repeated);
        odd = List.copyOf(odd);
    }

    /**
     * Checks prints with the counter 0, 1, 2, ... in their first element.
     *
     * @param prints prints of one prefix on one core, in the order of arrival
     */
    public static PrintSequence of(List<DevicePrint> prints) {
        return of(prints, 0, 0, 1);
    }

    /**
     * Checks prints with a counter.
     *
     * @param prints prints of one prefix on one core, in the order of arrival
     * @param element row-major index of the counter in the tensor
     * @param first expected first number
     * @param step difference between consecutive numbers, more than 0
     * @throws IllegalArgumentException when the step is not more than 0
     */
    public static PrintSequence of(List<DevicePrint> prints, long element, long first, long step) {
        if (step <= 0) {
            throw new IllegalArgumentException("A sequence rises by 1 or more, not by %s.".formatted(step));
        }
        return new Counting(element, first, step).read(prints);
    }

    /**
     * Returns whether each number occurs exactly once and in increasing order.
     *
     * @return true when no print was lost before the last existing print
     */
    public boolean isWhole() {
        return missingCount == 0 && repeated.isEmpty() && odd.isEmpty() && falls == 0;
    }

    /**
     * Describes the problem and a possible remedy.
     *
     * @return one or two sentences; empty when the sequence is {@linkplain #isWhole whole}
     */
    public Optional<String> trouble() {
        List<String> problems = new ArrayList<>();
        if (missingCount > 0) {
            problems.add("%s missing: %s%s"
                    .formatted(missingCount, joined(missing), missingCount > missing.size() ? ", ..." : ""));
        }
        if (!repeated.isEmpty()) {
            problems.add("more than once: " + joined(repeated));
        }
        if (!odd.isEmpty()) {
            problems.add("not in the sequence: " + joined(odd));
        }
        if (falls > 0) {
            problems.add("%s times smaller than the previous number".formatted(falls));
        }
        String help = missingCount > 0
                ? " A stream that is full drops events: print less at once, or set NEURON_RT_DEBUG_STREAM_BUFFER_SIZE to a larger power of two."
                : "";
        return problems.isEmpty()
                ? Optional.empty()
                : Optional.of("%s prints, %s.%s".formatted(count, String.join("; ", problems), help));
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
                read(print.tensor());
            }
            List<Long> repeated = times.entrySet().stream()
                    .filter(number -> number.getValue() > 1)
                    .map(Map.Entry::getKey)
                    .limit(SHOWN)
                    .toList();
            List<Long> missing = new ArrayList<>();
            long expectedCount = (highest - first) / step + 1;
            for (long number = first; number <= highest && missing.size() < SHOWN; number += step) {
                if (!times.containsKey(number)) {
                    missing.add(number);
                }
            }
            return new PrintSequence(prints.size(), missing, expectedCount - times.size(), repeated, odd, falls);
        }

        private void read(TensorView whole) {
            // The first value is always among the written ones of an abbreviated tensor.
            TensorView tensor = element == 0 ? whole.written() : whole;
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
