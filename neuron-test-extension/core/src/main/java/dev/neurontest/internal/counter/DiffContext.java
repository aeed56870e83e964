package dev.neurontest.internal.counter;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The circumstances of a difference between two snapshots.
 *
 * @param settlement whether the counters were quiet at the last reading
 * @param holders the processes that have a device open, by its number
 * @param neighbours who else was on the devices
 * @param restart the evidence that the counters of the host began anew
 * @param entryChanges which files and cores appeared or are gone
 * @param unseenReferences how many more references the module has than before, where no process is visible that holds them
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

    public DiffContext with(List<String> changes, long references) {
        return new DiffContext(settlement, holders, neighbours, restart, changes, references);
    }
}
