package dev.neurontest.counter.tree;

import java.util.Optional;

/**
 * The counters that were found at a place.
 *
 * @param directory the device or core, relative to the host's root
 * @param doubt why an error of this place could go unseen
 */
record FoundCounters(String directory, CounterLayout layout, Optional<String> doubt) {

    FoundCounters sharing(CounterLayout equal) {
        return new FoundCounters(directory, equal, doubt);
    }
}
