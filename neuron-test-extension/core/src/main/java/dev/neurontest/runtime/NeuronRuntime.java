package dev.neurontest.runtime;

import com.sun.jna.Function;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.output.OutputCollector;
import dev.neurontest.internal.runtime.InstalledRuntime;
import dev.neurontest.internal.runtime.library.CoreCalls;
import dev.neurontest.internal.runtime.library.Libc;
import dev.neurontest.internal.runtime.library.MemoryCalls;
import dev.neurontest.internal.runtime.library.RuntimeLibrary;
import dev.neurontest.internal.runtime.library.StandardError;
import dev.neurontest.internal.runtime.library.TensorCalls;
import dev.neurontest.internal.runtime.stream.DebugStream;
import dev.neurontest.internal.runtime.stream.StillReadingException;
import dev.neurontest.internal.runtime.watch.CallGate;
import dev.neurontest.internal.runtime.watch.CallsInFlight;
import dev.neurontest.internal.runtime.watch.Handle;
import dev.neurontest.internal.runtime.watch.OpenResource;
import dev.neurontest.internal.runtime.watch.OpenResources;
import dev.neurontest.internal.runtime.watch.RuntimeObserver;
import dev.neurontest.internal.runtime.watch.StuckCall;
import dev.neurontest.internal.runtime.watch.Trace;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.internal.thread.Failures;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The Neuron runtime, libnrt, in this process. It owns cores from opening to closing, and executes NEFFs on them. Only one can be open at
 * a time, because libnrt has one global state per process.
 *
 * <pre>{@code
 * try (NeuronRuntime runtime = NeuronRuntime.builder(cores).open();
 *         LoadedModel model = runtime.load(cores.get(0), Path.of("add.neff"))) {
 *     Outputs outputs = model.execute(Map.of("a", new float[] {1, 2}, "b", new float[] {3, 4}));
 * }
 * }</pre>
 *
 * <p>Calls block and cannot be interrupted. An execution ends at the latest after {@code NEURON_RT_EXEC_TIMEOUT}. A watchdog reports calls
 * that last longer. All methods may be called by several threads.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeuronRuntime implements AutoCloseable {

    private static final int NO_FRAMEWORK = 1;
    private static final int FAILURE = 1;
    private static final int INVALID = 2;

    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(50);
    private static final Object OPENING = new Object();
    private static @Nullable NeuronRuntime open;

    private final List<NeuronCore> cores;
    private final RuntimeLibrary library;
    private final Duration watchdog;
    private final CallsInFlight calls;
    private final ProcessVariables variables;
    private final RuntimeVersion version;
    private final Trace opened = Trace.here();
    private final CallGate gate = new CallGate();
    private final OpenResources resources = new OpenResources();
    private final AtomicLongArray begun;
    private final AtomicLongArray ended;
    private final long streamCapacity = ProcessVariables.streamCapacity();
    private final List<Runnable> hooks = new ArrayList<>();
    private final List<CoreCollector> collectors = new CopyOnWriteArrayList<>();
    private final ReentrantLock closing = new ReentrantLock();
    private boolean isClosed;

    /** Builder of a runtime. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {

        private static final Duration GRACE = Duration.ofSeconds(5);

        private final List<NeuronCore> cores;
        private final Map<String, String> environment = new LinkedHashMap<>();
        private Path root = Path.of("/");
        private @Nullable Path library;
        private @Nullable Duration watchdog;
        private Duration patience = Duration.ofSeconds(5);
        private RuntimeObserver observer = RuntimeObserver.LOG;

        private Builder(List<NeuronCore> cores) {
            this.cores = cores.stream().sorted().distinct().toList();
            executionTimeout(Duration.ofSeconds(30));
            environment(ProcessVariables.STREAM_SIZE, Long.toString(DebugStream.CAPACITY));
        }

        /**
         * Sets the root directory for paths of the host. The default is {@code /}.
         *
         * @param directory directory in which {@code opt/aws/neuron/lib/libnrt.so.1} is searched
         * @return this
         */
        public Builder root(Path directory) {
            this.root = directory;
            return this;
        }

        /**
         * Sets the library. No other place is searched then.
         *
         * @param file a {@code libnrt.so.1}
         * @return this
         */
        public Builder library(Path file) {
            this.library = file;
            return this;
        }

        /**
         * Sets an environment variable for the runtime, unless this JVM was started with a variable of this name. It is set for native
         * code of this process while the runtime is open.
         *
         * @param name such as {@code NEURON_PROCESS_TAG}
         * @param value value of the variable
         * @return this
         */
        public Builder environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /**
         * Sets the timeout of executions ({@code NEURON_RT_EXEC_TIMEOUT}), unless this JVM was started with this variable. The default is
         * 30 seconds.
         *
         * @param atMost whole seconds, at least one
         * @return this
         * @throws IllegalArgumentException when it is less than one second
         */
        public Builder executionTimeout(Duration atMost) {
            if (atMost.toSeconds() < 1) {
                throw new IllegalArgumentException(
                        "the timeout must be at least 1 s, because the runtime counts it in whole seconds, but was "
                                + atMost);
            }
            return environment(ProcessVariables.EXECUTION_TIMEOUT, Long.toString(atMost.toSeconds()));
        }

        /**
         * Sets the time after which a call counts as stuck. The default is five seconds after the timeout of executions. It is also the
         * maximum time to wait for running calls when the runtime is closed.
         *
         * @param limit more than zero
         * @return this
         * @throws IllegalArgumentException when it is not more than zero
         */
        public Builder watchdog(Duration limit) {
            if (limit.isNegative() || limit.isZero()) {
                throw new IllegalArgumentException(
                        "the limit for a stuck call must be more than zero, but was " + limit);
            }
            this.watchdog = limit;
            return this;
        }

        /**
         * Sets the maximum time to wait for occupied cores. The cores of a killed process become free with a short delay. The default is 5
         * seconds.
         *
         * @param atMost time during which {@code nrt_init} is repeated; it is repeated at least once
         * @return this
         */
        public Builder patience(Duration atMost) {
            this.patience = atMost;
            return this;
        }

        /**
         * Sets the observer that is notified of stuck calls. The default writes to the log of the JVM.
         *
         * @param observer an observer, notified on a separate thread
         * @return this
         * @hidden
         */
        @API(status = API.Status.INTERNAL, since = "0.1")
        public Builder observer(RuntimeObserver observer) {
            this.observer = observer;
            return this;
        }

        /**
         * Loads the library, sets the variables and initializes the runtime on the cores.
         *
         * @return the open runtime
         * @throws RuntimeUnavailableException when there is no working library or driver, or JNA is missing
         * @throws RuntimeEnvironmentException when this JVM was started with contradictory variables
         * @throws NrtException when the runtime does not start, usually because the cores are occupied
         * @throws IllegalArgumentException without cores, or when they are not adjacent
         * @throws IllegalStateException when a runtime is already open
         */
        public NeuronRuntime open() {
            return NeuronRuntime.open(this);
        }

        private Duration watchdog() {
            return Optional.ofNullable(watchdog)
                    .or(() -> Libc.variable(ProcessVariables.EXECUTION_TIMEOUT)
                            .filter(value -> value.matches("[0-9]{1,9}"))
                            .map(value ->
                                    Duration.ofSeconds(Long.parseLong(value)).plus(GRACE)))
                    .orElseGet(() -> Duration.ofMinutes(1));
        }
    }

    private NeuronRuntime(
            Builder builder,
            RuntimeLibrary library,
            ProcessVariables variables,
            CallsInFlight calls,
            RuntimeVersion version) {
        this.cores = builder.cores;
        this.begun = new AtomicLongArray(cores.size());
        this.ended = new AtomicLongArray(cores.size());
        this.library = library;
        this.variables = variables;
        this.watchdog = builder.watchdog();
        this.calls = calls;
        this.version = version;
    }

    /**
     * Creates a builder for a runtime.
     *
     * @param cores adjacent cores of one host; the runtime sees no others
     * @return a builder
     */
    public static Builder builder(List<NeuronCore> cores) {
        return new Builder(cores);
    }

    private static NeuronRuntime open(Builder builder) {
        if (builder.cores.isEmpty()) {
            throw new IllegalArgumentException(
                    "A runtime needs cores: without cores it would take all cores of the host.");
        }
        synchronized (OPENING) {
            if (open != null) {
                throw new IllegalStateException(
                        "A Neuron runtime is already open in this JVM, on %s. It was opened by %s. Use that runtime, or close it first."
                                .formatted(names(open.cores), open.opened));
            }
            RuntimeLibrary library = InstalledRuntime.load(builder.root, Optional.ofNullable(builder.library));
            library.bind(CoreCalls.class, CoreCalls.SYMBOLS);
            library.bind(TensorCalls.class, TensorCalls.SYMBOLS);
            ProcessVariables variables = ProcessVariables.set(builder.cores, builder.environment);
            CallsInFlight calls = new CallsInFlight(builder.watchdog(), builder.observer);
            try {
                NeuronRuntime runtime =
                        new NeuronRuntime(builder, library, variables, calls, RuntimeVersion.read(calls));
                runtime.init(builder.patience);
                open = runtime;
                return runtime;
            } catch (RuntimeException failed) {
                variables.restore();
                calls.close();
                throw failed;
            }
        }
    }

    private static String names(List<NeuronCore> cores) {
        return ListText.of(cores, NeuronCore::name);
    }

    private void init(Duration patience) {
        String what = names(cores);
        byte[] empty = Libc.text("");
        IntSupplier init = () -> CoreCalls.nrt_init(NO_FRAMEWORK, empty, empty);
        RuntimeStatus status = status("nrt_init", what, null, init);
        StandardError log = new StandardError();
        long deadline = System.nanoTime() + patience.toNanos();
        long pause = TimeUnit.MILLISECONDS.toNanos(50);
        for (boolean last = false; status.code() == FAILURE && !last; pause *= 2) {
            long remaining = deadline - System.nanoTime();
            last = remaining <= pause;
            LockSupport.parkNanos(Math.max(0, Math.min(pause, remaining)));
            status = status("nrt_init", what, null, () -> log.during(init));
        }
        if (status.code() == INVALID) {
            throw new RuntimeUnavailableException(
                    "nrt_init of %s returned %s: there is no Neuron device, or its driver does not work with this runtime. Check neuron-ls and the runtime's log on stderr.\n  runtime: %s"
                            .formatted(what, status, describe()));
        }
        if (status.code() != 0) {
            throw new NrtException("nrt_init", what, status, describe(), log.lines());
        }
        checkCount();
    }

    /**
     * Checks the number of visible cores. A second {@code nrt_init} has no effect. If other code of this process has opened the runtime,
     * these are the cores of that code.
     */
    private void checkCount() {
        Optional<Function> count = library.find("nrt_get_visible_vnc_count");
        int[] visible = new int[1];
        if (count.isEmpty() || count.get().invokeInt(new Object[] {visible}) != 0 || visible[0] == cores.size()) {
            return;
        }
        throw new IllegalStateException(
                "The runtime shows %s, but the tests requested %s (%s). Other code in this JVM has opened it before: let only the tests open it."
                        .formatted(CountText.of(visible[0], "core"), cores.size(), names(cores)));
    }

    /**
     * Returns the cores of the runtime.
     *
     * @return the cores in the numbering of the runtime, from 0
     */
    public List<NeuronCore> cores() {
        return cores;
    }

    /**
     * Returns the number of a core in the runtime.
     *
     * @param core one of {@link #cores()}
     * @return number from 0, independent of the core's index on its host
     * @throws IllegalArgumentException when the runtime does not own the core
     */
    public int index(NeuronCore core) {
        int index = cores.indexOf(core);
        if (index < 0) {
            throw new IllegalArgumentException(
                    "%s is not a core of this runtime, which was opened on %s".formatted(core.name(), names(cores)));
        }
        return index;
    }

    /**
     * Returns the version of the library.
     *
     * @return the version, or zeros when the library did not report it
     */
    public RuntimeVersion version() {
        return version;
    }

    /**
     * Returns the memory usage of the runtime on a core.
     *
     * @param core one of {@link #cores()}
     * @return the current usage
     * @throws IllegalArgumentException when the runtime does not own the core
     * @throws IllegalStateException when the runtime is closed
     * @throws NrtException when the runtime refuses
     * @throws RuntimeTooOldException when the runtime has no statistics of logical cores
     */
    public MemoryStatistics memory(NeuronCore core) {
        int index = index(core);
        require("Reading the memory usage", MemoryCalls.class, MemoryCalls.SYMBOLS);
        return gate.inside(() -> {
            long[] statistics = new long[2];
            long size = (long) statistics.length * Long.BYTES;
            call(
                    "nrt_get_vnc_memory_stats",
                    "the memory",
                    core,
                    () -> MemoryCalls.nrt_get_vnc_memory_stats(index, statistics, size, new long[1]));
            return new MemoryStatistics(statistics[0], statistics[1]);
        });
    }

    /**
     * Loads a model on a core.
     *
     * @param core one of {@link #cores()}; the first one if the model uses several
     * @param neff the file
     * @return the model, to be closed by the caller
     * @throws dev.neurontest.runtime.NeffException when the file is missing, not a NEFF, or truncated
     * @throws IllegalArgumentException when the runtime does not own the core
     * @throws IllegalStateException when the runtime is closed
     * @throws NrtException when the runtime refuses the model
     */
    public LoadedModel load(NeuronCore core, Path neff) {
        try (NeffBytes bytes = NeffBytes.read(neff)) {
            return LoadedModel.load(this, core, bytes);
        }
    }

    /**
     * Allocates memory on a core's device.
     *
     * @param core one of {@link #cores()}
     * @param name name of the tensor
     * @param bytes size in bytes
     * @return the tensor, to be closed by the caller; its content is undefined
     * @throws IllegalArgumentException when the runtime does not own the core, or bytes are negative
     * @throws IllegalStateException when the runtime is closed
     * @throws NrtException when the runtime refuses, usually with {@code NRT_RESOURCE} because there is not enough memory
     */
    public DeviceTensor allocate(NeuronCore core, String name, long bytes) {
        return DeviceTensor.allocate(this, core, name, bytes, false);
    }

    /**
     * Returns the number of started executions.
     *
     * @param some cores in the numbering of the runtime
     * @return total of these cores
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public long executionsBegun(Collection<Integer> some) {
        return sum(begun, some);
    }

    /**
     * Returns the number of finished executions.
     *
     * @param some cores in the numbering of the runtime
     * @return total of these cores, including the failed ones
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public long executionsEnded(Collection<Integer> some) {
        return sum(ended, some);
    }

    private static long sum(AtomicLongArray counts, Collection<Integer> cores) {
        return cores.stream()
                .filter(core -> core < counts.length())
                .mapToLong(counts::get)
                .sum();
    }

    /** The collector of a test for a core, and the threads of the test. */
    private record CoreCollector(NeuronCore core, OutputCollector collector, Predicate<Thread> isOfTest) {}

    /**
     * Collects the outputs of executions on some cores, until the returned action runs.
     *
     * @param some cores of this runtime
     * @param collector is called on the threads that execute
     * @param isOfTest the threads of the test. If tests share a core, an execution belongs to the test of its thread, else to none.
     * @return the action that ends the collection
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Runnable collect(Collection<NeuronCore> some, OutputCollector collector, Predicate<Thread> isOfTest) {
        List<CoreCollector> added = some.stream()
                .map(core -> new CoreCollector(core, collector, isOfTest))
                .toList();
        collectors.addAll(added);
        return () -> collectors.removeAll(added);
    }

    /** Returns the collector for an execution on a core by this thread; one that takes nothing if no test collects outputs there. */
    OutputCollector collector(NeuronCore core) {
        List<CoreCollector> ofCore =
                collectors.stream().filter(each -> each.core().equals(core)).toList();
        return ofCore.stream()
                .filter(each -> ofCore.size() == 1 || each.isOfTest().test(Thread.currentThread()))
                .findFirst()
                .map(CoreCollector::collector)
                .orElse(OutputCollector.NONE);
    }

    /**
     * Returns the capacity of a debug stream in events. It is read from the variable that was set when the runtime was opened. A full
     * stream drops events.
     *
     * @return 0 when unknown
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public long streamCapacity() {
        return streamCapacity;
    }

    /**
     * Returns the library in use.
     *
     * @return access to further functions of the library
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public RuntimeLibrary library() {
        return library;
    }

    /**
     * Registers a hook for the closing of the runtime. Hooks run after the last call has ended and before models and tensors are freed.
     * They run in reverse order of registration. If a hook throws a {@code StillReadingException}, the runtime stays open, and the hook
     * runs again at the next attempt to close it.
     *
     * @param hook must not use the runtime, except for resources that it opened itself
     * @throws IllegalStateException when the runtime is closed
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public void onClose(Runnable hook) {
        gate.inside(() -> {
            synchronized (hooks) {
                return hooks.add(hook);
            }
        });
    }

    /**
     * Returns a mark to find later the resources that were opened after it.
     *
     * @return argument for {@link #leaksSince}
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public long mark() {
        return resources.mark();
    }

    /**
     * Returns the resources that were opened and not closed.
     *
     * @param mark resources opened after this mark are returned
     * @return models, tensors and executions, in the order of opening; they must be closed in reverse order
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<OpenResource> leaksSince(long mark) {
        return resources.since(mark, this::close);
    }

    CallGate gate() {
        return gate;
    }

    OpenResources resources() {
        return resources;
    }

    /** Executes a body and counts it as an execution at its start and its end. */
    RuntimeStatus execute(String what, NeuronCore core, IntSupplier body) {
        int index = cores.indexOf(core);
        begun.incrementAndGet(index);
        try {
            return status("nrt_execute", what, core, body);
        } finally {
            ended.incrementAndGet(index);
        }
    }

    /** Executes a call under the supervision of the watchdog. */
    RuntimeStatus status(String function, String what, @Nullable NeuronCore core, IntSupplier body) {
        return RuntimeStatus.of(calls.during(function, what, core, body));
    }

    /** Executes a call under the supervision of the watchdog and requires success. */
    void call(String function, String what, @Nullable NeuronCore core, IntSupplier body) {
        RuntimeStatus status = status(function, what, core, body);
        if (status.code() != 0) {
            throw failure(function, StuckCall.placed(what, Optional.ofNullable(core)), status);
        }
    }

    NrtException failure(String function, String what, RuntimeStatus status) {
        return new NrtException(function, what, status, describe(), List.of());
    }

    /** Binds a group of functions that older libraries lack. */
    void require(String feature, Class<?> group, List<String> symbols) {
        if (!library.bind(group, symbols)) {
            throw new RuntimeTooOldException(feature, library.missing(symbols), describe());
        }
    }

    String describe() {
        return "%s (%s)".formatted(version, library.path());
    }

    /** Closes a resource of this runtime. If the runtime is closed, the resource is already freed. */
    void close(Handle handle) {
        Trace by = Trace.here();
        gate.insideIfOpen(() -> handle.close(by));
    }

    /**
     * Frees models and tensors and releases the cores. It waits for running calls. If a call or a read of a debug stream is stuck, the
     * cores stay occupied and no other runtime can be opened in this process. After the stuck call has returned, this method must be
     * called again. It can be called repeatedly and by several threads; every call returns after the closing is complete.
     *
     * @throws IllegalStateException when a call is stuck
     * @throws NrtException when a model cannot be unloaded; all other resources are still freed
     */
    @Override
    public void close() {
        close(watchdog);
    }

    /**
     * Closes the runtime like {@link #close()}, with a given time limit.
     *
     * @param patience maximum time to wait for running calls; overdue calls are not awaited
     * @throws IllegalStateException when a call is stuck
     * @throws NrtException when a model cannot be unloaded; all other resources are still freed
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public void close(Duration patience) {
        if (closing.isHeldByCurrentThread()) {
            return;
        }
        closing.lock();
        try {
            if (!isClosed) {
                gate.shut(Trace.here());
                Failures.throwFirst(end(patience));
            }
        } finally {
            closing.unlock();
        }
    }

    private List<RuntimeException> end(Duration patience) {
        boolean empty = awaitCalls(patience);
        List<RuntimeException> failures = runHooks();
        if (!empty) {
            failures.add(0, stuck());
        }
        if (failures.stream().anyMatch(StillReadingException.class::isInstance) || !empty) {
            return failures;
        }
        synchronized (OPENING) {
            failures.addAll(resources.free());
            status("nrt_close", names(cores), null, () -> {
                CoreCalls.nrt_close();
                return 0;
            });
            variables.restore();
            calls.close();
            open = null;
            isClosed = true;
        }
        return failures;
    }

    /** Waits for running calls, but not for calls that are already overdue. */
    private boolean awaitCalls(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        long remaining;
        do {
            remaining = Math.min(
                    end - System.nanoTime(), watchdog.minus(calls.longest()).toNanos());
            if (gate.awaitEmpty(Duration.ofNanos(Math.min(remaining, LOOK)))) {
                return true;
            }
        } while (remaining > 0);
        return false;
    }

    private List<RuntimeException> runHooks() {
        List<Runnable> reversed;
        synchronized (hooks) {
            reversed = new ArrayList<>(hooks);
            hooks.clear();
        }
        Collections.reverse(reversed);
        return Failures.of(reversed, hook -> {
            try {
                hook.run();
            } catch (StillReadingException failed) {
                synchronized (hooks) {
                    hooks.add(0, hook);
                }
                throw failed;
            }
        });
    }

    private IllegalStateException stuck() {
        return new IllegalStateException(
                "The Neuron runtime was not closed and keeps %s. Close it again when these calls have returned; otherwise the cores are released when this process ends.%s"
                        .formatted(
                                names(cores),
                                calls.now().stream()
                                        .map(call -> "\n  " + call.text())
                                        .collect(Collectors.joining())));
    }
}
