package dev.neurontest.internal.runtime.stream;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import dev.neurontest.internal.runtime.library.RuntimeLibrary;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the debug stream of one logical core, to be used by one thread at a time. Its file descriptor is good for
 * polling and for nothing else: who reads it takes away the wake-ups of others, and only the library may close it.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DebugStream {

    /** The status of a read that finds nothing: {@code NRT_QUEUE_EMPTY}. */
    public static final int EMPTY = 15;

    /** The variable by which the runtime is told how many events a stream can hold. */
    public static final String CAPACITY_VARIABLE = "NEURON_RT_DEBUG_STREAM_BUFFER_SIZE";

    /**
     * How many events a stream is told to hold: without a known number nothing can be said about losses. Sources do not agree on the
     * default and its unit; this is not less than it by any of them.
     */
    public static final long CAPACITY = 1 << 18;

    private final int core;
    private final int fd;
    private boolean closed;

    private DebugStream(int core, int fd) {
        this.core = core;
        this.fd = fd;
    }

    /**
     * What came of connecting.
     *
     * @param status of the call: 0 with a stream, 2 when another reader has it or there is no such core, 13 before
     *     {@code nrt_init} and 14 after {@code nrt_close}
     * @param stream the connection; null when the status is not 0
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Connection(int status, @Nullable DebugStream stream) {}

    /**
     * Makes the functions of a library the ones that are called.
     *
     * @param library loaded
     * @return the symbols that it lacks; none when it has debug streams
     */
    public static List<String> bind(RuntimeLibrary library) {
        return library.bind(DebugStreamCalls.class, DebugStreamCalls.SYMBOLS)
                ? List.of()
                : library.missing(DebugStreamCalls.SYMBOLS);
    }

    /**
     * Connects to a core's stream. From now on its events are kept for this client.
     *
     * @param core as this process counts its visible cores, from 0
     * @return the status and, when it is 0, the stream
     */
    public static Connection connect(int core) {
        try (Memory fd = new Memory(Integer.BYTES)) {
            fd.setInt(0, -1);
            int status = DebugStreamCalls.nrt_debug_client_connect(core, Pointer.nativeValue(fd));
            return new Connection(status, status == 0 ? new DebugStream(core, fd.getInt(0)) : null);
        }
    }

    /**
     * Whose stream it is.
     *
     * @return the core as this process counts
     */
    public int core() {
        return core;
    }

    int fd() {
        return fd;
    }

    /**
     * Takes one event out of the stream.
     *
     * @param event where it goes; to be freed when the status is 0
     * @return the status of the call: 0, {@link #EMPTY}, or what went wrong
     */
    public int read(StreamEvent event) {
        return event.readFrom(fd);
    }

    /** Gives the stream back, so that it can be connected to again. No thread may be reading it. May be called again. */
    public void close() {
        if (!closed) {
            closed = true;
            DebugStreamCalls.nrt_debug_client_connect_close(fd);
        }
    }
}
