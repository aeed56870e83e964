package dev.neurontest.internal.print.stream;

import dev.neurontest.internal.print.GivenFeed;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.print.PrintOrigin;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Events in the layout of {@code nrt/ndebug_stream.h}, byte by byte. */
public final class EventFixture {

    private final byte[] prefix = new byte[512];
    private String dtype = "int32";
    private long[] shape = {};
    private byte[] data = new byte[4];
    private long dataSize = -1;
    private long promised = -1;
    private int type = 1;
    private int core;
    private int pipe;
    private byte[] after = {};
    private int cut = -1;

    private EventFixture() {}

    /** Returns the content of a store after these events on core 0. */
    public static PrintFeed stored(Path folder, EventFixture... events) throws IOException {
        return stored(1 << 20, folder, events);
    }

    /** Returns the events of core 0 that a store with a bound keeps. */
    public static PrintFeed stored(long bound, Path folder, EventFixture... events) throws IOException {
        EventStore store = new EventStore(PrintOrigin.STREAM, new PrintLog(() -> folder, bound));
        for (EventFixture event : events) {
            store.add(event.source(), 0);
        }
        return new GivenFeed(store.prints(), store.oddEvents(), store.doubts(), store.notices(), true);
    }

    /** Writes the files of a JVM that is killed during a test. */
    public static void leave(Path folder, EventFixture... events) throws IOException {
        EventStore store = new EventStore(PrintOrigin.STREAM, new PrintLog(() -> folder));
        for (EventFixture event : events) {
            store.add(event.source(), 0);
        }
        store.flush();
    }

    public static EventFixture print(String prefix) {
        return new EventFixture().prefix(prefix.getBytes(StandardCharsets.UTF_8));
    }

    public static EventFixture counting(String prefix, int number) {
        return print(prefix).data(ints(number));
    }

    public static byte[] ints(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * 4).order(ByteOrder.LITTLE_ENDIAN);
        for (int value : values) {
            bytes.putInt(value);
        }
        return bytes.array();
    }

    public EventFixture prefix(byte[] bytes) {
        System.arraycopy(bytes, 0, prefix, 0, bytes.length);
        return this;
    }

    public EventFixture tensor(String name, long[] dimensions, byte[] values) {
        dtype = name;
        shape = dimensions;
        data = values;
        return this;
    }

    public EventFixture data(byte[] values) {
        data = values;
        return this;
    }

    public EventFixture shape(long... dimensions) {
        shape = dimensions;
        return this;
    }

    public EventFixture saysData(long bytes) {
        dataSize = bytes;
        return this;
    }

    public EventFixture promises(long bytes) {
        promised = bytes;
        return this;
    }

    public EventFixture type(int number) {
        type = number;
        return this;
    }

    public EventFixture core(int id) {
        core = id;
        return this;
    }

    public EventFixture pipe(int number) {
        pipe = number;
        return this;
    }

    public EventFixture followedBy(byte[] bytes) {
        after = bytes;
        return this;
    }

    /** Keeps only the first bytes of the payload, and changes the header accordingly. */
    public EventFixture cutTo(int bytes) {
        cut = bytes;
        return this;
    }

    public byte[] payload() {
        ByteBuffer payload =
                ByteBuffer.allocate(1024 + data.length + after.length).order(ByteOrder.LITTLE_ENDIAN);
        payload.put(prefix).putInt(core).putInt(pipe);
        payload.put(dtype.getBytes(StandardCharsets.US_ASCII)).position(536);
        for (long dimension : shape) {
            payload.putLong(dimension);
        }
        payload.putLong(600, dataSize >= 0 || dataSize < -1 ? dataSize : data.length);
        payload.put(608, (byte) 7);
        payload.put(1023, (byte) 9);
        payload.position(1024).put(data).put(after);
        return cut < 0 ? payload.array() : java.util.Arrays.copyOf(payload.array(), cut);
    }

    public byte[] header() {
        ByteBuffer header = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(promised == -1 ? payload().length : promised)
                .putInt(type)
                .put((byte) 5);
        return header.array();
    }

    PrintEventSource source() {
        return new HeldEvent(header(), ByteBuffer.wrap(payload()));
    }
}
