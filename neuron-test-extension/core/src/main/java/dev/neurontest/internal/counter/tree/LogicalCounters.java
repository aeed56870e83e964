package dev.neurontest.internal.counter.tree;

import dev.neurontest.counter.CounterPlace;
import java.util.List;

/**
 * A logical core with the places of its counters.
 *
 * @param label name in messages
 * @param physicalCores places of its physical cores
 */
record LogicalCounters(String label, List<CounterPlace> physicalCores) {

    LogicalCounters {
        physicalCores = List.copyOf(physicalCores);
    }
}
