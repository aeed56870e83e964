package dev.neurontest.fake.internal.driver;

import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a device's datastore, with the execution counts of each core. It has one owner at a time. From driver 2.30.2 on, it keeps the
 * counts of earlier owners.
 */
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
        return values.get(index(core, counter));
    }

    void add(Core core, ExecutionCounter counter, long by) {
        values.getAndAdd(index(core, counter), by);
    }

    void clear(Core core, ExecutionCounter counter) {
        values.set(index(core, counter), 0);
    }

    private static int index(Core core, ExecutionCounter counter) {
        return core.index() * ExecutionCounter.COUNT + counter.ordinal();
    }
}
