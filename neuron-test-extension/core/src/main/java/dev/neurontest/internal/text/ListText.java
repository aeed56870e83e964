package dev.neurontest.internal.text;

import java.util.Collection;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** Several things in one line. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ListText {

    private ListText() {}

    /**
     * All of them.
     *
     * @param things in their order
     * @return such as {@code a, b, c}
     */
    public static String of(Collection<?> things) {
        return of(things, thing -> thing);
    }

    /**
     * All of them, by something of each.
     *
     * @param <T> what they are
     * @param things in their order
     * @param said what is said of each
     * @return such as {@code a, b, c}
     */
    public static <T> String of(Collection<T> things, Function<? super T, ?> said) {
        return things.stream().map(said).map(String::valueOf).collect(Collectors.joining(", "));
    }

    /**
     * Returns the first of several things that may contain commas, and how many more there are.
     *
     * @param things in their order
     * @param most how many are named
     * @return such as {@code a; b; and 3 more}
     */
    public static String apart(Collection<?> things, int most) {
        String first = things.stream().limit(most).map(String::valueOf).collect(Collectors.joining("; "));
        return things.size() > most ? first + "; and " + (things.size() - most) + " more" : first;
    }

    /**
     * The first of them, and how many more there are.
     *
     * @param things in their order
     * @param most how many are said
     * @return such as {@code a, b and 3 more}
     */
    public static String some(Collection<?> things, int most) {
        String first = of(things.stream().limit(most).toList());
        return things.size() > most ? first + " and " + (things.size() - most) + " more" : first;
    }
}
