package dev.neurontest.internal.counter.tree;

import java.util.Optional;

/**
 * The counters that were found at a place.
 *
 * @param directory the device or core, relative to the host's root
 * @param doubt why an error of this place could go unseen
 * @param byNames whether the names of its files tell all of it, so that a place with the same files has the same counters
 * @param entries the names in its directories
 * @param health the file that names the broken components of a device, relative to the device
 */
record FoundCounters(
        String directory,
        CounterLayout layout,
        Optional<String> doubt,
        boolean byNames,
        KnownEntries entries,
        Optional<String> health) {}
