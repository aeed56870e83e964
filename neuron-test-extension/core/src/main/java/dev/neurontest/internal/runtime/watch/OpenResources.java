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

/** What was opened in a runtime and is not freed, in the order in which it was opened. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OpenResources {

    /** In the order in which the runtime wants them freed. */
    public enum Kind {
        EXECUTION,
        MODEL,
        TENSOR
    }

    private final AtomicLong opened = new AtomicLong();
    private final NavigableMap<Long, Entry> open = new ConcurrentSkipListMap<>();

    private record Entry(long number, Kind kind, NeuronCore core, Handle handle, boolean owned, Trace opened) {}

    /** Remembers an object until it is freed. What is owned by another one is no leak of its own. */
    public Handle add(Kind kind, NeuronCore core, String what, long address, boolean owned, LongConsumer destructor) {
        long number = opened.incrementAndGet();
        Handle handle = new Handle(what, address, object -> {
            open.remove(number);
            destructor.accept(object);
        });
        open.put(number, new Entry(number, kind, core, handle, owned, owned ? Trace.NOWHERE : Trace.here()));
        return handle;
    }

    /** The number of what was opened last. */
    public long mark() {
        return opened.get();
    }

    public List<OpenResource> since(long mark, Consumer<Handle> closer) {
        return open.tailMap(mark, false).values().stream()
                .filter(entry -> !entry.owned())
                .map(entry -> new OpenResource(entry.core(), entry.handle(), entry.opened(), closer))
                .toList();
    }

    /** Frees everything, each kind after those that use it, the newest first; what fails is collected. */
    public List<RuntimeException> free() {
        return Failures.of(
                open.values().stream()
                        .sorted(Comparator.comparing(Entry::kind)
                                .thenComparing(Entry::number, Comparator.reverseOrder()))
                        .toList(),
                entry -> entry.handle().free());
    }
}
