package dev.neurontest.fake.internal.profiler.view;

import dev.neurontest.fake.internal.profiler.ntff.Protobuf;
import java.nio.charset.StandardCharsets;

/** A small trace for Perfetto: a track for each engine with a single slice. */
final class Perfetto {

    private static final String[] ENGINES = {"tensor", "vector", "scalar", "gpsimd", "sync"};

    private static final int PACKET = 1;
    private static final int TIMESTAMP = 8;
    private static final int SEQUENCE = 10;
    private static final int EVENT = 11;
    private static final int TRACK = 60;

    private Perfetto() {}

    static byte[] trace(Summary summary) {
        Protobuf trace = new Protobuf();
        for (int i = 0; i < ENGINES.length; i++) {
            long track = i + 1L;
            Protobuf description =
                    new Protobuf().number(1, track).bytes(2, ENGINES[i].getBytes(StandardCharsets.UTF_8));
            trace.message(PACKET, new Protobuf().message(TRACK, description));
            long end = Math.round(summary.number(ENGINES[i] + "_engine_active_time") * 1e9);
            trace.message(PACKET, event(0, 1, track, ENGINES[i]));
            trace.message(PACKET, event(end, 2, track, ENGINES[i]));
        }
        return trace.toBytes();
    }

    private static Protobuf event(long nanoseconds, int type, long track, String name) {
        Protobuf event = new Protobuf().number(9, type).number(11, track).text(23, name);
        return new Protobuf().number(TIMESTAMP, nanoseconds).number(SEQUENCE, 1).message(EVENT, event);
    }
}
