package dev.neurontest.fake.internal.driver;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The logical cores in {@code NEURON_RT_VISIBLE_CORES}: one ascending run without a gap. */
record VisibleCores(int first, int last) {

    private static final Pattern PART = Pattern.compile("([0-9]{1,5})(?:-([0-9]{1,5}))?");

    /**
     * Parses a list of logical cores.
     *
     * @param list a list such as {@code 3}, {@code 3-6} or {@code 3-5,6}
     * @throws IllegalArgumentException when it has another form
     */
    static VisibleCores parse(String list) {
        int first = -1;
        int last = -1;
        for (String part : list.split(",", -1)) {
            Matcher matcher = PART.matcher(part);
            if (!matcher.matches()) {
                throw wrong(list);
            }
            int from = Integer.parseInt(matcher.group(1));
            int to = matcher.group(2) != null ? Integer.parseInt(matcher.group(2)) : from;
            if (to < from || first >= 0 && from != last + 1) {
                throw wrong(list);
            }
            first = first >= 0 ? first : from;
            last = to;
        }
        return new VisibleCores(first, last);
    }

    private static IllegalArgumentException wrong(String list) {
        return new IllegalArgumentException("visible cores \"" + list
                + "\" are not one ascending run of logical cores without a gap, such as 3, 3-6 or 3-5,6");
    }

    int count() {
        return last - first + 1;
    }
}
