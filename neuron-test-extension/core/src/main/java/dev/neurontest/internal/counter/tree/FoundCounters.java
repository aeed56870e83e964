package dev.neurontest.internal.counter.tree;

import java.util.Optional;

/**
 * The counters found at a place.
 *
 * @param directory directory of the device or core, relative to the host's root
 * @param doubt reason why an error of this place could be missed
 * @param byNames true if the result depends only on file names; a place with the same files then has the same counters
 * @param entries names in its directories
 * @param health file with the names of the broken components of a device, relative to the device
 */
record FoundCounters(
        String directory,
        CounterLayout layout,
        Optional<String> doubt,
        boolean byNames,
        KnownEntries entries,
        Optional<String> health) {}
