package dev.neurontest.internal.report.show;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The first elements of a list, and the number of omitted elements.
 *
 * @param <T> type of the elements
 * @param shown elements within the limit
 * @param more number of omitted elements
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TruncatedList<T>(List<T> shown, int more) {

    /**
     * Truncates a list. A single element is not omitted, because the line that counts it is as long.
     *
     * @param <T> type of the elements
     * @param all elements
     * @param most maximum number of shown elements
     */
    public static <T> TruncatedList<T> of(List<T> all, int most) {
        int shown = all.size() <= most + 1 ? all.size() : most;
        return new TruncatedList<>(List.copyOf(all.subList(0, shown)), all.size() - shown);
    }

    /** Returns the number of all elements, shown or not. */
    public int count() {
        return shown.size() + more;
    }
}
