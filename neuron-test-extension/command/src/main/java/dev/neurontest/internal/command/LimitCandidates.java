package dev.neurontest.internal.command;

import dev.neurontest.internal.gate.Gate;
import java.util.Iterator;
import java.util.stream.Stream;

/** The values for the completion of {@code --limit} in a shell. */
final class LimitCandidates implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
        return Stream.of(Gate.values()).map(gate -> gate.key() + "=").iterator();
    }
}
