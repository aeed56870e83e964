package dev.neurontest.fake.internal.driver.instance;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** What was probably meant by a name that is not known, as errors say it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class NearNames {

    private static final int SAID = 3;

    private NearNames() {}

    /**
     * Returns the value with a name.
     *
     * @param what what the values are
     * @param name the name of one of them
     * @param all the values, which print as their names
     * @return the value
     * @param <T> the type of the values
     * @throws IllegalArgumentException when none has the name; the message lists the names
     */
    public static <T> T named(String what, String name, List<T> all) {
        return all.stream()
                .filter(each -> each.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no " + what + " \"" + name + "\"; there are: "
                        + all.stream().map(String::valueOf).collect(Collectors.joining(", "))));
    }

    /**
     * A question, and where all names are.
     *
     * @param written what was written
     * @param known at least three
     * @return such as {@code did you mean trn1.2xlarge, trn2.3xlarge or trn1.32xlarge? All are listed by fake-sysfs list, or neuron-test fake list}
     */
    public static String question(String written, List<String> known) {
        List<String> near = known.stream()
                .sorted(Comparator.<String>comparingInt(name -> ofBeginning(edits(written, name)))
                        .thenComparingInt(name -> edits(written, name)[name.length()]))
                .limit(SAID)
                .toList();
        int last = near.size() - 1;
        return "did you mean %s or %s? All are listed by fake-sysfs list, or neuron-test fake list"
                .formatted(String.join(", ", near.subList(0, last)), near.get(last));
    }

    /** A name that was only begun is near to all that begin so. */
    private static int ofBeginning(int[] edits) {
        return Arrays.stream(edits).min().orElseThrow();
    }

    /** How many characters must be inserted, deleted or replaced to make the first N characters of the other, for each N. */
    private static int[] edits(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            row[column] = column;
        }
        for (int line = 1; line <= from.length(); line++) {
            int diagonal = row[0];
            row[0] = line;
            for (int column = 1; column <= to.length(); column++) {
                int replaced = diagonal + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(replaced, 1 + Math.min(row[column], row[column - 1]));
            }
        }
        return row;
    }
}
