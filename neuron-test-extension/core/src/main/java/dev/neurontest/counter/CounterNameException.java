package dev.neurontest.counter;

import dev.neurontest.internal.text.VisibleText;
import java.util.List;
import org.apiguardian.api.API;

/** Thrown when a counter name is unknown or ambiguous on this host. This is an error in the test; no expectation was judged. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CounterNameException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    /** The name as written in the test. */
    private final String name;

    /** The possible meanings of the name. */
    private final String[] candidates;

    /**
     * Creates an exception with the possible meanings of the name.
     *
     * @param message the problem with the name, and the names to write instead
     * @param name the name as written in the test
     * @param candidates the possible meanings
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterNameException(String message, String name, List<String> candidates) {
        super(VisibleText.of(message));
        this.name = name;
        this.candidates = candidates.toArray(String[]::new);
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public static CounterNameException unknown(String name, List<String> nearest, int count, String where) {
        String suggestion = nearest.isEmpty() ? "" : " Nearest: " + String.join(", ", nearest) + ".";
        return new CounterNameException(
                "There is no counter \"%s\" among the %s counters of %s.%s Names are paths below stats or their last parts; they differ by driver (ls -R stats)."
                        .formatted(name, count, where, suggestion),
                name,
                nearest);
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public static CounterNameException ambiguous(String name, List<String> candidates) {
        return new CounterNameException(
                "The counter name \"%s\" is ambiguous, it could be %s. Write one of these."
                        .formatted(name, String.join(" or ", candidates)),
                name,
                candidates);
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public static CounterNameException notDifferent(String name, String field, String instead) {
        return new CounterNameException(
                "\"%s\" cannot be compared, because %s has no difference: %s".formatted(name, field, instead),
                name,
                List.of());
    }

    /**
     * Returns the name as written in the test.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * Returns the possible meanings of the name.
     *
     * @return the nearest names, or all meanings of an ambiguous name
     */
    public List<String> candidates() {
        return List.of(candidates);
    }
}
