package dev.neurontest.internal.counter;

import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterPlace;
import dev.neurontest.internal.counter.tree.CounterScope.Section;
import dev.neurontest.internal.counter.tree.CounterScope.Subject;
import dev.neurontest.internal.device.CounterKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * A suspicion that the hardware of a core is broken, based on its counters. No test should use such a core.
 *
 * @param core the logical core as shown in messages
 * @param counters the counters that increased, below {@code stats}
 * @param reason the counters that increased, with their differences
 * @param attributed true if at least one counter can only have increased on this lease; false if each counter belongs to the
 *     whole device with another process on it, or to a core that might not be the leased one
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HardwareSuspicion(String core, SortedSet<String> counters, String reason, boolean attributed) {

    /** Creates a suspicion with a copy of the counters. */
    public HardwareSuspicion {
        counters = Collections.unmodifiableSortedSet(new TreeSet<>(counters));
    }

    public static Optional<HardwareSuspicion> of(Subject core, CounterDiff diff) {
        List<CounterChange> errors = new ArrayList<>();
        for (CounterChange change : diff.moved()) {
            if (CounterKind.isHardwareError(change.path())
                    && change.delta().signum() > 0
                    && concerns(core, change.counters().get(0).place())) {
                errors.add(change);
            }
        }
        if (errors.isEmpty()) {
            return Optional.empty();
        }
        String reason = errors.stream().map(change -> describe(change, diff)).collect(Collectors.joining(", "));
        return Optional.of(new HardwareSuspicion(
                core.label(),
                errors.stream().map(CounterChange::path).collect(Collectors.toCollection(TreeSet::new)),
                reason,
                !errors.stream().allMatch(change -> diff.isShared(change) || isInDoubt(change, diff))));
    }

    private static boolean isInDoubt(CounterChange change, CounterDiff diff) {
        return diff.scope().coreDoubt() != null
                && change.counters().get(0).place().core().isPresent();
    }

    private static String describe(CounterChange change, CounterDiff diff) {
        String shared =
                diff.isShared(change) ? " (also there: " + ConcurrentUsers.named(diff.neighbours(change)) + ")" : "";
        return change.subject() + " " + CounterText.moved(change) + shared;
    }

    /** Returns whether an error at a place concerns a core. Errors of a device concern all its cores. */
    private static boolean concerns(Subject core, CounterPlace place) {
        return core.sections().stream()
                .map(Section::place)
                .anyMatch(own -> own.equals(place) || place.core().isEmpty() && own.device() == place.device());
    }
}
