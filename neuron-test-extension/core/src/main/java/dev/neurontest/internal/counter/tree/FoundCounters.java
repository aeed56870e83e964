package dev.neurontest.internal.counter.tree;

import dev.neurontest.internal.host.HostTree;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The counters found at a place.
 *
 * @param directory directory of the device or core, relative to the host's root
 * @param errors its error counters
 * @param doubt reason why an error of this place could be missed
 * @param byNames true if the result depends only on file names; a place with the same files then has the same counters
 * @param entries names in its directories
 * @param health file with the names of the broken components of a device, relative to the device
 */
record FoundCounters(
        String directory,
        CounterLayout layout,
        CounterLayout errors,
        Optional<String> doubt,
        boolean byNames,
        KnownEntries entries,
        Optional<String> health) {

    /** Returns only the error counters. */
    FoundCounters errorsOnly() {
        return new FoundCounters(directory, errors, errors, doubt, byNames, entries, health);
    }

    /**
     * Returns the same counters of another place of this kind, if the names in its directories with error counters are the same. A file
     * elsewhere that only this place has would be missing; a file that it has not cannot be read.
     *
     * @param directory directory of the other place
     * @return null if a name differs, or a directory cannot be listed
     */
    @Nullable
    FoundCounters alsoAt(HostTree tree, String directory) {
        KnownEntries there = entries.at(directory);
        return there.changes(tree).isEmpty()
                ? new FoundCounters(directory, layout, errors, doubt, byNames, there, health)
                : null;
    }
}
