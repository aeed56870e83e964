package dev.neurontest.counter;

import dev.neurontest.internal.text.VisibleText;
import java.util.List;
import org.apiguardian.api.API;

/** A counter name that means nothing on this host, or more than one thing. The test asks for it wrongly; nothing was judged. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CounterNameException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    /** What the test asked for. */
    private final String name;

    /** What that could mean. */
    private final String[] candidates;

    /**
     * States it.
     *
     * @param message what is wrong with the name, and what to write instead
     * @param name as it was written
     * @param candidates what it could mean
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterNameException(String message, String name, List<String> candidates) {
        super(VisibleText.of(message));
        this.name = name;
        this.candidates = candidates.toArray(String[]::new);
    }

    @API(status = API.Status.INTERNAL)
    public static CounterNameException unknown(String name, List<String> nearest, int known, String where) {
        String meant = nearest.isEmpty() ? "" : " Nearest: " + String.join(", ", nearest) + ".";
        return new CounterNameException(
                "There is no counter \"%s\" among the %s counters of %s.%s Names are paths below stats or their last parts; they differ by driver (ls -R stats)."
                        .formatted(name, known, where, meant),
                name,
                nearest);
    }

    @API(status = API.Status.INTERNAL)
    public static CounterNameException ambiguous(String name, List<String> candidates) {
        return new CounterNameException(
                "The counter name \"%s\" is ambiguous, it could be %s. Write one of these."
                        .formatted(name, String.join(" or ", candidates)),
                name,
                candidates);
    }

    @API(status = API.Status.INTERNAL)
    public static CounterNameException notDifferent(String name, String field, String instead) {
        return new CounterNameException(
                "\"%s\" asks for a difference of %s, which makes none: %s".formatted(name, field, instead),
                name,
                List.of());
    }

    /**
     * What the test asked for.
     *
     * @return the name as it was written
     */
    public String name() {
        return name;
    }

    /**
     * What it could mean.
     *
     * @return the nearest names, or all meanings of an ambiguous one
     */
    public List<String> candidates() {
        return List.of(candidates);
    }
}
