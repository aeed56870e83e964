package dev.neurontest.internal.counter;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;

/**
 * The circumstances of a difference between two snapshots.
 *
 * @param settlement result of the wait for counters to settle
 * @param holders the processes that have a device open, by device number
 * @param neighbours the other users of the devices
 * @param restart evidence that the counters of the host were reset
 * @param entryChanges the files and cores that appeared or disappeared
 * @param unseenReferences number of additional references to the kernel module without a visible process
 */
@API(status = API.Status.INTERNAL)
public record DiffContext(
        SettleResult settlement,
        Map<Integer, List<String>> holders,
        ConcurrentUsers neighbours,
        Optional<String> restart,
        List<String> entryChanges,
        long unseenReferences) {

    public static DiffContext of(
            SettleResult settlement, Map<Integer, List<String>> holders, ConcurrentUsers neighbours) {
        return new DiffContext(settlement, holders, neighbours, Optional.empty(), List.of(), 0);
    }

    public DiffContext restarted(Optional<String> evidence) {
        return new DiffContext(settlement, holders, neighbours, evidence, entryChanges, unseenReferences);
    }

    /** Returns the same circumstances with other names of the processes. */
    public DiffContext named(UnaryOperator<String> name) {
        Map<Integer, List<String>> named = new TreeMap<>();
        for (Map.Entry<Integer, List<String>> device : holders.entrySet()) {
            named.put(device.getKey(), device.getValue().stream().map(name).toList());
        }
        return new DiffContext(settlement, named, neighbours, restart, entryChanges, unseenReferences);
    }

    public DiffContext with(List<String> changes, long references) {
        return new DiffContext(settlement, holders, neighbours, restart, changes, references);
    }
}
