package dev.neurontest.workload;

import dev.neurontest.device.Family;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.device.runtime.CollectiveGroups;
import dev.neurontest.internal.device.runtime.CoreRelease;
import dev.neurontest.internal.device.runtime.RuntimeVariables;
import dev.neurontest.internal.process.ChildProcess;
import dev.neurontest.internal.process.OutputFolder;
import dev.neurontest.internal.process.Redaction;
import dev.neurontest.internal.status.RuntimeLines;
import dev.neurontest.internal.text.DurationText;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.internal.workload.NeuronVariables;
import dev.neurontest.internal.workload.Simulation;
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
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A program in any language that runs on leased cores during a test. Its Neuron runtime sees exactly these cores and writes its dumps to
 * the folder of the test. A limited amount of its output is kept, with secrets masked. All processes that it started end with it,
 * regardless of the cause of the end. A waiting thread continues only after the driver has cleaned up.
 *
 * <pre>{@code
 * NeuronWorkload.command("python", "infer.py", "--batch", "8")
 *         .on(cores)
 *         .environment("NEURON_RT_EXEC_TIMEOUT", "10")
 *         .timeout(Duration.ofMinutes(5))
 *         .run();
 * }</pre>
 *
 * <p>A server is started, awaited, used and stopped:
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
 * <p>{@link Builder#run()} and {@link #await()} throw an error when the program fails. {@link Workloads} also judges programs that no
 * thread has awaited, at the end of the test or class.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeuronWorkload implements AutoCloseable {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration POLL = Duration.ofMillis(50);

    private final Builder settings;
    private final boolean simulated;
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
        Map<String, String> inherited = System.getenv();
        Simulation simulation = Simulation.of(settings.simulated, settings.family, inherited, settings.environment);
        this.simulated = simulation.isOn();
        // A program that is simulated because of its environment keeps its cores, because it may use them too.
        this.cores = settings.simulated || simulated && settings.cores == null ? List.of() : settings.cores();
        this.readiness = new Readiness(settings.port, settings.line);
        this.reports = new RuntimeLines();
        readiness.checkPortIsFree();
        this.folder = settings.newFolder();
        Map<String, String> environment =
                simulation.environment(settings.givenEnvironment.get(), settings.environment, folder);
        this.notices = Stream.concat(
                        simulation.notices().stream(),
                        NeuronVariables.notices(settings.keepsNeuronVariables, inherited, environment))
                .toList();
        this.dgeNotifications =
                NeuronVariables.dgeNotifications(settings.keepsNeuronVariables, inherited, settings.environment);
        ChildProcess.Builder builder = ChildProcess.command(settings.command)
                .environment(NeuronVariables.environment(
                                settings.keepsNeuronVariables,
                                cores,
                                Optional.ofNullable(settings.tag),
                                folder,
                                environment)
                        .without(settings.notInherited))
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
            if (!simulated && !cores.isEmpty()) {
                settings.observer.startedOnDevice();
            }
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
     * Creates a builder for a program with arguments.
     *
     * @param program a program name that is searched in this JVM's {@code PATH}, or a path
     * @param arguments the arguments of the program, passed unchanged and without a shell
     * @return a builder with default options
     */
    public static Builder command(String program, String... arguments) {
        return command(
                Stream.concat(Stream.of(program), Arrays.stream(arguments)).toList());
    }

    /**
     * Creates a builder for a command.
     *
     * @param command the program, followed by its arguments, passed unchanged and without a shell
     * @return a builder with default options
     * @throws IllegalArgumentException when the command is empty
     */
    public static Builder command(List<String> command) {
        return new Builder(command);
    }

    /** Builder of a workload. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {

        private final List<String> command;
        private final Map<String, String> environment = new LinkedHashMap<>();
        private Supplier<Map<String, String>> givenEnvironment = Map::of;
        private @Nullable List<NeuronCore> cores;
        private String name;
        private @Nullable Duration timeout;
        private boolean keepsNeuronVariables;
        private Predicate<String> notInherited = name -> false;
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
        private boolean simulated;
        private Optional<Family> family = Optional.empty();

        private Builder(List<String> command) {
            if (command.isEmpty()) {
                throw new IllegalArgumentException("A workload needs a program: command(\"python\", \"serve.py\").");
            }
            this.command = List.copyOf(command);
            Path program = Path.of(command.get(0)).getFileName();
            this.name = program == null ? command.get(0) : program.toString();
        }

        /**
         * Sets the cores that the runtime of the program may use.
         *
         * @param cores adjacent cores, in any order; none for a program that does not use the runtime
         * @return this
         * @throws IllegalArgumentException when the cores are not adjacent
         */
        public Builder on(NeuronCore... cores) {
            return on(List.of(cores));
        }

        /**
         * Sets the cores that the runtime of the program may use, as {@code NEURON_RT_VISIBLE_CORES} and {@code NEURON_LOGICAL_NC_CONFIG}.
         *
         * @param cores adjacent cores, in any order; none for a program that does not use the runtime
         * @return this
         * @throws IllegalArgumentException when the cores are not adjacent
         */
        public Builder on(List<NeuronCore> cores) {
            RuntimeVariables.visibleCores(cores);
            this.cores = List.copyOf(cores);
            return this;
        }

        /**
         * Sets the maximum run time, whether or not a thread waits. Without it, {@link NeuronWorkload#await()} and {@link #run()} wait for
         * 10 minutes, and a server runs until it is stopped. A program that is ended at its deadline has failed.
         *
         * @param atMost maximum time from the start
         * @return this
         */
        public Builder timeout(Duration atMost) {
            this.timeout = positive("timeout", atMost);
            return this;
        }

        /**
         * Expects other exit codes than 0 if the program ends on its own.
         *
         * @param code exit code from 0 to 255; 128 plus the number of the signal for a program that a signal ends, such as 139 for SIGSEGV
         * @param others further allowed exit codes
         * @return this
         * @throws IllegalArgumentException for a number that is no exit code
         */
        public Builder expectExit(int code, int... others) {
            this.expected = expected.exiting(code, others);
            return this;
        }

        /**
         * Allows every exit code and signal if the program ends on its own. A program that is ended at its deadline has still failed.
         *
         * @return this
         */
        public Builder ignoringExit() {
            this.expected = expected.exitingAnyhow();
            return this;
        }

        /**
         * Allows the program to run until the end of its test or class. This call is not necessary for a program with a readiness
         * condition.
         *
         * @return this
         */
        public Builder endedByTest() {
            this.expected = expected.endedByTest();
            return this;
        }

        /**
         * Sets an environment variable, such as {@code NEURON_RT_EXEC_TIMEOUT}.
         *
         * @param variable name of the variable
         * @param value value that replaces an inherited value of this JVM
         * @return this
         * @throws IllegalArgumentException for a variable that is derived from the cores or the host
         */
        public Builder environment(String variable, String value) {
            NeuronVariables.check(variable);
            environment.put(variable, value);
            return this;
        }

        /**
         * Sets several environment variables, such as those of an {@code InspectCapture}.
         *
         * @param variables values by name
         * @return this
         * @throws IllegalArgumentException for a variable that is derived from the cores or the host
         */
        public Builder environment(Map<String, String> variables) {
            variables.forEach(this::environment);
            return this;
        }

        /**
         * Passes the Neuron variables of this JVM on to the program. By default, variables that begin with {@code NEURON_RT_},
         * {@code NEURON_LOGICAL} or {@code NEURON_PROCESS} are not inherited. Tests are then independent of the environment in which they
         * were started. {@code NEURON_RT_ASYNC_EXEC_MAX_INFLIGHT_REQUESTS} is never inherited.
         *
         * @return this
         */
        public Builder keepingNeuronVariables() {
            this.keepsNeuronVariables = true;
            return this;
        }

        /** @hidden */
        @API(status = API.Status.INTERNAL)
        public Builder withoutInherited(Predicate<String> names) {
            this.notInherited = names;
            return this;
        }

        /**
         * Runs the NKI kernels of the program in the simulator, on the CPU. The program gets no cores, whatever cores the test has. It gets
         * {@code NKI_SIMULATOR=1}, and {@code NEURON_PLATFORM_TARGET_OVERRIDE} for the family of the host if it is Trainium. Variables of
         * the same names in {@link #environment} or in the environment of this JVM have precedence. A program that gets
         * {@code NKI_SIMULATOR=1} from there counts as simulated without this call. It needs no cores, but keeps those of its test.
         *
         * <p>Expectations on counters, device memory, profiles and times are <em>not applicable</em> in a test with simulated programs
         * only. {@link WorkloadResult#prints} returns the prints of the kernels.
         *
         * @return this
         */
        public Builder simulated() {
            this.simulated = true;
            return this;
        }

        /**
         * Sets the working directory of the program. The default is the working directory of this JVM.
         *
         * @param existing an existing directory
         * @return this
         */
        public Builder workingDirectory(Path existing) {
            this.workingDirectory = existing;
            return this;
        }

        /**
         * Sets the parent of the folder for the output of the program and the dumps of its runtime. Without it, output is kept in memory
         * only, and the runtime is configured to write no core dumps.
         *
         * @param parent a directory, created if it does not exist
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
         * Sets the tag that monitoring tools show for the program ({@code NEURON_PROCESS_TAG}), such as the name of the test.
         *
         * @param text tag, cut at 255 bytes; some tools show only the first 31
         * @return this
         */
        public Builder tag(String text) {
            this.tag = text;
            return this;
        }

        /**
         * Sets a port as the readiness condition. The program is ready when it accepts connections on this port.
         *
         * @param onPort port of this machine's loopback interface; no other process may listen on it
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
         * Sets an output line as the readiness condition. The program is ready when it has printed a matching line on either stream.
         *
         * @param regex pattern to find in one line, before secrets are masked
         * @return this
         * @throws java.util.regex.PatternSyntaxException when it is no regular expression
         */
        public Builder readyWhenPrinted(String regex) {
            this.line = Pattern.compile(regex);
            return this;
        }

        /**
         * Sets the maximum time to become ready. The default is 2 minutes.
         *
         * @param atMost maximum time from the start of waiting
         * @return this
         */
        public Builder readyWithin(Duration atMost) {
            this.readyWithin = positive("readyWithin", atMost);
            return this;
        }

        /**
         * Sets the time between SIGTERM and SIGKILL. The default is 10 seconds.
         *
         * @param atMost time to end; with zero, the program is killed almost immediately
         * @return this
         */
        public Builder stopsWithin(Duration atMost) {
            this.stopsWithin = atMost;
            return this;
        }

        /**
         * Sets the amount of output that is kept for each of the two streams. Half of it is from the beginning and half from the end. The
         * default is 4 MiB.
         *
         * @param bytes limit in memory and in the file
         * @return this
         */
        public Builder outputLimit(long bytes) {
            this.outputLimit = bytes;
            return this;
        }

        /**
         * Sets the name of the workload in messages and of its folder. The default is the name of the program.
         *
         * @param text a name for human readers
         * @return this
         */
        public Builder name(String text) {
            this.name = text;
            return this;
        }

        /**
         * Sets the default cores without checking them. They are checked only at the start, because a workload may select some of them.
         */
        Builder defaultCores(List<NeuronCore> held) {
            this.cores = held.isEmpty() ? null : held;
            return this;
        }

        Builder observer(WorkloadObserver observer) {
            this.observer = observer;
            return this;
        }

        /** Adds variables that are computed again for each start. Variables of the user have precedence. */
        Builder givenEnvironment(Supplier<Map<String, String>> variables) {
            this.givenEnvironment = variables;
            return this;
        }

        Builder family(Optional<Family> ofHost) {
            this.family = ofHost;
            return this;
        }

        Builder owner(Workloads owner) {
            this.owner = owner;
            return this;
        }

        Builder releasedWithin(Duration atMost) {
            this.releasedWithin = atMost;
            return this;
        }

        /**
         * Starts the program. A server is not ready yet: see {@link NeuronWorkload#awaitReady()}. A program of {@link Workloads} fails its
         * test or class if it fails. It also fails its test or class if it still runs at the end, unless
         * {@linkplain #endedByTest() allowed}.
         *
         * @return the running program
         * @throws ProgramNotStartedException when there is no such program, or it cannot be run
         * @throws IllegalStateException when no cores were given, or another process listens on its port
         * @throws UncheckedIOException when its folder cannot be created
         */
        public NeuronWorkload start() {
            return owner == null ? new NeuronWorkload(this) : owner.start(() -> new NeuronWorkload(this));
        }

        /**
         * Starts the program and waits until it has ended.
         *
         * @return the result
         * @throws WorkloadFailure when the program failed; the message contains its command, end, statuses, last lines of output and
         *     advice
         * @throws ProgramNotStartedException when there is no such program, or it cannot be run
         * @throws IllegalStateException when no cores were given, or another process listens on its port
         * @throws UncheckedIOException when its folder cannot be created
         */
        public WorkloadResult run() {
            return start().await();
        }

        private List<NeuronCore> cores() {
            if (cores == null) {
                throw new IllegalStateException(
                        "The workload %s has no cores. Without cores the runtime would take all cores of the host. Call on(cores), or on() if the program does not use the runtime."
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
                        "The folder for the output of workload %s cannot be created in %s (%s). Free disk space, or choose another folder."
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
     * Returns the process id of the program.
     *
     * @return the process id, also after the end of the program
     */
    public long pid() {
        return child.handle().pid();
    }

    /**
     * Returns whether the program itself is running.
     *
     * @return false when it has ended
     */
    public boolean isAlive() {
        return child.isAlive();
    }

    /**
     * Returns the output so far, standard output before standard error.
     *
     * @return a limited amount of output, with secrets masked and complete lines only
     */
    public String output() {
        return child.stdout() + child.stderr();
    }

    /**
     * Waits until a server is ready.
     *
     * @return this
     * @throws IllegalStateException when the builder has no readiness condition
     * @throws WorkloadFailure when the program ended before it was ready, or was not ready in time and was therefore ended. Also when the
     *     waiting thread was interrupted; the thread keeps its interrupt status
     */
    public NeuronWorkload awaitReady() {
        if (!isServer()) {
            throw new IllegalStateException(
                    "The workload %s has no condition for being ready: call readyWhenListening(port) or readyWhenPrinted(regex) before you start it."
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
        return notReady(
                ended, missing.isEmpty() ? "it ended before its readiness was detected" : String.join(", ", missing));
    }

    private static WorkloadFailure notReady(WorkloadResult ended, String missing) {
        return new WorkloadFailure(ended, WorkloadMessage.notReady(ended, missing));
    }

    /**
     * Waits until the program has ended, its output is complete and its cores are free.
     *
     * @return the result
     * @throws WorkloadFailure when the program ended on its own with an unexpected exit code, or reached its deadline. Also when the
     *     waiting thread was interrupted; the thread keeps its interrupt status
     */
    public WorkloadResult await() {
        WorkloadResult ended = ended();
        if (!ended.succeeded() && !ended.stopped()) {
            throw new WorkloadFailure(ended, WorkloadMessage.of(ended));
        }
        return ended;
    }

    /**
     * Waits until the program has ended, and judges nothing.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public WorkloadResult ended() {
        return child.await(result, settings.timeout == null ? DEFAULT_TIMEOUT : null);
    }

    /**
     * Stops the program and all processes that it started. They receive SIGTERM first. Processes that remain after
     * {@link Builder#stopsWithin} receive SIGKILL. An interrupted thread still waits, for a limited time, and keeps its interrupt status.
     * The exit code after a stop is ignored. A program that failed before the stop still fails its test.
     *
     * @return the result, also when the program had already ended
     */
    public WorkloadResult stop() {
        stopped = true;
        child.stop();
        return result.join();
    }

    /** Stops the program like {@link #stop()} because its test or class is over. */
    void endWithTest() {
        endedWithTest = !stopped;
        child.stop();
        result.join();
    }

    /** Stops the program like {@link #stop()}. This method can be called repeatedly. */
    @Override
    public void close() {
        stop();
    }

    /** Returns the result if the program has ended. */
    Optional<WorkloadResult> result() {
        return Optional.ofNullable(result.getNow(null));
    }

    private WorkloadResult conclude(ChildEnd end) {
        List<String> remarks = new ArrayList<>(notices);
        RuntimeReport report = reports.report().withTexts(Redaction::mask).withDgeNotifications(dgeNotifications);
        if (report.statuses().isEmpty() && end.cause() == ChildEnd.Cause.EXITED) {
            end.exitCode()
                    .map(ExitCode::value)
                    .flatMap(RuntimeLines::ofExitCode)
                    .ifPresent(status -> remarks.add(
                            "Its exit code may be the low eight bits of %s, %s. Nothing in its output confirms that."
                                    .formatted(status, status.meaning())));
        }
        if (end.exitCode().filter(code -> code.value() == 0).isEmpty()) {
            CollectiveGroups.remark(cores, report.statuses()).ifPresent(remarks::add);
        }
        if (!end.leftRunning().isEmpty()) {
            remarks.add("It left processes running, which were ended: pid %s.".formatted(joined(end.leftRunning())));
        }
        if (end.killed()) {
            remarks.add("Some of its processes had not ended %s after SIGTERM and were killed."
                    .formatted(DurationText.limit(settings.stopsWithin)));
        }
        if (!end.survivors().isEmpty()) {
            remarks.add("Not even SIGKILL ended pid %s.".formatted(joined(end.survivors())));
        }
        remarks.addAll(end.notices());
        List<String> stillOwned = stillOwned(end);
        if (!stillOwned.isEmpty()) {
            remarks.add("%s after its end devices were still open: %s."
                    .formatted(DurationText.limit(settings.releasedWithin), String.join(", ", stillOwned)));
        }
        Supplier<WorkloadResult> ended = () -> new WorkloadResult(
                settings.name,
                Redaction.mask(settings.command),
                pid(),
                RuntimeVariables.visibleCores(cores),
                simulated,
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
                remarks);
        try {
            WorkloadResult result = ended.get();
            settings.observer.ended(child.handle(), result);
            return result;
        } catch (RuntimeException | Error refused) {
            remarks.add("An observer of workloads failed at its end: " + refused);
            return ended.get();
        }
    }

    /** Checks whether a server became ready. A server that was never ready has failed, even with exit code 0. */
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

    /**
     * Returns the devices that are still open. Unreadable information counts as an open device, because the next test must not get the
     * cores on a guess.
     */
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
