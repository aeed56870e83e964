package dev.neurontest.runtime;

import com.sun.jna.Function;
import dev.neurontest.device.NeuronCore;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The Neuron runtime, libnrt, in this process: it owns cores from when it is opened until it is closed, and runs NEFFs on them. One is
 * open at a time, since libnrt keeps one state for a process.
 *
 * <pre>{@code
 * try (NeuronRuntime runtime = NeuronRuntime.builder(cores).open();
 *         LoadedModel model = runtime.load(cores.get(0), Path.of("add.neff"))) {
 *     Outputs outputs = model.execute(Map.of("a", new float[] {1, 2}, "b", new float[] {3, 4}));
 * }
 * }</pre>
 *
 * <p>Calls block, and no interruption ends them: an execution ends by {@code NEURON_RT_EXEC_TIMEOUT}. A watchdog tells of those that last
 * longer. All of it may be used by several threads.
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
    private final ReentrantLock closing = new ReentrantLock();
    private boolean over;

    /** Options of a runtime. */
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
         * Sets where the host's paths start. Without it, {@code /}.
         *
         * @param directory below which {@code opt/aws/neuron/lib/libnrt.so.1} is looked for
         * @return this
         */
        public Builder root(Path directory) {
            this.root = directory;
            return this;
        }

        /**
         * Chooses the library, so that no other place is looked at.
         *
         * @param file a {@code libnrt.so.1}
         * @return this
         */
        public Builder library(Path file) {
            this.library = file;
            return this;
        }

        /**
         * Sets a variable for the runtime, unless this JVM was started with one of that name. It is set for native code of this process,
         * while the runtime is open.
         *
         * @param name such as {@code NEURON_PROCESS_TAG}
         * @param value its value
         * @return this
         */
        public Builder environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /**
         * Sets how long the runtime waits for an execution ({@code NEURON_RT_EXEC_TIMEOUT}), unless this JVM was started with a value for
         * it. Without it, 30 seconds.
         *
         * @param atMost whole seconds, at least one
         * @return this
         * @throws IllegalArgumentException when it is less
         */
        public Builder executionTimeout(Duration atMost) {
            if (atMost.toSeconds() < 1) {
                throw new IllegalArgumentException(
                        "the runtime counts its timeout in whole seconds, so that it cannot be " + atMost);
            }
            return environment(ProcessVariables.EXECUTION_TIMEOUT, Long.toString(atMost.toSeconds()));
        }

        /**
         * Sets when a call counts as stuck. Without it, five seconds after the timeout of executions. Closing waits as long for calls that
         * are under way.
         *
         * @param limit more than zero
         * @return this
         * @throws IllegalArgumentException when it is not
         */
        public Builder watchdog(Duration limit) {
            if (limit.isNegative() || limit.isZero()) {
                throw new IllegalArgumentException("a call cannot be stuck after " + limit);
            }
            this.watchdog = limit;
            return this;
        }

        /**
         * Sets how long cores may be taken: those of a killed process are free a moment later. Without it, 5 seconds.
         *
         * @param atMost for which {@code nrt_init} is repeated, once at least
         * @return this
         */
        public Builder patience(Duration atMost) {
            this.patience = atMost;
            return this;
        }

        /**
         * Sets who hears of stuck calls. Without it, the log of the JVM.
         *
         * @param observer told on a thread of its own
         * @return this
         */
        @API(status = API.Status.INTERNAL, since = "0.1")
        public Builder observer(RuntimeObserver observer) {
            this.observer = observer;
            return this;
        }

        /**
         * Loads the library, sets the variables and takes the cores.
         *
         * @return the open runtime
         * @throws RuntimeUnavailableException when there is no library or no driver that works
         * @throws RuntimeEnvironmentException when this JVM was started with variables that do not fit
         * @throws NrtException when the runtime does not start, most often since the cores are taken
         * @throws IllegalArgumentException without cores, or when they are not in a row
         * @throws IllegalStateException when one is open already
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
     * Prepares a runtime.
     *
     * @param cores of one host, in a row; the runtime sees no others
     * @return options
     */
    public static Builder builder(List<NeuronCore> cores) {
        return new Builder(cores);
    }

    private static NeuronRuntime open(Builder builder) {
        if (builder.cores.isEmpty()) {
            throw new IllegalArgumentException("A runtime needs cores: without any it would take all of the host.");
        }
        synchronized (OPENING) {
            if (open != null) {
                throw new IllegalStateException(
                        "A Neuron runtime is open already in this JVM, on %s since it was opened by %s. Use that one, or close it first."
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
            long left = deadline - System.nanoTime();
            last = left <= pause;
            LockSupport.parkNanos(Math.max(0, Math.min(pause, left)));
            status = status("nrt_init", what, null, () -> log.during(init));
        }
        if (status.code() == INVALID) {
            throw new RuntimeUnavailableException(
                    "nrt_init of %s returned %s: there is no Neuron device, or its driver is not one that this runtime can work with. Look at neuron-ls and at the runtime's log on stderr.\n  runtime: %s"
                            .formatted(what, status, describe()));
        }
        if (status.code() != 0) {
            throw new NrtException("nrt_init", what, status, describe(), log.lines());
        }
        checkCount();
    }

    /** A second {@code nrt_init} does nothing: when something else in this process has opened the runtime, these are its cores. */
    private void checkCount() {
        Optional<Function> count = library.find("nrt_get_visible_vnc_count");
        int[] visible = new int[1];
        if (count.isEmpty() || count.get().invokeInt(new Object[] {visible}) != 0 || visible[0] == cores.size()) {
            return;
        }
        throw new IllegalStateException(
                "The runtime shows %s cores and not the %s that were asked for (%s). Something else in this JVM has opened it before: let only the tests open it."
                        .formatted(visible[0], cores.size(), names(cores)));
    }

    /**
     * The cores that it owns.
     *
     * @return in the order in which the runtime counts them, from 0
     */
    public List<NeuronCore> cores() {
        return cores;
    }

    /**
     * The number by which the runtime calls a core.
     *
     * @param core one of {@link #cores()}
     * @return from 0, whatever the core's index on its host is
     * @throws IllegalArgumentException when the runtime does not own it
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
     * Which version the library is.
     *
     * @return zeros when it did not tell
     */
    public RuntimeVersion version() {
        return version;
    }

    /**
     * What the runtime uses of a core's memory.
     *
     * @param core one of {@link #cores()}
     * @return as it is now
     * @throws IllegalArgumentException when the runtime does not own the core
     * @throws IllegalStateException when it is closed
     * @throws NrtException when the runtime refuses
     * @throws RuntimeTooOldException when it does not count by logical cores
     */
    public MemoryStatistics memory(NeuronCore core) {
        int index = index(core);
        require("A look at memory", MemoryCalls.class, MemoryCalls.SYMBOLS);
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
     * @param core one of {@link #cores()}; the first one where the model uses several
     * @param neff its file
     * @return the model, to be closed
     * @throws dev.neurontest.runtime.NeffException when the file is missing, no NEFF, or cut
     * @throws IllegalArgumentException when the runtime does not own the core
     * @throws IllegalStateException when it is closed
     * @throws NrtException when the runtime refuses the model
     */
    public LoadedModel load(NeuronCore core, Path neff) {
        try (NeffBytes bytes = NeffBytes.read(neff)) {
            return LoadedModel.load(this, core, bytes);
        }
    }

    /**
     * Takes memory of a core's device.
     *
     * @param core one of {@link #cores()}
     * @param name what it is called
     * @param bytes how many
     * @return the tensor, to be closed; what is in it is not known
     * @throws IllegalArgumentException when the runtime does not own the core, or bytes are negative
     * @throws IllegalStateException when it is closed
     * @throws NrtException when the runtime refuses, most often with {@code NRT_RESOURCE} since there is not so much
     */
    public DeviceTensor allocate(NeuronCore core, String name, long bytes) {
        return DeviceTensor.allocate(this, core, name, bytes, false);
    }

    /**
     * How many executions have begun.
     *
     * @param some cores as the runtime counts them
     * @return on all of them
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public long executionsBegun(Collection<Integer> some) {
        return sum(begun, some);
    }

    /**
     * How many executions have ended.
     *
     * @param some cores as the runtime counts them
     * @return on all of them, the failed ones included
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

    /**
     * How many events a debug stream can hold before it drops some, by the variable that was set when the runtime was opened.
     *
     * @return 0 when that is not known
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public long streamCapacity() {
        return streamCapacity;
    }

    /**
     * The library that is in use.
     *
     * @return where its other functions are
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public RuntimeLibrary library() {
        return library;
    }

    /**
     * Does something when the runtime is closed: when no call is under way any more, before models and tensors are freed. What was
     * registered last is done first. Where one throws a {@link StillReadingException} the runtime stays open, and the hook is done again
     * when that is closed again.
     *
     * @param hook may not use the runtime but for what it has open itself
     * @throws IllegalStateException when it is closed
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
     * A moment, to find later what was opened since.
     *
     * @return for {@link #leaksSince}
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public long mark() {
        return resources.mark();
    }

    /**
     * What was opened and is not closed.
     *
     * @param mark the moment since which
     * @return models, tensors and executions, in the order in which they were opened; the last is to be closed first
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

    /** Counts an execution while it is under way and after it. */
    RuntimeStatus execute(String what, NeuronCore core, IntSupplier body) {
        int index = cores.indexOf(core);
        begun.incrementAndGet(index);
        try {
            return status("nrt_execute", what, core, body);
        } finally {
            ended.incrementAndGet(index);
        }
    }

    /** Makes a call under the watchdog's eyes. */
    RuntimeStatus status(String function, String what, @Nullable NeuronCore core, IntSupplier body) {
        return RuntimeStatus.of(calls.during(function, what, core, body));
    }

    /** The same, where nothing but success will do. */
    void call(String function, String what, @Nullable NeuronCore core, IntSupplier body) {
        RuntimeStatus status = status(function, what, core, body);
        if (status.code() != 0) {
            throw failure(function, StuckCall.placed(what, Optional.ofNullable(core)), status);
        }
    }

    NrtException failure(String function, String what, RuntimeStatus status) {
        return new NrtException(function, what, status, describe(), List.of());
    }

    /** Binds a group that older libraries lack. */
    void require(String wanted, Class<?> group, List<String> symbols) {
        if (!library.bind(group, symbols)) {
            throw new RuntimeTooOldException(wanted, library.missing(symbols), describe());
        }
    }

    String describe() {
        return "%s (%s)".formatted(version, library.path());
    }

    /** Closes something of this runtime, which has freed it already when it is closed itself. */
    void close(Handle handle) {
        Trace by = Trace.here();
        gate.insideIfOpen(() -> handle.close(by));
    }

    /**
     * Frees models and tensors and gives the cores back. Waits for calls that are under way; when one is stuck, reading a debug stream
     * too, the cores stay taken, and no other runtime can be opened in this process, until the call has returned and this is called
     * again. May be called again and by several threads: all return when it is done.
     *
     * @throws IllegalStateException when a call is stuck
     * @throws NrtException when a model cannot be unloaded; the rest is done all the same
     */
    @Override
    public void close() {
        close(watchdog);
    }

    /**
     * Closes it as {@link #close()} does.
     *
     * @param patience how long calls that are under way are waited for; those that are overdue are not
     * @throws IllegalStateException when a call is stuck
     * @throws NrtException when a model cannot be unloaded; the rest is done all the same
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public void close(Duration patience) {
        if (closing.isHeldByCurrentThread()) {
            return;
        }
        closing.lock();
        try {
            if (!over) {
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
            over = true;
        }
        return failures;
    }

    /** A call that is overdue is not waited for once more. */
    private boolean awaitCalls(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        long left;
        do {
            left = Math.min(
                    end - System.nanoTime(), watchdog.minus(calls.longest()).toNanos());
            if (gate.awaitEmpty(Duration.ofNanos(Math.min(left, LOOK)))) {
                return true;
            }
        } while (left > 0);
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
                "The Neuron runtime was not closed, and keeps %s. Close it again when these calls have returned; otherwise the cores are free when this process ends.%s"
                        .formatted(
                                names(cores),
                                calls.now().stream()
                                        .map(call -> "\n  " + call.text())
                                        .collect(Collectors.joining())));
    }
}
