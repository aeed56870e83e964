package dev.neurontest.internal.print.stream;

import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.internal.runtime.stream.DebugStream;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintOrigin;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Set;

/** The events of one test. They are checked and appended to its log on arrival, and decoded lazily. Thread-safe. */
final class EventStore implements PrintFeed {

    private final PrintOrigin origin;
    private final PrintLog log;
    private final ElementWidths widths = new ElementWidths();
    private final ByteBuffer fixed = ByteBuffer.allocate(PrintLayout.DATA).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer head =
            ByteBuffer.allocate(LoggedEvent.LONGEST_HEAD).order(ByteOrder.LITTLE_ENDIAN);
    private final Places prints = new Places();
    private final Places odd = new Places();
    private final Set<PrintDoubt> doubts = new LinkedHashSet<>();
    private final long begun = LoggedEvent.nanos(Instant.now()) - System.nanoTime();
    private long arrived;
    private long lostEvents;
    private long lostBytes;
    private long longer;

    /** Positions of events in the log. */
    private static final class Places {

        private long[] places = new long[64];
        private int size;

        private void add(long place) {
            if (size == places.length) {
                places = Arrays.copyOf(places, 2 * size);
            }
            places[size++] = place;
        }
    }

    /** Decoder of an event. */
    private interface Decoder<E> {
        E decode(LoggedEvent event) throws IOException;
    }

    EventStore(PrintOrigin origin, PrintLog log) {
        this.origin = origin;
        this.log = log;
    }

    /**
     * Reads the events that the JVM of a test has left.
     *
     * @throws IOException when the log cannot be read
     */
    static EventStore of(PrintLog log) throws IOException {
        EventStore store = new EventStore(PrintOrigin.LEFT, log);
        long place = PrintLog.HEAD;
        for (LoggedEvent event = LoggedEvent.read(log, place);
                event != null
                        && event.order() == store.prints.size + store.odd.size
                        && event.isPrint() == (event.fault(log, store.widths) == null);
                event = LoggedEvent.read(log, place)) {
            (event.isPrint() ? store.prints : store.odd).add(place);
            place = event.end();
        }
        store.doubt(new PrintDoubt(
                PrintDoubt.Kind.UNSETTLED,
                "The JVM ended while the test ran: only the events that it had read (%s) are included%s. Later events are lost."
                        .formatted(
                                store.prints.size + store.odd.size,
                                place == log.size()
                                        ? ""
                                        : ", without a truncated event: the last %s bytes of the file are not a complete event"
                                                .formatted(log.size() - place))));
        return store;
    }

    /**
     * Appends an event.
     *
     * @param core core of the stream
     * @throws IOException when the event cannot be read
     */
    synchronized void add(PrintEventSource event, int core) throws IOException {
        arrived++;
        // An unreadable event gets no number.
        long order = prints.size + odd.size;
        long available = Math.min(unsigned(event.size()), event.available());
        int start = (int) Math.min(available, PrintLayout.DATA);
        event.copy(0, fixed.array(), 0, start);
        boolean isPrint = PrintLayout.fault(event.type(), event.size(), available, fixed, widths) == null;
        LoggedEvent logged =
                LoggedEvent.of(order, begun + System.nanoTime(), event, available, core, isPrint ? fixed : null);
        long place = logged.append(log, head, event, fixed);
        if (place < 0) {
            lostEvents++;
            lostBytes += available;
            return;
        }
        (isPrint ? prints : odd).add(place);
        if (isPrint && PrintLayout.dataSize(fixed) < available - PrintLayout.DATA) {
            longer++;
        }
    }

    private static long unsigned(long size) {
        return size < 0 ? Long.MAX_VALUE : size;
    }

    @Override
    public void settle() {}

    /** Writes the events so far to the operating system. */
    void flush() {
        log.flush();
    }

    /** Returns the number of events that have arrived, including lost ones. */
    synchronized long arrived() {
        return arrived;
    }

    @Override
    public synchronized List<DevicePrint> prints() {
        return new Snapshot<>(prints, event -> event.print(log, origin));
    }

    @Override
    public synchronized List<OddEvent> oddEvents() {
        return new Snapshot<>(odd, event -> event.odd(log, origin));
    }

    /** Adds a reason why events may be missing. */
    synchronized void doubt(PrintDoubt doubt) {
        doubts.add(doubt);
    }

    /**
     * Creates a doubt about a run of events as long as the capacity of their ring.
     *
     * @param stream description of the stream for the beginning of a sentence
     * @param run number of consecutive events without an empty stream between them
     * @param capacity capacity of the ring; 0 when unknown
     */
    static PrintDoubt full(String stream, long run, long capacity) {
        return new PrintDoubt(
                PrintDoubt.Kind.FULL,
                capacity > 0
                        ? "%s returned %s without being empty once, and holds %s (%s). It may have been full, and a full stream drops events silently. Print less at once, or set that variable to a larger power of two."
                                .formatted(stream, CountText.of(run, "event"), capacity, DebugStream.CAPACITY_VARIABLE)
                        : "%s returned %s, and its capacity is unknown. It may have been full, and a full stream drops events silently. Set %s to a power of two."
                                .formatted(stream, CountText.of(run, "event"), DebugStream.CAPACITY_VARIABLE));
    }

    @Override
    public synchronized List<PrintDoubt> doubts() {
        List<PrintDoubt> all = new ArrayList<>(doubts);
        if (lostEvents > 0) {
            all.add(new PrintDoubt(
                    PrintDoubt.Kind.LOST,
                    "%s with %s bytes arrived, but could not be written to the file of the test's prints (%s). Print less, or free disk space."
                            .formatted(CountText.of(lostEvents, "event"), lostBytes, log.fault())));
        }
        return all;
    }

    @Override
    public synchronized List<String> notices() {
        return longer == 0
                ? List.of()
                : List.of("%s more bytes than %s; the extra bytes are omitted."
                        .formatted(
                                CountText.of(longer, "print") + (longer == 1 ? " has" : " have"),
                                longer == 1 ? "its tensor" : "their tensors"));
    }

    /** The events that had arrived when the snapshot was created. */
    private final class Snapshot<E> extends AbstractList<E> implements RandomAccess {

        private final Places places;
        private final int size;
        private final Decoder<E> decoder;

        private Snapshot(Places places, Decoder<E> decoder) {
            this.places = places;
            this.size = places.size;
            this.decoder = decoder;
        }

        @Override
        public E get(int index) {
            Objects.checkIndex(index, size);
            long place;
            synchronized (EventStore.this) {
                place = places.places[index];
            }
            try {
                LoggedEvent event = LoggedEvent.read(log, place);
                if (event == null) {
                    throw new EOFException("the file was truncated");
                }
                return decoder.decode(event);
            } catch (IOException e) {
                throw new UncheckedIOException("A device print cannot be read: " + e.getMessage(), e);
            }
        }

        @Override
        public int size() {
            return size;
        }
    }
}
