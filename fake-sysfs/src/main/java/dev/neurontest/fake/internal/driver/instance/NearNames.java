package dev.neurontest.fake.internal.driver.instance;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** Suggestions for unknown names, for error messages. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class NearNames {

    private static final int SUGGESTIONS = 3;

    private NearNames() {}

    /**
     * Returns the value with a name.
     *
     * @param kind the kind of the values, for the message
     * @param all the values; their {@code toString} returns the name
     * @throws IllegalArgumentException when none has the name; the message lists the names
     */
    public static <T> T named(String kind, String name, List<T> all) {
        for (T each : all) {
            if (each.toString().equals(name)) {
                return each;
            }
        }
        throw new IllegalArgumentException("no " + kind + " \"" + name + "\"; there are: "
                + all.stream().map(String::valueOf).collect(Collectors.joining(", ")));
    }

    /**
     * Returns a question with the most similar names, and the command that lists all names.
     *
     * @param unknown the unknown name
     * @param known at least three names
     * @return such as
     *     {@code did you mean trn1.2xlarge, trn2.3xlarge or trn1.32xlarge? All are listed by fake-sysfs list, or neuron-test fake list}
     */
    public static String question(String unknown, List<String> known) {
        return question(
                "did you mean %s or %s? All are listed by fake-sysfs list, or neuron-test fake list", unknown, known);
    }

    /**
     * Returns a question with the most similar names.
     *
     * @param unknown the unknown name
     * @param known at least three names
     * @return such as {@code did you mean NRT_TIMEOUT, NRT_FAILURE or NRT_INVALID?}
     */
    public static String nearest(String unknown, List<String> known) {
        return question("did you mean %s or %s?", unknown, known);
    }

    private static String question(String form, String unknown, List<String> known) {
        List<String> near = known.stream()
                .sorted(Comparator.<String>comparingInt(name -> ofBeginning(edits(unknown, name)))
                        .thenComparingInt(name -> edits(unknown, name)[name.length()]))
                .limit(SUGGESTIONS)
                .toList();
        int last = near.size() - 1;
        return form.formatted(String.join(", ", near.subList(0, last)), near.get(last));
    }

    /** Returns the distance to the nearest beginning of a name: an incomplete name is near to all names that begin with it. */
    private static int ofBeginning(int[] edits) {
        return Arrays.stream(edits).min().orElseThrow();
    }

    /**
     * Returns the edit distances to all beginnings of a text. The number at N is how many characters must be inserted, deleted or replaced
     * to get its first N characters.
     */
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
