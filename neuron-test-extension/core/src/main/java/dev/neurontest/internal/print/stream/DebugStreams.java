package dev.neurontest.internal.print.stream;

import dev.neurontest.internal.runtime.library.RuntimeLibrary;
import dev.neurontest.internal.runtime.stream.DebugStream;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.runtime.NeuronRuntime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The debug streams of the cores of this process. They are connected once, after {@code nrt_init}, because a new connection for each test
 * would lose pending events. They must be closed before {@code nrt_close}. A {@link StreamTap} receives the events of one test.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DebugStreams implements AutoCloseable {

    private static final int INVALID = 2;

    private final StreamOptions options;
    private final Map<Integer, PrintDoubt> unconnected;
    private final List<DebugStream> connected;
    private final @Nullable StreamReader reader;
    private boolean closed;

    private DebugStreams(StreamOptions options, Map<Integer, PrintDoubt> unconnected, List<DebugStream> connected) {
        this.options = options;
        this.unconnected = unconnected;
        this.connected = connected;
        this.reader = connected.isEmpty() ? null : StreamReader.start(connected, options);
    }

    /**
     * Connects to the streams of all cores of a runtime, until it is closed.
     *
     * @param runtime an open runtime
     * @param options reading options; capacity and executions are replaced by those of the runtime
     * @return the streams, which are read from now on
     */
    public static DebugStreams open(NeuronRuntime runtime, StreamOptions options) {
        DebugStreams streams = open(
                runtime.library(),
                IntStream.range(0, runtime.cores().size()).boxed().toList(),
                options.capacity(runtime.streamCapacity())
                        .executions(new StreamOptions.Executions(runtime::executionsBegun, runtime::executionsEnded)));
        try {
            runtime.onClose(streams::close);
        } catch (RuntimeException closed) {
            streams.close();
            throw closed;
        }
        return streams;
    }

    /**
     * Connects to the streams of some cores. A failed connection becomes a doubt of each test that uses the core.
     *
     * @param library a library after a successful {@code nrt_init}
     * @param cores numbers of visible cores in this process, from 0
     * @param options reading options
     * @return the streams, which are read from now on
     */
    public static DebugStreams open(RuntimeLibrary library, List<Integer> cores, StreamOptions options) {
        Map<Integer, PrintDoubt> unconnected = new LinkedHashMap<>();
        List<DebugStream> connected = new ArrayList<>();
        List<String> missing = DebugStream.bind(library);
        for (int core : cores) {
            if (!missing.isEmpty()) {
                unconnected.put(core, withoutSymbols(library, missing));
                continue;
            }
            DebugStream.Connection connection = DebugStream.connect(core);
            if (connection.stream() == null) {
                unconnected.put(core, refused(core, connection.status()));
            } else {
                connected.add(connection.stream());
            }
        }
        return opened(options, unconnected, connected);
    }

    private static DebugStreams opened(
            StreamOptions options, Map<Integer, PrintDoubt> unconnected, List<DebugStream> connected) {
        try {
            return new DebugStreams(options, unconnected, connected);
        } catch (RuntimeException | Error e) {
            connected.forEach(DebugStream::close);
            throw e;
        }
    }

    private static PrintDoubt withoutSymbols(RuntimeLibrary library, List<String> missing) {
        return new PrintDoubt(
                PrintDoubt.Kind.UNAVAILABLE,
                "The runtime %s has no debug stream: it lacks %s, which came with runtime 2.29.40 (SDK 2.27). Device prints need a newer runtime."
                        .formatted(library.path(), String.join(", ", missing)));
    }

    private static PrintDoubt refused(int core, int status) {
        return status == INVALID
                ? new PrintDoubt(
                        PrintDoubt.Kind.TAKEN,
                        ("nrt_debug_client_connect returned 2 (NRT_INVALID) for core %s of this process: other code in it reads the debug stream, such as the consumer of a framework that NEURON_RT_DEBUG_OUTPUT_DIR enables, or this core has no stream. A stream has only one reader: unset that variable for this JVM.")
                                .formatted(core))
                : new PrintDoubt(
                        PrintDoubt.Kind.UNAVAILABLE,
                        "nrt_debug_client_connect returned %s for core %s of this process. Streams exist between nrt_init and nrt_close, on Trn2 and later."
                                .formatted(status, core));
    }

    /**
     * Returns the reasons why cores have no prints.
     *
     * @return a doubt for each core without a connection
     */
    public List<PrintDoubt> doubts() {
        return List.copyOf(unconnected.values());
    }

    /** Returns the number of events that belong to no test, because none was running on their core. */
    public long late() {
        return reader == null ? 0 : reader.late();
    }

    /**
     * Begins a test. Pending events in the streams of its cores belong to no test. Later events belong to this test.
     *
     * @param cores numbers of cores in this process
     * @param log log of the test
     * @return its prints, to be closed at the end of the test
     * @throws IllegalStateException when a core already has a test, or the streams are closed
     */
    public StreamTap begin(List<Integer> cores, PrintLog log) {
        synchronized (this) {
            if (closed) {
                throw new IllegalStateException(
                        "The debug streams are closed. Begin the test before the runtime is closed.");
            }
        }
        StreamTap tap = new StreamTap(this, cores, options, log);
        cores.stream().map(unconnected::get).filter(Objects::nonNull).forEach(tap::doubt);
        cores.stream()
                .filter(core -> !unconnected.containsKey(core))
                .filter(core -> connected.stream().noneMatch(stream -> stream.core() == core))
                .forEach(core -> tap.doubt(unknown(core)));
        if (reader != null) {
            reader.begin(tap);
        }
        return tap;
    }

    private PrintDoubt unknown(int core) {
        return new PrintDoubt(
                PrintDoubt.Kind.UNAVAILABLE,
                "The debug stream of core %s of this process is not connected; connected are %s."
                        .formatted(
                                core,
                                Stream.concat(connected.stream().map(DebugStream::core), unconnected.keySet().stream())
                                        .sorted()
                                        .toList()));
    }

    void settle(StreamTap tap) {
        if (reader != null) {
            reader.settle(tap, "in the test");
        }
    }

    void end(StreamTap tap) {
        if (reader != null) {
            reader.end(tap);
        }
    }

    /**
     * Stops reading, keeps the events received so far, and closes the streams. It must be called before the runtime is closed, and can be
     * called repeatedly.
     *
     * @throws dev.neurontest.internal.runtime.stream.StillReadingException when the reading thread does not return from the library; the
     *     streams then stay open until the next call, because a stream must not be closed while it is read
     */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        synchronized (connected) {
            if (reader != null) {
                reader.stop();
            }
            connected.forEach(DebugStream::close);
        }
    }
}
