package dev.neurontest.counter;

import dev.neurontest.internal.counter.tree.CounterScope;
import java.util.List;
import java.util.stream.IntStream;

/** What a scope reads, so that other programs can be given the same. */
public final class CounterFiles {

    private CounterFiles() {}

    /** The files, relative to the host root, in the order in which a snapshot reads them. */
    public static List<String> of(CounterScope scope) {
        return IntStream.range(0, scope.size()).mapToObj(scope::file).toList();
    }
}
