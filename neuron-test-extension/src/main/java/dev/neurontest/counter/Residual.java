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
            if (its != null) {
                subtractTotal(
                        part,
                        position(same, its.main()),
                        position(section, row.main()),
                        row.kind().onlyRises());
                subtractPeak(part, position(same, its.peak()), position(section, row.peak()));
            }
        }
    }

    private void subtractTotal(CounterDiff part, int its, int position, boolean onlyRises) {
        if (isTold(part, its, position)) {
            start[position] += part.after().bits(its) - part.before().bits(its);
            // Two that ran at the same time may have told the same rise.
            if (onlyRises && Long.compareUnsigned(start[position], after.bits(position)) > 0) {
                start[position] = after.bits(position);
            }
        }
    }

    private void subtractPeak(CounterDiff part, int its, int position) {
        if (isTold(part, its, position)) {
            start[position] = after.bits(position);
        }
    }

    private boolean isTold(CounterDiff part, int its, int position) {
        if (its < 0 || position < 0) {
            return false;
        }
        if (!part.before().isRead(its) || !part.after().isRead(its)) {
            reported.set(position);
            return false;
        }
        return part.before().bits(its) != part.after().bits(its);
    }

    private static int position(Section section, int offset) {
        return offset < 0 ? -1 : section.first() + offset;
    }
}
