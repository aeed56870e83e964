package dev.neurontest.print.stream;

import java.util.Arrays;

/** What is known of each print beside its bytes: a few numbers in columns, since there may be hundreds of thousands. Not for several threads. */
final class EventIndex {

    private static final int FIRST = 64;

    private int size;
    private long[] place = new long[FIRST];
    private long[] order = new long[FIRST];
    private long[] arrived = new long[FIRST];
    private int[] core = new int[FIRST];

    int size() {
        return size;
    }

    void add(long newPlace, long newOrder, long newArrived, int newCore) {
        if (size == place.length) {
            int larger = size * 2;
            place = Arrays.copyOf(place, larger);
            order = Arrays.copyOf(order, larger);
            arrived = Arrays.copyOf(arrived, larger);
            core = Arrays.copyOf(core, larger);
        }
        place[size] = newPlace;
        order[size] = newOrder;
        arrived[size] = newArrived;
        core[size] = newCore;
        size++;
    }

    long place(int index) {
        return place[index];
    }

    long order(int index) {
        return order[index];
    }

    /** Nanoseconds. */
    long arrived(int index) {
        return arrived[index];
    }

    int core(int index) {
        return core[index];
    }
}
