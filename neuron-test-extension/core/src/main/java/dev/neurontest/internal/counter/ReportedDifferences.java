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

/**
 * What differences that lie within a longer one have reported, added up: ten thousand of them take as much room as one. Safe for use
 * by several threads.
 */
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
     * Nothing is reported yet.
     *
     * @param scope what the longer difference reads
     */
    public ReportedDifferences(CounterScope scope) {
        this.scope = scope;
        this.moved = new long[scope.size()];
    }

    /**
     * Adds a difference.
     *
     * @param part lies within the longer difference, and may be of other cores
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
            CounterRow its = same.layout() == section.layout() ? row : same.row(row.path());
            if (its == null) {
                continue;
            }
            int main = position(section, row.main());
            int itsMain = position(same, its.main());
            if (hasMoved(part, itsMain, main)) {
                moved[main] += part.after().bits(itsMain) - part.before().bits(itsMain);
                risingOnly.set(main, row.kind().isMonotonic());
            }
            int peak = position(section, row.peak());
            if (hasMoved(part, position(same, its.peak()), peak)) {
                peaks.set(peak);
            }
        }
    }

    private boolean hasMoved(CounterDiff part, int its, int position) {
        if (its < 0 || position < 0) {
            return false;
        }
        if (!part.before().isRead(its) || !part.after().isRead(its)) {
            unreadable.set(position);
            return false;
        }
        return part.before().bits(its) != part.after().bits(its);
    }

    /** The longer difference with its start moved forward by what has been reported. */
    public synchronized CounterDiff subtractFrom(CounterDiff whole) {
        if (!anything) {
            return whole;
        }
        long[] start = new long[moved.length];
        for (int position = 0; position < start.length; position++) {
            long end = whole.after().bits(position);
            start[position] = peaks.get(position) ? end : whole.before().bits(position) + moved[position];
            // Two that ran at the same time may have reported the same rise.
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
