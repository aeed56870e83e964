package dev.neurontest.internal.counter;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The state of a host at one time, apart from its counters.
 *
 * @param identities identity of the directories of the kernel module and of the devices, by path; a directory that is replaced
 *     has another identity
 * @param unhealthy content of {@code unhealthy_components}, by device such as {@code neuron0}; empty for a healthy device, no
 *     entry for a device without a report
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HostState(SortedMap<String, String> identities, SortedMap<String, String> unhealthy) {

    public static final HostState UNKNOWN = new HostState(new TreeMap<>(), new TreeMap<>());

    /** Creates a state with copies of the maps. */
    public HostState {
        identities = Collections.unmodifiableSortedMap(new TreeMap<>(identities));
        unhealthy = Collections.unmodifiableSortedMap(new TreeMap<>(unhealthy));
    }

    /** Returns the directories that were replaced, among those in both states. */
    public SortedMap<String, String> replacedIn(HostState later) {
        SortedMap<String, String> replaced = new TreeMap<>();
        for (Map.Entry<String, String> entry : identities.entrySet()) {
            String laterIdentity = later.identities.get(entry.getKey());
            if (laterIdentity != null && !laterIdentity.equals(entry.getValue())) {
                replaced.put(entry.getKey(), laterIdentity);
            }
        }
        return replaced;
    }
}
