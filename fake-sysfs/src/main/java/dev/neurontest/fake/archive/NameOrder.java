package dev.neurontest.fake.archive;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/** Names with numbers in them in the order of the numbers: {@code neuron2} before {@code neuron10}. */
final class NameOrder implements Comparator<String> {

    static final NameOrder NAMES = new NameOrder();

    /** Part by part, so that a directory is followed by what is in it. */
    static final Comparator<String> PATHS = NameOrder::paths;

    private NameOrder() {}

    private static int paths(String left, String right) {
        String[] a = left.split("/");
        String[] b = right.split("/");
        for (int i = 0; i < Math.min(a.length, b.length); i++) {
            int order = NAMES.compare(a[i], b[i]);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.length, b.length);
    }

    @Override
    public int compare(String left, String right) {
        byte[] a = left.getBytes(StandardCharsets.UTF_8);
        byte[] b = right.getBytes(StandardCharsets.UTF_8);
        int i = 0;
        int j = 0;
        while (i < a.length && j < b.length) {
            if (!digit(a[i]) || !digit(b[j])) {
                if (a[i] != b[j]) {
                    return Integer.compare(a[i] & 0xff, b[j] & 0xff);
                }
                i++;
                j++;
                continue;
            }
            int endA = endOfRun(a, i);
            int endB = endOfRun(b, j);
            int order = numbers(digits(a, i, endA), digits(b, j, endB));
            if (order != 0) {
                return order;
            }
            i = endA;
            j = endB;
        }
        int rest = Integer.compare(a.length - i, b.length - j);
        return rest != 0 ? rest : Arrays.compareUnsigned(a, b);
    }

    private static boolean digit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static int endOfRun(byte[] name, int from) {
        int end = from;
        while (end < name.length && digit(name[end])) {
            end++;
        }
        return end;
    }

    private static String digits(byte[] name, int from, int to) {
        int first = from;
        while (first < to && name[first] == '0') {
            first++;
        }
        return new String(name, first, to - first, StandardCharsets.US_ASCII);
    }

    private static int numbers(String a, String b) {
        return a.length() != b.length() ? Integer.compare(a.length(), b.length()) : a.compareTo(b);
    }
}
