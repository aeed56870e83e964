package dev.neurontest.internal.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.apiguardian.api.API;

/** Finder of the known name that is most similar to an unknown one. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class NearestName {

    private NearestName() {}

    /**
     * Returns the known name with the fewest edits.
     *
     * @param written the unknown name
     * @return one of the known names; empty when the name needs so many edits that the result would be a guess
     */
    public static Optional<String> of(String written, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(name -> edits(written, name)))
                .filter(name -> edits(written, name) <= Math.max(2, name.length() / 3));
    }

    /** Returns the number of characters to insert, delete or replace to make one text from another. */
    public static int edits(String from, String to) {
        int[] previous = new int[to.length() + 1];
        int[] current = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            previous[column] = column;
        }
        for (int row = 1; row <= from.length(); row++) {
            current[0] = row;
            for (int column = 1; column <= to.length(); column++) {
                int replaced = previous[column - 1] + (from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1);
                current[column] = Math.min(replaced, 1 + Math.min(previous[column], current[column - 1]));
            }
            int[] done = previous;
            previous = current;
            current = done;
        }
        return previous[to.length()];
    }
}
