package dev.neurontest.internal.text;

import java.util.Collection;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** Several things in one line. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ListText {

    private ListText() {}

    /**
     * Joins all things with commas.
     *
     * @return for example {@code a, b, c}
     */
    public static String of(Collection<?> things) {
        StringJoiner text = new StringJoiner(", ");
        for (Object thing : things) {
            text.add(String.valueOf(thing));
        }
        return text.toString();
    }

    /**
     * Joins a text for each of the things with commas.
     *
     * @param text returns the text of a thing
     * @return for example {@code a, b, c}
     */
    public static <T> String of(Collection<T> things, Function<? super T, ?> text) {
        StringJoiner texts = new StringJoiner(", ");
        for (T thing : things) {
            texts.add(String.valueOf(text.apply(thing)));
        }
        return texts.toString();
    }

    /**
     * Returns the first things, separated by semicolons because they may contain commas, and the number of the others.
     *
     * @param most maximum number of listed things
     * @return for example {@code a; b; and 3 more}
     */
    public static String apart(Collection<?> things, int most) {
        String first = things.stream().limit(most).map(String::valueOf).collect(Collectors.joining("; "));
        return things.size() > most ? first + "; and " + (things.size() - most) + " more" : first;
    }

    /**
     * Returns the first things and the number of the others.
     *
     * @param most maximum number of listed things
     * @return for example {@code a, b and 3 more}
     */
    public static String some(Collection<?> things, int most) {
        String first = of(things.stream().limit(most).toList());
        return things.size() > most ? first + " and " + (things.size() - most) + " more" : first;
    }
}
