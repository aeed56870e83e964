package dev.neurontest.fake.internal.profiler.view;

import dev.neurontest.fake.internal.profiler.ntff.Protobuf;
import java.util.HashMap;
import java.util.Map;

/** Builder of a trace for Perfetto: named tracks with slices. */
final class Perfetto {

    private static final String[] ENGINES = {"tensor", "vector", "scalar", "gpsimd", "sync"};

    private static final int PACKET = 1;
    private static final int TIMESTAMP = 8;
    private static final int SEQUENCE = 10;
    private static final int EVENT = 11;
    private static final int TRACK = 60;
    private static final int SLICE_BEGIN = 1;
    private static final int SLICE_END = 2;

    private final Protobuf trace = new Protobuf();
    private final Map<String, Long> tracks = new HashMap<>();

    /** Returns a small trace: a track for each engine with a single slice. */
    static byte[] trace(Summary summary) {
        Perfetto perfetto = new Perfetto();
        for (String engine : ENGINES) {
            perfetto.add(engine, engine, 0, Math.round(summary.number(engine + "_engine_active_time") * 1e9));
        }
        return perfetto.toBytes();
    }

    /** Adds a slice, with times in nanoseconds, and its track if that is new. */
    void add(String track, String name, long start, long end) {
        long number = tracks.computeIfAbsent(track, none -> {
            long next = tracks.size() + 1L;
            Protobuf description = new Protobuf().number(1, next).text(2, track);
            trace.message(PACKET, new Protobuf().message(TRACK, description));
            return next;
        });
        trace.message(PACKET, event(start, SLICE_BEGIN, number, name));
        trace.message(PACKET, event(end, SLICE_END, number, name));
    }

    byte[] toBytes() {
        return trace.toBytes();
    }

    private static Protobuf event(long nanoseconds, int type, long track, String name) {
        Protobuf event = new Protobuf().number(9, type).number(11, track).text(23, name);
        return new Protobuf().number(TIMESTAMP, nanoseconds).number(SEQUENCE, 1).message(EVENT, event);
    }
}
