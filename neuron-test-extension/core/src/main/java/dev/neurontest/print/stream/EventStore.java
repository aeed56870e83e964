package dev.neurontest.print.stream;

import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintOrigin;
import dev.neurontest.runtime.stream.DebugStream;
import dev.neurontest.tensor.TensorBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The events of one test as they come: checked, put aside, and made objects when a caller asks for them. For several threads.
 */
final class EventStore {

    private static final long NANOS_OF_A_MILLI = 1_000_000;

    private final PrintOrigin origin;
    private final EventBytes bytes;
    private final @Nullable LastEvents last;
    private final ElementWidths widths = new ElementWidths();
    private final EventIndex prints = new EventIndex();
    private final List<OddEvent> odd = new ArrayList<>();
    private final Set<PrintDoubt> doubts = new LinkedHashSet<>();
    private final Instant begun = Instant.now();
    private final long begunMillis = begun.toEpochMilli();
    private final long begunNanos = System.nanoTime();
    private long arrived;
    private long lostEvents;
    private long lostBytes;
    private long longer;

    EventStore(PrintOrigin origin, long memory, int largest, Supplier<Path> folder) {
        this(origin, memory, largest, folder, null);
    }

    /**
     * Nothing yet.
     *
     * @param origin by which way its events come
     * @param memory bytes that may be on the heap
     * @param largest bytes of an event that may
     * @param folder for the file, asked when it is needed
     * @param last gets a copy of what is needed when this process is killed; null when nothing is
     */
    EventStore(
            PrintOrigin origin, long memory, int largest, Supplier<Path> folder, LastPrints.@Nullable Recorder last) {
        this.origin = origin;
        this.bytes = new EventBytes(memory, largest, folder);
        this.last = last == null ? null : new LastEvents(last, bytes);
    }

    /**
     * Takes an event over.
     *
     * @param core whose stream it comes from
     * @throws IOException when it cannot be read
     */
    synchronized void add(EventSource event, int core) throws IOException {
        long promised = event.size();
        long type = event.type();
        long there = Math.min(unsigned(promised), event.available());
        long order = arrived++;
        long now = System.nanoTime() - begunNanos;
        long place = bytes.put(event, there);
        if (place < 0) {
            lostEvents++;
            lostBytes += there;
            return;
        }
        if (last != null) {
            last.came(order, begunMillis + now / NANOS_OF_A_MILLI, core, type, promised, there, place);
        }
        String fault = fault(type, promised, there, place);
        if (fault == null) {
            prints.add(place, order, now, core);
        } else {
            odd.add(new OddEvent(
                    order,
                    begun.plusNanos(now),
                    origin,
                    core,
                    type,
                    fault,
                    prefix(type, there, place),
                    TensorBytes.of(event.header()),
                    bytes.view(place, 0, there)));
        }
    }

    private Optional<String> prefix(long type, long there, long place) {
        return type == DevicePrint.EVENT_TYPE && there >= PrintLayout.PREFIX_SIZE
                ? Optional.of(PrintLayout.prefix(bytes.buffer(place), EventBytes.at(place)))
                : Optional.empty();
    }

    /** What has come so far is all for a while: a copy of the last events is up to date after this. */
    synchronized void flush() {
        if (last != null) {
            last.flush();
        }
    }

    private static long unsigned(long size) {
        return size < 0 ? Long.MAX_VALUE : size;
    }

    private @Nullable String fault(long type, long promised, long there, long place) {
        if (type != DevicePrint.EVENT_TYPE) {
            return "events of type %s are not known".formatted(type);
        }
        if (promised != there) {
            return "the header promises %s bytes, and there are %s".formatted(Long.toUnsignedString(promised), there);
        }
        if (there < PrintLayout.DATA) {
            return "%s bytes are less than the %s that every print has".formatted(there, PrintLayout.DATA);
        }
        ByteBuffer payload = bytes.buffer(place);
        int at = EventBytes.at(place);
        String fault = PrintLayout.fault(payload, at, there, widths);
        if (fault == null && PrintLayout.dataSize(payload, at) < there - PrintLayout.DATA) {
            longer++;
        }
        return fault;
    }

    /** How many events have come, also such as are lost. */
    synchronized long arrived() {
        return arrived;
    }

    synchronized long onHeap() {
        return bytes.onHeap();
    }

    synchronized List<DevicePrint> prints() {
        return new Snapshot(prints.size());
    }

    synchronized List<OddEvent> oddEvents() {
        return List.copyOf(odd);
    }

    /** Why there may have been more events than are here. */
    synchronized void doubt(PrintDoubt doubt) {
        doubts.add(doubt);
    }

    /**
     * A run of events that is as long as the ring that they come from.
     *
     * @param stream what it is, at the beginning of a sentence
     * @param run events that came one after the other, without an empty stream between them
     * @param capacity how many the ring holds; 0 when that is not known
     */
    static PrintDoubt full(String stream, long run, long capacity) {
        return new PrintDoubt(
                PrintDoubt.Kind.FULL,
                capacity > 0
                        ? "%s gave %s events without being empty once, and holds %s (%s): it may have been full, and it drops events then without a sign. Print less at once, or set that to a larger power of two."
                                .formatted(stream, run, capacity, DebugStream.CAPACITY_VARIABLE)
                        : "%s gave %s events, and how many it holds is not known: it may have been full, and it drops events then without a sign. Set %s to a power of two."
                                .formatted(stream, run, DebugStream.CAPACITY_VARIABLE));
    }

    synchronized List<PrintDoubt> doubts() {
        List<PrintDoubt> all = new ArrayList<>(doubts);
        if (lostEvents > 0) {
            all.add(new PrintDoubt(
                    PrintDoubt.Kind.LOST,
                    ("%s events with %s bytes came and could not be kept: %s bytes are in memory, which is as much as may be, "
                                    + "and the file for more of them could not be written (%s). Print less, make room, or give prints more memory.")
                            .formatted(lostEvents, lostBytes, bytes.onHeap(), bytes.fileFault())));
        }
        return all;
    }

    /** What is odd about prints that are good nevertheless. */
    synchronized List<String> notices() {
        return longer == 0
                ? List.of()
                : List.of("%s prints have more bytes than their tensor; these are left out.".formatted(longer));
    }

    private synchronized DevicePrint print(int index) {
        long place = prints.place(index);
        ByteBuffer payload = bytes.buffer(place);
        int at = EventBytes.at(place);
        return PrintLayout.decode(
                prints.order(index),
                begun.plusNanos(prints.arrived(index)),
                origin,
                prints.core(index),
                payload,
                at,
                bytes.view(place, PrintLayout.DATA, PrintLayout.dataSize(payload, at)),
                bytes.view(place, PrintLayout.RESERVED, PrintLayout.RESERVED_SIZE));
    }

    /** Those that had come when it was made. */
    private final class Snapshot extends AbstractList<DevicePrint> implements RandomAccess {

        private final int size;

        private Snapshot(int size) {
            this.size = size;
        }

        @Override
        public DevicePrint get(int index) {
            Objects.checkIndex(index, size);
            return print(index);
        }

        @Override
        public int size() {
            return size;
        }
    }
}
