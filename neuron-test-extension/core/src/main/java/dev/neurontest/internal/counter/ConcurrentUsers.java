package dev.neurontest.internal.counter;

import dev.neurontest.counter.CounterPlace;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The other tests and processes that were on the devices meanwhile. A name with devices in it, such as {@code neuron0}, was on
 * these devices; a name without may have been on any.
 *
 * @param names as messages name them
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ConcurrentUsers(List<String> names) {

    public static final ConcurrentUsers NONE = new ConcurrentUsers(List.of());

    private static final Pattern DEVICE = Pattern.compile("\\bneuron\\d+\\b");

    private static final int NAMED = 4;

    /**
     * Keeps each once.
     *
     * @param names of those who were there
     */
    public ConcurrentUsers {
        names = names.stream().distinct().toList();
    }

    /**
     * Those that may have been on the devices of some places.
     *
     * @param places of counters
     * @return their names
     */
    public List<String> on(Collection<CounterPlace> places) {
        if (names.isEmpty()) {
            return List.of();
        }
        Set<String> devices = places.stream()
                .map(place -> CounterPlace.ofDevice(place.device()).toString())
                .collect(Collectors.toSet());
        return names.stream().filter(name -> mayBeOn(devices, name)).toList();
    }

    private static boolean mayBeOn(Set<String> devices, String name) {
        List<String> its =
                DEVICE.matcher(name).results().map(MatchResult::group).toList();
        return its.isEmpty() || its.stream().anyMatch(devices::contains);
    }

    /**
     * Some names in one line; these may have commas in them.
     *
     * @param names of those who were there
     * @return the first of them, and how many more
     */
    public static String named(List<String> names) {
        String some = names.stream().limit(NAMED).collect(Collectors.joining("; "));
        return names.size() > NAMED ? some + " and " + (names.size() - NAMED) + " more" : some;
    }
}
