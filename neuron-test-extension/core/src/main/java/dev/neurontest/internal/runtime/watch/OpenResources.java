package dev.neurontest.internal.runtime.watch;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.thread.Failures;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apiguardian.api.API;

/** The opened and not yet freed resources of a runtime, in the order in which they were opened. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OpenResources {

    /** The kinds of resources, in the order in which they must be freed. */
    public enum Kind {
        EXECUTION,
        MODEL,
        TENSOR
    }

    private final AtomicLong opened = new AtomicLong();
    private final NavigableMap<Long, Entry> open = new ConcurrentSkipListMap<>();

    private record Entry(long number, Kind kind, NeuronCore core, Handle handle, boolean owned, Trace opened) {}

    /** Registers an object until it is freed. An object owned by another one is not reported as a separate leak. */
    public Handle add(Kind kind, NeuronCore core, String what, long address, boolean owned, LongConsumer destructor) {
        long number = opened.incrementAndGet();
        Handle handle = new Handle(what, address, object -> {
            open.remove(number);
            destructor.accept(object);
        });
        open.put(number, new Entry(number, kind, core, handle, owned, owned ? Trace.NOWHERE : Trace.here()));
        return handle;
    }

    /** Returns the number of the last opened resource. */
    public long mark() {
        return opened.get();
    }

    public List<OpenResource> since(long mark, Consumer<Handle> closer) {
        return open.tailMap(mark, false).values().stream()
                .filter(entry -> !entry.owned())
                .map(entry -> new OpenResource(entry.core(), entry.handle(), entry.opened(), closer))
                .toList();
    }

    /** Frees everything. Each kind is freed after the kinds that use it, and the newest objects first. Failures are collected. */
    public List<RuntimeException> free() {
        return Failures.of(
                open.values().stream()
                        .sorted(Comparator.comparing(Entry::kind)
                                .thenComparing(Entry::number, Comparator.reverseOrder()))
                        .toList(),
                entry -> entry.handle().free());
    }
}
