package dev.neurontest.internal.counter.tree;

import dev.neurontest.counter.CounterPlace;
import java.util.List;

/**
 * A logical core, as far as its counters go.
 *
 * @param label how messages name it
 * @param physicalCores the places whose counters are its own
 */
record LogicalCounters(String label, List<CounterPlace> physicalCores) {

    LogicalCounters {
        physicalCores = List.copyOf(physicalCores);
    }
}
