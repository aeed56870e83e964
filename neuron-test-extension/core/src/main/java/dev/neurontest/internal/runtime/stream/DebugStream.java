package dev.neurontest.internal.runtime.stream;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import dev.neurontest.internal.runtime.library.RuntimeLibrary;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the debug stream of one logical core, for use by one thread at a time. Its file descriptor must only be used for
 * polling. Other reads would take the wake-ups of other readers, and only the library may close it.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DebugStream {

    /** The status of a read without an event: {@code NRT_QUEUE_EMPTY}. */
    public static final int EMPTY = 15;

    /** The variable that sets the number of events in a stream for the runtime. */
    public static final String CAPACITY_VARIABLE = "NEURON_RT_DEBUG_STREAM_BUFFER_SIZE";

    /**
     * The capacity that is set for a stream, in events. Without a known capacity, lost events cannot be detected. Sources do not agree on
     * the default and its unit; this value is not less than any of them.
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
     * The result of a connection attempt.
     *
     * @param status status of the call: 0 with a stream, 2 when another reader has it or there is no such core, 13 before {@code nrt_init}
     *     and 14 after {@code nrt_close}
     * @param stream the connection; null when the status is not 0
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Connection(int status, @Nullable DebugStream stream) {}

    /**
     * Binds the functions to a library.
     *
     * @param library a loaded library
     * @return the symbols that it lacks; empty when it has debug streams
     */
    public static List<String> bind(RuntimeLibrary library) {
        return library.bind(DebugStreamCalls.class, DebugStreamCalls.SYMBOLS)
                ? List.of()
                : library.missing(DebugStreamCalls.SYMBOLS);
    }

    /**
     * Connects to a core's stream. From now on its events are kept for this client.
     *
     * @param core number of the visible core in this process, from 0
     * @return the status and, when it is 0, the stream
     */
    public static Connection connect(int core) {
        try (Memory fd = new Memory(Integer.BYTES)) {
            fd.setInt(0, -1);
            int status = DebugStreamCalls.nrt_debug_client_connect(core, Pointer.nativeValue(fd));
            return new Connection(status, status == 0 ? new DebugStream(core, fd.getInt(0)) : null);
        }
    }

    /** Returns the number of the core in this process. */
    public int core() {
        return core;
    }

    int fd() {
        return fd;
    }

    /**
     * Reads and removes one event of the stream.
     *
     * @param event receives the event, and must be freed when the status is 0
     * @return the status of the call: 0, {@link #EMPTY}, or an error
     */
    public int read(StreamEvent event) {
        return event.readFrom(fd);
    }

    /**
     * Closes the connection. Afterwards a new connection is possible. No thread may be reading the stream. This method can be called
     * repeatedly.
     */
    public void close() {
        if (!closed) {
            closed = true;
            DebugStreamCalls.nrt_debug_client_connect_close(fd);
        }
    }
}
