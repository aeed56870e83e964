package dev.neurontest.print.stream;

/**
 * The last events of a test on their way to {@link LastPrints}. What comes alone goes there at once. Of a burst that is read in one go
 * only the end would stay there: it goes at the end of the batch, which is half a millisecond later, so that reading does not fall
 * behind. Not for several threads.
 */
final class LastEvents {

    private static final int SIZE = LastPrints.EVENTS;

    private final LastPrints.Recorder recorder;
    private final EventBytes bytes;
    private final long[] orders = new long[SIZE];
    private final long[] arrivals = new long[SIZE];
    private final int[] cores = new int[SIZE];
    private final long[] types = new long[SIZE];
    private final long[] promised = new long[SIZE];
    private final long[] there = new long[SIZE];
    private final long[] places = new long[SIZE];
    private long count;
    private long sinceFlush;

    /**
     * Nothing yet.
     *
     * @param bytes where payloads are
     */
    LastEvents(LastPrints.Recorder recorder, EventBytes bytes) {
        this.recorder = recorder;
        this.bytes = bytes;
    }

    /** An event is here. */
    void came(long order, long arrived, int core, long type, long size, long available, long place) {
        int at = (int) (count++ % SIZE);
        orders[at] = order;
        arrivals[at] = arrived;
        cores[at] = core;
        types[at] = type;
        promised[at] = size;
        there[at] = available;
        places[at] = place;
        if (sinceFlush++ < SIZE) {
            keep(at);
        }
    }

    /** A batch is over. */
    void flush() {
        for (long left = Math.min(SIZE, sinceFlush - SIZE); left > 0; left--) {
            keep((int) ((count - left) % SIZE));
        }
        sinceFlush = 0;
    }

    private void keep(int at) {
        recorder.keep(
                orders[at],
                arrivals[at],
                cores[at],
                types[at],
                promised[at],
                there[at],
                bytes.buffer(places[at]),
                EventBytes.at(places[at]));
    }
}
