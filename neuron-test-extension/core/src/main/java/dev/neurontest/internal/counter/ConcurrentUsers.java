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
 * The other tests and processes on the devices during a measurement. A name with devices in it, such as {@code neuron0}, concerns
 * these devices. A name without a device may concern any of them.
 *
 * @param names names as shown in messages
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ConcurrentUsers(List<String> names) {

    public static final ConcurrentUsers NONE = new ConcurrentUsers(List.of());

    private static final Pattern DEVICE = Pattern.compile("\\bneuron\\d+\\b");

    private static final int NAMED = 4;

    /** Creates a list without duplicates. */
    public ConcurrentUsers {
        names = names.stream().distinct().toList();
    }

    /** Returns the users that may have used the devices of some places. */
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
        List<String> mentioned =
                DEVICE.matcher(name).results().map(MatchResult::group).toList();
        return mentioned.isEmpty() || mentioned.stream().anyMatch(devices::contains);
    }

    /**
     * Returns some names in one line, separated by semicolons because a name may contain commas.
     *
     * @return the first names, and the number of the others
     */
    public static String named(List<String> names) {
        String some = names.stream().limit(NAMED).collect(Collectors.joining("; "));
        return names.size() > NAMED ? some + " and " + (names.size() - NAMED) + " more" : some;
    }
}
