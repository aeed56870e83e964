package dev.neurontest.internal.archive;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/**
 * The order of names in an archive. Digits are ordered as numbers, therefore neuron2 comes before neuron10; everything else is ordered by
 * bytes.
 */
final class NameOrder implements Comparator<String> {

    static final NameOrder NAMES = new NameOrder();

    /** Order of paths, compared part by part; the content of a directory follows the directory. */
    static final Comparator<String> PATHS = (one, other) -> {
        String[] parts = one.split("/", -1);
        String[] others = other.split("/", -1);
        for (int part = 0; part < Math.min(parts.length, others.length); part++) {
            int order = NAMES.compare(parts[part], others[part]);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(parts.length, others.length);
    };

    private NameOrder() {}

    @Override
    public int compare(String one, String other) {
        byte[] left = one.getBytes(StandardCharsets.UTF_8);
        byte[] right = other.getBytes(StandardCharsets.UTF_8);
        int at = 0;
        int rightAt = 0;
        while (at < left.length && rightAt < right.length) {
            if (isDigit(left[at]) && isDigit(right[rightAt])) {
                int end = digitsEnd(left, at);
                int rightEnd = digitsEnd(right, rightAt);
                int order = compareNumbers(left, at, end, right, rightAt, rightEnd);
                if (order != 0) {
                    return order;
                }
                at = end;
                rightAt = rightEnd;
            } else if (left[at] != right[rightAt]) {
                return Byte.compareUnsigned(left[at], right[rightAt]);
            } else {
                at++;
                rightAt++;
            }
        }
        int byLength = Integer.compare(left.length - at, right.length - rightAt);
        return byLength != 0 ? byLength : Arrays.compareUnsigned(left, right);
    }

    private static int compareNumbers(byte[] left, int from, int end, byte[] right, int rightAt, int rightEnd) {
        int first = withoutZeros(left, from, end);
        int second = withoutZeros(right, rightAt, rightEnd);
        int longer = Integer.compare(end - first, rightEnd - second);
        return longer != 0 ? longer : Arrays.compareUnsigned(left, first, end, right, second, rightEnd);
    }

    private static int withoutZeros(byte[] name, int from, int end) {
        int first = from;
        while (first < end && name[first] == '0') {
            first++;
        }
        return first;
    }

    private static int digitsEnd(byte[] name, int from) {
        int end = from;
        while (end < name.length && isDigit(name[end])) {
            end++;
        }
        return end;
    }

    private static boolean isDigit(byte character) {
        return character >= '0' && character <= '9';
    }
}
