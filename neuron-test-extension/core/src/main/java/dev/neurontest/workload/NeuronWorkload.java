package dev.neurontest.workload;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.device.CollectiveGroups;
import dev.neurontest.internal.device.runtime.CoreRelease;
import dev.neurontest.internal.device.runtime.RuntimeVariables;
import dev.neurontest.internal.process.ChildProcess;
import dev.neurontest.internal.process.OutputFolder;
import dev.neurontest.internal.process.Redaction;
import dev.neurontest.internal.status.RuntimeLines;
import dev.neurontest.internal.text.DurationText;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.internal.workload.NeuronVariables;
import dev.neurontest.internal.workload.WorkloadMessage;
import dev.neurontest.internal.workload.WorkloadObserver;
import dev.neurontest.runtime.RuntimeReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A program of any language that works on leased cores while a test runs. Its Neuron runtime sees exactly these cores and writes
 * its dumps to the test's folder; its output is kept, bounded and with secrets masked. However it ends, everything that it
 * started is ended too, and the driver has cleaned up, before a thread that waits for it goes on.
 *
 * <pre>{@code
 * NeuronWorkload.command("python", "infer.py", "--batch", "8")
 *         .on(cores)
 *         .environment("NEURON_RT_EXEC_TIMEOUT", "10")
 *         .timeout(Duration.ofMinutes(5))
 *         .run();
 * }</pre>
 *
 * <p>A server is started, waited for, used and stopped:
 *
 * <pre>{@code
 * try (NeuronWorkload server = NeuronWorkload.command("python", "serve.py")
 *         .on(cores)
 *         .readyWhenListening(8000)
 *         .start()
 *         .awaitReady()) {
 *     ...
 * }
 * }</pre>
 *
 * <p>{@link Builder#run()} and {@link #await()} throw when it fails. {@link Workloads} also judges, at the end of the test or class,
 * the programs that no thread has awaited.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeuronWorkload implements AutoCloseable {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration POLL = Duration.ofMillis(50);

    private final Builder settings;
    private final List<NeuronCore> cores;
    private final ChildProcess child;
    private final Readiness readiness;
    private final RuntimeLines reports;
    private final Optional<Path> folder;
    private final List<String> notices;
    private final boolean dgeNotifications;
    private final CompletableFuture<WorkloadResult> result;
    private volatile boolean stopped;
    private volatile boolean endedWithTest;
    private volatile boolean lateToBeReady;

    private NeuronWorkload(Builder settings) {
        this.settings = settings;
        this.cores = settings.cores();
        this.readiness = new Readiness(settings.port, settings.line);
        this.reports = new RuntimeLines();
        readiness.checkPortIsFree();
        this.folder = settings.newFolder();
        Map<String, String> inherited = System.getenv();
        Map<String, String> environment = settings.environmentOfStart();
        this.notices = NeuronVariables.notices(settings.keepsNeuronVariables, inherited, environment)
                .toList();
        this.dgeNotifications =
                NeuronVariables.dgeNotifications(settings.keepsNeuronVariables, inherited, settings.environment);
        ChildProcess.Builder builder = ChildProcess.command(settings.command)
                .environment(NeuronVariables.environment(
                        settings.keepsNeuronVariables, cores, Optional.ofNullable(settings.tag), folder, environment))
                .outputLimit(settings.outputLimit)
                .stopsWithin(settings.stopsWithin)
                .locks(settings.observer.locks(cores))
                .listener(readTo(reports.output()), readTo(reports.output()));
        folder.ifPresent(builder::output);
        if (settings.workingDirectory != null) {
            builder.directory(settings.workingDirectory);
        }
        if (settings.timeout != null) {
            builder.deadline(settings.timeout);
        }
        this.child = builder.start();
        try {
            settings.observer.started(child.handle(), cores);
        } catch (RuntimeException | Error refused) {
            child.stop();
            throw refused;
        }
        this.result = child.whenEnded(this::conclude);
    }

    private Consumer<String> readTo(Consumer<String> output) {
        return line -> {
            readiness.read(line);
            output.accept(line);
        };
    }

    /**
     * Prepares a workload.
     *
     * @param program a name that is looked for in this JVM's {@code PATH}, or a path
     * @param arguments what it gets, as they are: no shell sees them
     * @return options with their defaults
     */
    public static Builder command(String program, String... arguments) {
        return command(
                Stream.concat(Stream.of(program), Arrays.stream(arguments)).toList());
    }

    /**
     * Prepares a workload.
     *
     * @param command the program, then its arguments as they are: no shell sees them
     * @return options with their defaults
     * @throws IllegalArgumentException when it is empty
     */
    public static Builder command(List<String> command) {
        return new Builder(command);
    }

    /** How a workload is started. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {

        private final List<String> command;
        private final Map<String, String> environment = new LinkedHashMap<>();
        private Supplier<Map<String, String>> givenEnvironment = Map::of;
        private @Nullable List<NeuronCore> cores;
        private String name;
        private @Nullable Duration timeout;
        private boolean keepsNeuronVariables;
        private @Nullable Path workingDirectory;
        private @Nullable Supplier<Path> folder;
        private @Nullable String tag;
        private @Nullable Integer port;
        private @Nullable Pattern line;
        private Duration readyWithin = Duration.ofMinutes(2);
        private Duration stopsWithin = Duration.ofSeconds(10);
        private Duration releasedWithin = Duration.ofSeconds(5);
        private long outputLimit = 4 << 20;
        private ExpectedEnd expected = ExpectedEnd.SUCCESS;
        private WorkloadObserver observer = WorkloadObserver.NONE;
        private @Nullable Workloads owner;

        private Builder(List<String> command) {
            if (command.isEmpty()) {
                throw new IllegalArgumentException("A workload needs a program: command(\"python\", \"serve.py\").");
            }
            this.command = List.copyOf(command);
            Path program = Path.of(command.get(0)).getFileName();
            this.name = program == null ? command.get(0) : program.toString();
        }

        /**
         * The cores that its runtime may use.
         *
         * @param which in a row, in any order; none for a program that does not use the runtime
         * @return this
         * @throws IllegalArgumentException when they are not in a row
         */
        public Builder on(NeuronCore... which) {
            return on(List.of(which));
        }

        /**
         * The cores that its runtime may use, as {@code NEURON_RT_VISIBLE_CORES} and {@code NEURON_LOGICAL_NC_CONFIG}.
         *
         * @param which in a row, in any order; none for a program that does not use the runtime
         * @return this
         * @throws IllegalArgumentException when they are not in a row
         */
        public Builder on(List<NeuronCore> which) {
            RuntimeVariables.visibleCores(which);
            this.cores = List.copyOf(which);
            return this;
        }

        /**
         * How long it may run, whether or not a thread waits for it. Without, {@link NeuronWorkload#await()} and {@link #run()}
         * wait for 10 minutes, and a server lives until it is stopped. A program that is ended at its deadline has failed.
         *
         * @param atMost from its start
         * @return this
         */
        public Builder timeout(Duration atMost) {
            this.timeout = positive("timeout", atMost);
            return this;
        }

        /**
         * Expects other exit codes than 0 where it ends by itself.
         *
         * @param code from 0 to 255; 128 and the number of a signal for a program that ends by one, such as 139 for SIGSEGV
         * @param others that it may end with, too
         * @return this
         * @throws IllegalArgumentException for a number that is no exit code
         */
        public Builder expectExit(int code, int... others) {
            this.expected = expected.exiting(code, others);
            return this;
        }

        /**
         * Allows every exit code and signal where it ends by itself. A program that is ended at its deadline has failed nevertheless.
         *
         * @return this
         */
        public Builder ignoringExit() {
            this.expected = expected.exitingAnyhow();
            return this;
        }

        /**
         * Allows the program to run until the end of its test or class ends it. A program that says when it is ready is allowed that
         * without this call.
         *
         * @return this
         */
        public Builder endedByTest() {
            this.expected = expected.endedByTest();
            return this;
        }

        /**
         * Sets a variable of its environment, such as {@code NEURON_RT_EXEC_TIMEOUT}.
         *
         * @param variable its name
         * @param value in place of what this JVM has
         * @return this
         * @throws IllegalArgumentException for what follows from the cores and from the host
         */
        public Builder environment(String variable, String value) {
            NeuronVariables.check(variable);
            environment.put(variable, value);
            return this;
        }

        /**
         * Sets several variables of its environment, such as those of an {@code InspectCapture}.
         *
         * @param variables values by name
         * @return this
         * @throws IllegalArgumentException for what follows from the cores and from the host
         */
        public Builder environment(Map<String, String> variables) {
            variables.forEach(this::environment);
            return this;
        }

        /**
         * Lets it inherit what this JVM was told about the runtime. Otherwise variables that begin with {@code NEURON_RT_},
         * {@code NEURON_LOGICAL} or {@code NEURON_PROCESS} are not passed on, and tests do not depend on who started them.
         * {@code NEURON_RT_ASYNC_EXEC_MAX_INFLIGHT_REQUESTS} is never inherited.
         *
         * @return this
         */
        public Builder keepingNeuronVariables() {
            this.keepsNeuronVariables = true;
            return this;
        }

        /**
         * Where it starts; in this JVM's working directory without.
         *
         * @param existing a directory
         * @return this
         */
        public Builder workingDirectory(Path existing) {
            this.workingDirectory = existing;
            return this;
        }

        /**
         * Where a folder for its output and for the dumps of the runtime is made. Without, output is in memory only, and the
         * runtime is told to write no core dumps.
         *
         * @param parent made when it is not there
         * @return this
         */
        public Builder folder(Path parent) {
            return folder(() -> parent);
        }

        Builder folder(Supplier<Path> parent) {
            this.folder = parent;
            return this;
        }

        /**
         * What monitoring shows for it ({@code NEURON_PROCESS_TAG}): such as the test's name.
         *
         * @param text cut at 255 bytes; some tools show the first 31 only
         * @return this
         */
        public Builder tag(String text) {
            this.tag = text;
            return this;
        }

        /**
         * It is ready when it accepts connections.
         *
         * @param onPort of this machine's loopback, which no other process may listen on
         * @return this
         */
        public Builder readyWhenListening(int onPort) {
            if (onPort < 1 || onPort > 65535) {
                throw new IllegalArgumentException("A port is a number from 1 to 65535, not " + onPort + ".");
            }
            this.port = onPort;
            return this;
        }

        /**
         * It is ready when it has printed something, on either stream.
         *
         * @param regex found in one line, before secrets are masked
         * @return this
         * @throws java.util.regex.PatternSyntaxException when it is no regular expression
         */
        public Builder readyWhenPrinted(String regex) {
            this.line = Pattern.compile(regex);
            return this;
        }

        /**
         * How long it may take to become ready; 2 minutes without.
         *
         * @param atMost from when it is waited for
         * @return this
         */
        public Builder readyWithin(Duration atMost) {
            this.readyWithin = positive("readyWithin", atMost);
            return this;
        }

        /**
         * How long it has to end between SIGTERM and SIGKILL; 10 seconds without.
         *
         * @param atMost zero kills nearly at once
         * @return this
         */
        public Builder stopsWithin(Duration atMost) {
            this.stopsWithin = atMost;
            return this;
        }

        /**
         * How much of each of its two streams is kept, half of it from the beginning and half from the end; 4 MiB without.
         *
         * @param bytes in memory and in the file
         * @return this
         */
        public Builder outputLimit(long bytes) {
            this.outputLimit = bytes;
            return this;
        }

        /**
         * What messages call it, and its folder; the program's name without.
         *
         * @param text for a person
         * @return this
         */
        public Builder name(String text) {
            this.name = text;
            return this;
        }

        /** Cores that are judged only when it starts: a workload may choose some of them. */
        Builder unlessSaid(List<NeuronCore> held) {
            this.cores = held.isEmpty() ? null : held;
            return this;
        }

        Builder observer(WorkloadObserver who) {
            this.observer = who;
            return this;
        }

        /** Adds variables that each start has anew, unless the user sets them. */
        Builder givenEnvironment(Supplier<Map<String, String>> variables) {
            this.givenEnvironment = variables;
            return this;
        }

        private Map<String, String> environmentOfStart() {
            Map<String, String> all = new LinkedHashMap<>(givenEnvironment.get());
            all.putAll(environment);
            return all;
        }

        Builder owner(Workloads who) {
            this.owner = who;
            return this;
        }

        Builder releasedWithin(Duration atMost) {
            this.releasedWithin = atMost;
            return this;
        }

        /**
         * Starts it. A server is not ready yet: see {@link NeuronWorkload#awaitReady()}. A program of {@link Workloads} fails its test or
         * class when it fails, or still runs at the end, unless it {@linkplain #endedByTest() may}.
         *
         * @return the running program
         * @throws ProgramNotStartedException when there is no such program, or it cannot be run
         * @throws IllegalStateException when no cores were given, or another process listens on its port
         * @throws UncheckedIOException when its folder cannot be made
         */
        public NeuronWorkload start() {
            return owner == null ? new NeuronWorkload(this) : owner.start(() -> new NeuronWorkload(this));
        }

        /**
         * Starts it and waits until it has ended.
         *
         * @return how it ended
         * @throws WorkloadFailure when it failed, with command, end, statuses, the last lines of output and what to do
         * @throws ProgramNotStartedException when there is no such program, or it cannot be run
         * @throws IllegalStateException when no cores were given, or another process listens on its port
         * @throws UncheckedIOException when its folder cannot be made
         */
        public WorkloadResult run() {
            return start().await();
        }

        private List<NeuronCore> cores() {
            if (cores == null) {
                throw new IllegalStateException(
                        "The workload %s has no cores, and without them the runtime would take all of the host: say on(cores), or on() when the program does not use the runtime."
                                .formatted(name));
            }
            RuntimeVariables.visibleCores(cores);
            return cores.stream().sorted().distinct().toList();
        }

        private Optional<Path> newFolder() {
            if (folder == null) {
                return Optional.empty();
            }
            Path parent = folder.get();
            try {
                return Optional.of(OutputFolder.fresh(parent, "workload-" + name));
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "The folder for the output of workload %s cannot be made in %s (%s). Choose another one, or make room."
                                .formatted(name, parent, e),
                        e);
            }
        }

        private static Duration positive(String what, Duration duration) {
            if (duration.isZero() || duration.isNegative()) {
                throw new IllegalArgumentException("%s must be longer than %s.".formatted(what, duration));
            }
            return duration;
        }
    }

    /**
     * The process id of the program.
     *
     * @return also when it has ended
     */
    public long pid() {
        return child.handle().pid();
    }

    /**
     * Whether the program itself runs.
     *
     * @return false when it has ended
     */
    public boolean isAlive() {
        return child.isAlive();
    }

    /**
     * What it printed so far, standard output before standard error.
     *
     * @return bounded, with secrets masked; a line comes when it is ended
     */
    public String output() {
        return child.stdout() + child.stderr();
    }

    /**
     * Waits until a server may be used.
     *
     * @return this
     * @throws IllegalStateException when it was not said when it is ready
     * @throws WorkloadFailure when it ended before, or is not ready in time and was ended for that, or the waiting thread was
     *     interrupted, and stays interrupted
     */
    public NeuronWorkload awaitReady() {
        if (!isServer()) {
            throw new IllegalStateException(
                    "Nothing says when %s is ready: say readyWhenListening(port) or readyWhenPrinted(regex) before it is started."
                            .formatted(settings.name));
        }
        long since = System.nanoTime();
        while (true) {
            boolean ready = readiness.isReady();
            if (!isAlive()) {
                throw notReady(ended());
            }
            if (ready) {
                return this;
            }
            if (System.nanoTime() - since >= settings.readyWithin.toNanos()) {
                String missing = String.join(", ", readiness.missing());
                lateToBeReady = true;
                throw notReady(stop(), missing + " within " + DurationText.limit(settings.readyWithin));
            }
            try {
                TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw notReady(ended());
            }
        }
    }

    private boolean isServer() {
        return settings.port != null || settings.line != null;
    }

    private WorkloadFailure notReady(WorkloadResult ended) {
        List<String> missing = readiness.missing();
        return notReady(ended, missing.isEmpty() ? "it ended before that was noticed" : String.join(", ", missing));
    }

    private static WorkloadFailure notReady(WorkloadResult ended, String missing) {
        return new WorkloadFailure(ended, WorkloadMessage.notReady(ended, missing));
    }

    /**
     * Waits until it has ended, its output is complete and its cores are free.
     *
     * @return how it ended
     * @throws WorkloadFailure when it failed: it ended by itself with another exit code than 0 or than its builder expects, or its time
     *     was up, or the waiting thread was interrupted, which then stays interrupted
     */
    public WorkloadResult await() {
        WorkloadResult ended = ended();
        if (!ended.succeeded() && !ended.stopped()) {
            throw new WorkloadFailure(ended, WorkloadMessage.of(ended));
        }
        return ended;
    }

    private WorkloadResult ended() {
        return child.await(result, settings.timeout == null ? DEFAULT_TIMEOUT : null);
    }

    /**
     * Ends it with everything that it started: SIGTERM, and SIGKILL for what is left after {@link Builder#stopsWithin}. An
     * interrupted thread waits nevertheless, which is bounded, and stays interrupted. How it ends then does not matter; a program
     * that has failed before still fails its test.
     *
     * @return how it ended, also when it had ended before
     */
    public WorkloadResult stop() {
        stopped = true;
        child.stop();
        return result.join();
    }

    /** Ends it as {@link #stop()} does, because its test or class is over. */
    void endWithTest() {
        endedWithTest = !stopped;
        child.stop();
        result.join();
    }

    /** As {@link #stop()}; may be called again. */
    @Override
    public void close() {
        stop();
    }

    /** The result when it has ended. */
    Optional<WorkloadResult> result() {
        return Optional.ofNullable(result.getNow(null));
    }

    private WorkloadResult conclude(ChildEnd end) {
        List<String> seen = new ArrayList<>(notices);
        RuntimeReport report = reports.report().withTexts(Redaction::mask).withDgeNotifications(dgeNotifications);
        if (report.statuses().isEmpty() && end.cause() == ChildEnd.Cause.EXITED) {
            end.exitCode()
                    .map(ExitCode::value)
                    .flatMap(RuntimeLines::ofExitCode)
                    .ifPresent(status -> seen.add(
                            "Its exit code may be what eight bits hold of %s, %s. Nothing that it printed confirms that."
                                    .formatted(status, status.meaning())));
        }
        if (end.exitCode().filter(code -> code.value() == 0).isEmpty()) {
            CollectiveGroups.remark(cores, report.statuses()).ifPresent(seen::add);
        }
        if (!end.leftRunning().isEmpty()) {
            seen.add("It left processes running, which were ended: pid %s.".formatted(joined(end.leftRunning())));
        }
        if (end.killed()) {
            seen.add("Not all of it ended within %s of SIGTERM: the rest was killed."
                    .formatted(DurationText.limit(settings.stopsWithin)));
        }
        if (!end.survivors().isEmpty()) {
            seen.add("Not even SIGKILL ended pid %s.".formatted(joined(end.survivors())));
        }
        seen.addAll(end.notices());
        List<String> stillOwned = stillOwned(end);
        if (!stillOwned.isEmpty()) {
            seen.add("%s after its end devices were still open: %s."
                    .formatted(DurationText.limit(settings.releasedWithin), String.join(", ", stillOwned)));
        }
        Supplier<WorkloadResult> ended = () -> new WorkloadResult(
                settings.name,
                Redaction.mask(settings.command),
                pid(),
                RuntimeVariables.visibleCores(cores),
                end.cause(),
                end.exitCode(),
                settings.expected
                        .unmet(end.cause(), end.exitCode(), endedWithTest && !isServer())
                        .or(() -> unmetReadiness(end)),
                end.killed(),
                end.started(),
                end.duration(),
                child.stdout(),
                child.stderr(),
                folder,
                report,
                end.survivors(),
                stillOwned,
                seen);
        try {
            WorkloadResult result = ended.get();
            settings.observer.ended(child.handle(), result);
            return result;
        } catch (RuntimeException | Error refused) {
            seen.add("Who observes workloads failed at its end: " + refused);
            return ended.get();
        }
    }

    /** A server that ended well, or was ended for that, has failed nevertheless where it was never ready. */
    private Optional<String> unmetReadiness(ChildEnd end) {
        if (lateToBeReady) {
            return Optional.of(
                    "%s within %s".formatted(WorkloadMessage.READY, DurationText.limit(settings.readyWithin)));
        }
        return readiness.lacksLine()
                        && end.cause() == ChildEnd.Cause.EXITED
                        && !settings.expected.anyExit()
                        && end.exitCode().filter(code -> code.value() == 0).isPresent()
                ? Optional.of("%s before its end".formatted(WorkloadMessage.READY))
                : Optional.empty();
    }

    /** What cannot be seen counts as owned: the next one must not get the cores on a guess. */
    private List<String> stillOwned(ChildEnd end) {
        if (cores.isEmpty()) {
            return List.of();
        }
        try {
            return CoreRelease.await(cores.get(0).device().host(), end.processes(), settings.releasedWithin);
        } catch (RuntimeException unseen) {
            return List.of("unknown (" + unseen + ")");
        }
    }

    private static String joined(List<Long> pids) {
        return ListText.of(pids);
    }

    @Override
    public String toString() {
        return "Workload %s (pid %s)".formatted(settings.name, pid());
    }
}
