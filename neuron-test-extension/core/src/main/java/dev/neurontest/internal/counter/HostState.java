package dev.neurontest.internal.counter;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The state of a host at one moment, apart from its counters.
 *
 * @param identities what tells the module's directory and those of the devices from others that take their places, by path
 * @param unhealthy what {@code unhealthy_components} holds, by device such as {@code neuron0}; empty for a device that is well,
 *     no entry for one without a report
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HostState(SortedMap<String, String> identities, SortedMap<String, String> unhealthy) {

    public static final HostState UNKNOWN = new HostState(new TreeMap<>(), new TreeMap<>());

    /**
     * Creates a state with copies of its own.
     *
     * @param identities by path
     * @param unhealthy by device
     */
    public HostState {
        identities = Collections.unmodifiableSortedMap(new TreeMap<>(identities));
        unhealthy = Collections.unmodifiableSortedMap(new TreeMap<>(unhealthy));
    }

    /** Returns the directories that are others than before, among those that both states know. */
    public SortedMap<String, String> replacedIn(HostState later) {
        SortedMap<String, String> replaced = new TreeMap<>();
        for (Map.Entry<String, String> known : identities.entrySet()) {
            String now = later.identities.get(known.getKey());
            if (now != null && !now.equals(known.getValue())) {
                replaced.put(known.getKey(), now);
            }
        }
        return replaced;
    }
}
