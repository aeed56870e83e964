package dev.neurontest.internal.process;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/**
 * The environment of a child as a whole: what it inherits from this process, what of that is taken away, and what is set.
 *
 * @param removed names that are not inherited
 * @param set what the child gets, whatever it inherits
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ChildEnvironment(Predicate<String> removed, Map<String, String> set) {

    /** Everything is inherited, nothing is set. */
    public static final ChildEnvironment INHERITED = new ChildEnvironment(name -> false, Map.of());

    /**
     * Keeps its own copy.
     *
     * @param removed names that are not inherited
     * @param set what the child gets, whatever it inherits
     */
    public ChildEnvironment {
        set = Map.copyOf(set);
    }

    /**
     * Takes more away.
     *
     * @param names which names are not inherited either
     * @return the environment
     */
    public ChildEnvironment without(Predicate<String> names) {
        return new ChildEnvironment(removed.or(names), set);
    }

    /**
     * Sets variables.
     *
     * @param variables in place of inherited ones and of earlier settings of the same names
     * @return the environment
     */
    public ChildEnvironment with(Map<String, String> variables) {
        Map<String, String> all = new LinkedHashMap<>(set);
        all.putAll(variables);
        return new ChildEnvironment(removed, all);
    }

    /**
     * What a child gets.
     *
     * @param inherited what this process has
     * @return by name
     */
    public SortedMap<String, String> of(Map<String, String> inherited) {
        SortedMap<String, String> environment = new TreeMap<>(inherited);
        environment.keySet().removeIf(removed);
        environment.putAll(set);
        return environment;
    }
}
