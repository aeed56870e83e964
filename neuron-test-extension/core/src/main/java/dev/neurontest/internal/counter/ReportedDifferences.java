package dev.neurontest.internal.counter;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.internal.counter.tree.CounterRow;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScope.Section;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;

/** Accumulated counter differences of the tests of a class, in constant memory. Safe for use by several threads. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ReportedDifferences {

    private final CounterScope scope;
    private final long[] moved;
    private final BitSet risingOnly = new BitSet();
    private final BitSet peaks = new BitSet();
    private final BitSet unreadable = new BitSet();
    private final Map<String, String> unhealthy = new HashMap<>();
    private final Set<String> entryChanges = new HashSet<>();
    private boolean anything;

    /**
     * Creates an empty accumulator.
     *
     * @param scope scope of the longer difference of the class
     */
    public ReportedDifferences(CounterScope scope) {
        this.scope = scope;
        this.moved = new long[scope.size()];
    }

    /**
     * Adds a difference.
     *
     * @param part a difference within the time of the longer one, possibly of other cores
     */
    public synchronized void add(CounterDiff part) {
        anything = true;
        part.healthChanges().forEach((device, change) -> unhealthy.put(device, change.after()));
        entryChanges.addAll(part.entryChanges());
        for (Section section : scope.sections()) {
            for (Section same : part.scope().sections()) {
                if (same.place().equals(section.place())) {
                    add(part, same, section);
                }
            }
        }
    }

    private void add(CounterDiff part, Section same, Section section) {
        for (CounterRow row : section.rows()) {
            CounterRow partRow = same.layout() == section.layout() ? row : same.row(row.path());
            if (partRow == null) {
                continue;
            }
            int main = position(section, row.main());
            int partMain = position(same, partRow.main());
            if (hasMoved(part, partMain, main)) {
                moved[main] += part.after().bits(partMain) - part.before().bits(partMain);
                risingOnly.set(main, row.kind().isMonotonic());
            }
            int peak = position(section, row.peak());
            if (hasMoved(part, position(same, partRow.peak()), peak)) {
                peaks.set(peak);
            }
        }
    }

    private boolean hasMoved(CounterDiff part, int partPosition, int position) {
        if (partPosition < 0 || position < 0) {
            return false;
        }
        if (!part.before().isRead(partPosition) || !part.after().isRead(partPosition)) {
            unreadable.set(position);
            return false;
        }
        return part.before().bits(partPosition) != part.after().bits(partPosition);
    }

    /** Subtracts the reported changes from the longer difference: its start values are moved forward. */
    public synchronized CounterDiff subtractFrom(CounterDiff whole) {
        if (!anything) {
            return whole;
        }
        long[] start = new long[moved.length];
        for (int position = 0; position < start.length; position++) {
            long end = whole.after().bits(position);
            start[position] = peaks.get(position) ? end : whole.before().bits(position) + moved[position];
            // Two parallel tests may have reported the same increase.
            if (risingOnly.get(position) && Long.compareUnsigned(start[position], end) > 0) {
                start[position] = end;
            }
        }
        SortedMap<String, String> health = new TreeMap<>(whole.before().state().unhealthy());
        health.replaceAll(unhealthy::getOrDefault);
        HostState state = new HostState(whole.before().state().identities(), health);
        return whole.with(
                new CounterSnapshot(scope, start, whole.before().failures(), state),
                (BitSet) unreadable.clone(),
                entryChanges);
    }

    private static int position(Section section, int offset) {
        return offset < 0 ? -1 : section.first() + offset;
    }
}
