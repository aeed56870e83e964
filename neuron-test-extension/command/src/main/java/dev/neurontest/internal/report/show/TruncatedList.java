package dev.neurontest.internal.report.show;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The first elements of a list, and the number of those that are left out.
 *
 * @param <T> type of the elements
 * @param shown elements within the limit
 * @param more number of the others
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TruncatedList<T>(List<T> shown, int more) {

    /**
     * Cuts a list.
     *
     * @param <T> type of the elements
     * @param all elements
     * @param most how many are shown
     * @return the first ones
     */
    public static <T> TruncatedList<T> of(List<T> all, int most) {
        int shown = Math.min(all.size(), most);
        return new TruncatedList<>(List.copyOf(all.subList(0, shown)), all.size() - shown);
    }

    /**
     * Counts all elements.
     *
     * @return number of elements, shown or not
     */
    public int count() {
        return shown.size() + more;
    }
}
