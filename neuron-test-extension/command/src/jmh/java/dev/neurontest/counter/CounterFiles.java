package dev.neurontest.counter;

import dev.neurontest.internal.counter.tree.CounterScope;
import java.util.List;
import java.util.stream.IntStream;

/** The files of a scope, for other programs that read the same. */
public final class CounterFiles {

    private CounterFiles() {}

    /** Returns the files relative to the host root, in the order of a snapshot. */
    public static List<String> of(CounterScope scope) {
        return IntStream.range(0, scope.size()).mapToObj(scope::file).toList();
    }
}
