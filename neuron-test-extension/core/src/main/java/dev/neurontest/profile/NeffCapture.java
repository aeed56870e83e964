package dev.neurontest.profile;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.device.runtime.RuntimeVariables;
import dev.neurontest.internal.neff.NeffHeader;
import dev.neurontest.internal.profile.ProfilerContext;
import dev.neurontest.internal.profile.tool.ToolCall;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.runtime.NeffException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a capture: how the profiler tool executes and traces a NEFF. By default, the tool executes the NEFF twice with inputs of
 * zeros. It traces the second execution, because the first one includes start-up.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeffCapture {

    /**
     * Flags that users must not pass. Most have a method here, because this class must control the file locations and the traced
     * executions. Others produce no profile.
     */
    private static final Set<String> RESERVED_FLAGS = Set.of(
            "-n",
            "--neff",
            "-s",
            "--session-file",
            "--num-exec",
            "--profile-nth-exec",
            "--ignore-exec-errors",
            "-r",
            "--collectives-workers-per-node",
            "--collectives-worker-count",
            "--collectives-worker-start-id",
            "-i",
            "--collectives-profile-id",
            "-m",
            "-t",
            "--capture-type",
            "--disable-profile");

    private static final int SHORT_FLAG = 2;
    private static final Duration PER_MEBIBYTE = Duration.ofSeconds(1);

    private final Profiler profiler;
    private final ProfilerContext context;
    final Path neff;
    final Map<String, Path> inputs = new LinkedHashMap<>();
    final List<String> flags = new ArrayList<>();
    private int warmup = 1;
    private int measured = 1;
    boolean ignoreExecErrors;
    List<NeuronCore> cores;

    @Nullable
    Collectives collectives;

    int captures = 1;
    int recaptures;

    @Nullable
    Duration deadline;

    Duration coresFreeWithin = Duration.ofSeconds(5);
    final Set<TraceExport> exports = EnumSet.noneOf(TraceExport.class);

    NeffCapture(Profiler profiler, ProfilerContext context, Path neff) {
        this.profiler = profiler;
        this.context = context;
        exports.addAll(context.exports());
        this.neff = neff.toAbsolutePath();
        this.cores = context.cores();
        this.recaptures = context.recaptures();
        this.deadline = context.deadline().orElse(null);
    }

    /**
     * Sets the file of an input. Inputs without a file are zeros.
     *
     * @param name the name in the NEFF
     * @param file an {@code .npy} file or raw bytes
     * @return this
     * @throws IllegalArgumentException when the name is empty or looks like a flag
     */
    public NeffCapture input(String name, Path file) {
        if (name.isEmpty() || name.startsWith("-") || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "\"%s\" cannot be the name of an input: the tool would read it as a flag, or ignore it."
                            .formatted(name));
        }
        inputs.put(name, file.toAbsolutePath());
        return this;
    }

    /**
     * Sets the number of executions before the measured ones; the default is 1.
     *
     * @param first number of executions that are not measured
     * @return this
     */
    public NeffCapture warmup(int first) {
        this.warmup = first;
        return this;
    }

    /**
     * Sets the number of measured executions after the warm-up; the default is 1.
     *
     * @param behind number of executions, each with its own trace
     * @return this
     */
    public NeffCapture measured(int behind) {
        this.measured = behind;
        return this;
    }

    /**
     * Sets whether the tool continues after a failed execution, and whether such a profile counts. Executions with zero inputs may fail.
     *
     * @param ignored true to ignore errors; the default is false
     * @return this
     */
    public NeffCapture ignoreExecErrors(boolean ignored) {
        this.ignoreExecErrors = ignored;
        return this;
    }

    /**
     * Enables one shared buffer for all tensors. It uses less memory and produces wrong outputs, but times stay representative.
     *
     * @return this
     */
    public NeffCapture singleIo() {
        return option("--single-io");
    }

    /**
     * Enables tracing of dynamic DMA descriptors, which gives DMA transfers names. This may overflow queues, time out, and take longer.
     *
     * @return this
     */
    public NeffCapture dgeNotifications() {
        return option(ToolCall.DGE_NOTIFICATIONS);
    }

    /**
     * Sets the cores to execute on. The default is the cores of the test, or else of its class.
     *
     * @param cores consecutive cores of the test
     * @return this
     * @throws IllegalArgumentException when the cores are not consecutive, or the test does not hold them
     */
    public NeffCapture on(NeuronCore... cores) {
        return on(Arrays.asList(cores));
    }

    /**
     * Sets the cores to execute on. The default is the cores of the test, or else of its class.
     *
     * @param cores consecutive cores of the test
     * @return this
     * @throws IllegalArgumentException when the cores are not consecutive, or the test does not hold them
     */
    public NeffCapture on(List<NeuronCore> cores) {
        RuntimeVariables.visibleCores(cores);
        List<String> foreignCores = cores.stream()
                .filter(core -> !context.held().contains(core))
                .map(NeuronCore::name)
                .toList();
        if (!foreignCores.isEmpty()) {
            throw new IllegalArgumentException(
                    "The test does not hold %s. Declare the cores as parameters of the test, to keep other tests off them."
                            .formatted(String.join(", ", foreignCores)));
        }
        this.cores = cores.stream().sorted().distinct().toList();
        return this;
    }

    /**
     * Sets the workers that execute the NEFF.
     *
     * @param workers the workers and the traced ranks
     * @return this
     */
    public NeffCapture collectives(Collectives workers) {
        this.collectives = workers;
        return this;
    }

    /**
     * Sets the number of captures, each in a new process; the default is 1. Runs vary more than executions in one run.
     *
     * @param runs number of captures, at least 1
     * @return this
     * @throws IllegalArgumentException when the number is less than 1
     */
    public NeffCapture captures(int runs) {
        if (runs < 1) {
            throw new IllegalArgumentException("There must be at least 1 capture, not " + runs + ".");
        }
        this.captures = runs;
        return this;
    }

    /**
     * Sets how often a capture is repeated because the device was throttled. The default is the test's setting.
     *
     * @param atMost maximum for all captures together; 0 for never
     * @return this
     */
    public NeffCapture recaptures(int atMost) {
        this.recaptures = atMost;
        return this;
    }

    /**
     * Sets the time limit of each tool call. The default is 15 minutes, plus one second per MiB of the NEFF or two seconds per MiB of the
     * trace.
     *
     * @param atMost the limit; after it, the call and all processes that it started are terminated
     * @return this
     */
    public NeffCapture deadline(Duration atMost) {
        this.deadline = atMost;
        return this;
    }

    NeffCapture coresFreeWithin(Duration atMost) {
        this.coresFreeWithin = atMost;
        return this;
    }

    /**
     * Adds a tool flag that has no method here.
     *
     * @param flag a flag such as {@code --check-output-determinism}
     * @return this
     * @throws IllegalArgumentException when it is not a flag, or sets file locations or the traced executions
     */
    public NeffCapture option(String flag) {
        String name =
                flag.startsWith("--") ? flag.split("=", 2)[0] : flag.substring(0, Math.min(SHORT_FLAG, flag.length()));
        if (!flag.startsWith("-") || RESERVED_FLAGS.contains(name)) {
            throw new IllegalArgumentException(
                    "\"%s\" cannot be passed to capture: it is not a flag, or it sets what capture(neff), its other methods and the test's folder already set."
                            .formatted(flag));
        }
        flags.add(flag);
        return this;
    }

    /**
     * Adds a tool flag with a value that has no method here.
     *
     * @param flag a flag such as {@code --exec-mode}
     * @param value its value, such as {@code async}
     * @return this
     * @throws IllegalArgumentException when it is not a flag, or sets file locations or the traced executions
     */
    public NeffCapture option(String flag, String value) {
        option(flag);
        flags.add(value);
        return this;
    }

    /**
     * Adds output formats for each trace. The files are written next to the NTFF.
     *
     * @param formats formats such as {@link TraceExport#TABLES}
     * @return this
     */
    public NeffCapture also(TraceExport... formats) {
        exports.addAll(List.of(formats));
        return this;
    }

    /**
     * Runs the capture and creates the profile from its traces.
     *
     * @return the profile, even if parts of it are in doubt
     * @throws CaptureException when nothing was captured: the cores are in use, or the tool failed
     * @throws ToolNotFoundException when there is no tool
     * @throws NeffException when the NEFF cannot be read
     * @throws IllegalArgumentException when the NEFF does not fit the cores, an input is missing, or the options contradict each other
     */
    public Profile run() {
        return profiler.made(replay().run());
    }

    private NeffExecution replay() {
        TracePlan plan = new TracePlan(warmup, measured);
        NeffHeader header = NeffHeader.read(neff);
        if (header.cut()) {
            throw new IllegalArgumentException(
                    "%s is cut: its header declares %s bytes after it, and not all of them exist. Copy or compile it again."
                            .formatted(neff, header.bodyBytes()));
        }
        checkCores(header);
        inputs.forEach((name, file) -> checkFile("input \"" + name + "\"", file));
        return new NeffExecution(context, this, header, plan);
    }

    private void checkCores(NeffHeader header) {
        if (cores.isEmpty()) {
            throw new IllegalArgumentException(
                    "There are no cores to execute %s on: declare a NeuronCore as a parameter of the test."
                            .formatted(neff));
        }
        RuntimeVariables.visibleCores(cores);
        int size = context.host().logicalCoreSize();
        if (header.logicalCoreSize() > 0 && header.logicalCoreSize() != size) {
            throw new IllegalArgumentException(
                    "%s was compiled for logical cores of %s, those of this host have %s. Compile it with --lnc=%s, or set neuron.test.lnc=%s."
                            .formatted(
                                    neff,
                                    CountText.of(header.logicalCoreSize(), "physical core"),
                                    size,
                                    size,
                                    header.logicalCoreSize()));
        }
        if (collectives != null && collectives.workersPerNode() > cores.size()) {
            throw new IllegalArgumentException(
                    "%s workers need as many cores, the capture has %s (%s). Request more with @Count."
                            .formatted(
                                    collectives.workersPerNode(), cores.size(), RuntimeVariables.visibleCores(cores)));
        }
    }

    static void checkFile(String owner, Path file) {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IllegalArgumentException("The file of %s cannot be read: %s %s. Correct the path."
                    .formatted(owner, file, Files.exists(file) ? "is not a readable file" : "does not exist"));
        }
    }

    Duration captureDeadline() {
        return deadline == null ? ToolCall.deadline(neff, PER_MEBIBYTE) : deadline;
    }
}
