package dev.neurontest.internal.process;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/**
 * The environment of a child: inherited variables, removed variables, and set variables.
 *
 * @param removed selects the names that are not inherited
 * @param set the variables set in any case
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ChildEnvironment(Predicate<String> removed, Map<String, String> set) {

    /** An environment with all inherited variables and no others. */
    public static final ChildEnvironment INHERITED = new ChildEnvironment(name -> false, Map.of());

    /** Creates an environment with a copy of the variables. */
    public ChildEnvironment {
        set = Map.copyOf(set);
    }

    /**
     * Returns an environment with further removed variables.
     *
     * @param names selects further names that are not inherited
     */
    public ChildEnvironment without(Predicate<String> names) {
        return new ChildEnvironment(removed.or(names), set);
    }

    /**
     * Returns an environment with further set variables.
     *
     * @param variables the variables, which replace inherited and previously set ones of the same names
     */
    public ChildEnvironment with(Map<String, String> variables) {
        Map<String, String> all = new LinkedHashMap<>(set);
        all.putAll(variables);
        return new ChildEnvironment(removed, all);
    }

    /**
     * Returns the variables of a child.
     *
     * @param inherited the environment of this process
     */
    public SortedMap<String, String> of(Map<String, String> inherited) {
        SortedMap<String, String> environment = new TreeMap<>(inherited);
        environment.keySet().removeIf(removed);
        environment.putAll(set);
        return environment;
    }
}
