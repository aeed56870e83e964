package dev.neurontest.command;

import java.util.Iterator;
import java.util.List;

/** The values that a shell completes {@code --run} with. */
final class RunCandidates implements Iterable<String> {

    /** Creates them for picocli. */
    RunCandidates() {}

    @Override
    public Iterator<String> iterator() {
        return List.of("newest", "all").iterator();
    }
}
