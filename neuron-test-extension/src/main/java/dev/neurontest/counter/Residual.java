package dev.neurontest.counter;

import dev.neurontest.counter.CounterScope.Section;
import dev.neurontest.host.NeuronSysfsException;
import java.util.BitSet;
import java.util.Collection;
import java.util.Map;

/** Moves the start of a difference forward by what other differences within it have told. */
final class Residual {

    private final CounterSnapshot before;
    private final CounterSnapshot after;
    private final long[] start;
    private final BitSet reported = new BitSet();

    Residual(CounterSnapshot before, CounterSnapshot after, Collection<CounterDiff> told) {
        this.before = before;
        this.after = after;
        CounterScope scope = before.scope();
        this.start = new long[scope.size()];
        for (int position = 0; position < start.length; position++) {
            start[position] = before.bits(position);
        }
        told.forEach(this::subtract);
    }

    CounterDiff applyTo(CounterDiff whole) {
        Map<Integer, NeuronSysfsException> failures = before.failures();
        return whole.with(new CounterSnapshot(before.scope(), start, failures), reported);
    }

    private void subtract(CounterDiff part) {
        for (Section section : before.scope().sections()) {
            for (Section same : part.scope().sections()) {
                if (same.place().equals(section.place())) {
                    subtract(part, same, section);
                }
            }
        }
    }

    private void subtract(CounterDiff part, Section same, Section section) {
        for (CounterRow row : section.layout().rows()) {
            CounterRow its = same.layout() == section.layout() ? row : same.row(row.path());
            if (its == null) {
                continue;
            }
            subtract(part, row.kind(), same.first(), its.main(), section.first(), row.main(), false);
            subtract(part, row.kind(), same.first(), its.peak(), section.first(), row.peak(), true);
        }
    }

    private void subtract(
            CounterDiff part, CounterKind kind, int itsFirst, int itsOffset, int first, int offset, boolean peak) {
        if (itsOffset < 0 || offset < 0) {
            return;
        }
        int its = itsFirst + itsOffset;
        int position = first + offset;
        if (!part.before().isRead(its) || !part.after().isRead(its)) {
            reported.set(position);
            return;
        }
        long from = part.before().bits(its);
        long to = part.after().bits(its);
        if (from == to) {
            return;
        }
        Movement movement = peak ? Movement.ofPeak(from, to) : Movement.of(kind, from, to);
        if (peak || movement == Movement.CLEARED || movement == Movement.WRAPPED) {
            start[position] = after.bits(position);
        } else {
            start[position] += to - from;
            if (kind.onlyRises() && Long.compareUnsigned(start[position], after.bits(position)) > 0) {
                start[position] = after.bits(position);
            }
        }
    }
}
