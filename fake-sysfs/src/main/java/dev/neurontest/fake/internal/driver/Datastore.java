package dev.neurontest.fake.internal.driver;

import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/** One entry of a device's datastore: the counts of one process on the device's cores. */
final class Datastore {

    private final AtomicLongArray values;
    private @Nullable RuntimeProcess owner;

    Datastore(int cores) {
        values = new AtomicLongArray(cores * ExecutionCounter.COUNT);
    }

    @Nullable
    RuntimeProcess owner() {
        return owner;
    }

    void give(@Nullable RuntimeProcess newOwner) {
        owner = newOwner;
    }

    long get(Core core, ExecutionCounter counter) {
        return values.get(at(core, counter));
    }

    void add(Core core, ExecutionCounter counter, long by) {
        values.getAndAdd(at(core, counter), by);
    }

    void clear(Core core, ExecutionCounter counter) {
        values.set(at(core, counter), 0);
    }

    private static int at(Core core, ExecutionCounter counter) {
        return core.index() * ExecutionCounter.COUNT + counter.ordinal();
    }
}
