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
 * How a NEFF is executed and traced by the profiler tool. Without further words it is executed twice with inputs of zeros, and the
 * second execution is traced, since the first one carries start-up.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeffCapture {

    /** Flags that have a method here, because it must be known where files go and what is traced; or that leave no profile. */
    private static final Set<String> OURS = Set.of(
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
     * Gives an input; what gets none is zeros.
     *
     * @param name as the NEFF calls it
     * @param file {@code .npy} or raw bytes
     * @return this
     * @throws IllegalArgumentException when the name is empty or would be taken for a flag
     */
    public NeffCapture input(String name, Path file) {
        if (name.isEmpty() || name.startsWith("-") || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "\"%s\" cannot be the name of an input: the tool would take it for a flag, or for nothing."
                            .formatted(name));
        }
        inputs.put(name, file.toAbsolutePath());
        return this;
    }

    /**
     * Sets how many executions come before those that are measured; 1 without.
     *
     * @param first how many are not looked at
     * @return this
     */
    public NeffCapture warmup(int first) {
        this.warmup = first;
        return this;
    }

    /**
     * Sets how many executions are measured behind those for warm-up; 1 without.
     *
     * @param behind how many, each with a trace of its own
     * @return this
     */
    public NeffCapture measured(int behind) {
        this.measured = behind;
        return this;
    }

    /**
     * Whether the tool goes on after an execution that failed, as one with zero inputs may, and whether such a profile counts.
     *
     * @param ignored false without
     * @return this
     */
    public NeffCapture ignoreExecErrors(boolean ignored) {
        this.ignoreExecErrors = ignored;
        return this;
    }

    /**
     * Lets all tensors share one buffer: less memory and wrong outputs, while times stay representative.
     *
     * @return this
     */
    public NeffCapture singleIo() {
        return option("--single-io");
    }

    /**
     * Traces dynamic DMA descriptors too, so that DMA has names. This may overflow queues, time out, and take longer.
     *
     * @return this
     */
    public NeffCapture dgeNotifications() {
        return option(ToolCall.DGE_NOTIFICATIONS);
    }

    /**
     * The cores that it is executed on; without, those of the test, or else of its class.
     *
     * @param which of the test's, in a row
     * @return this
     * @throws IllegalArgumentException when they are not in a row, or the test does not hold them
     */
    public NeffCapture on(NeuronCore... which) {
        return on(Arrays.asList(which));
    }

    /**
     * The cores that it is executed on; without, those of the test, or else of its class.
     *
     * @param which of the test's, in a row
     * @return this
     * @throws IllegalArgumentException when they are not in a row, or the test does not hold them
     */
    public NeffCapture on(List<NeuronCore> which) {
        RuntimeVariables.visibleCores(which);
        List<String> others = which.stream()
                .filter(core -> !context.held().contains(core))
                .map(NeuronCore::name)
                .toList();
        if (!others.isEmpty()) {
            throw new IllegalArgumentException(
                    "The test does not hold %s. Take the cores as parameters of the test, so that no other test uses them."
                            .formatted(String.join(", ", others)));
        }
        this.cores = which.stream().sorted().distinct().toList();
        return this;
    }

    /**
     * Executes it by several workers.
     *
     * @param workers how many, and which of them are traced
     * @return this
     */
    public NeffCapture collectives(Collectives workers) {
        this.collectives = workers;
        return this;
    }

    /**
     * How often the whole is captured, each time by a new process; once without. Runs vary more than executions in one run.
     *
     * @param runs at least 1
     * @return this
     * @throws IllegalArgumentException when it is less
     */
    public NeffCapture captures(int runs) {
        if (runs < 1) {
            throw new IllegalArgumentException("There must be at least 1 capture, not " + runs + ".");
        }
        this.captures = runs;
        return this;
    }

    /**
     * How often a capture is made again because the device was throttled; the test's setting without.
     *
     * @param atMost in all captures together, 0 for never
     * @return this
     */
    public NeffCapture recaptures(int atMost) {
        this.recaptures = atMost;
        return this;
    }

    /**
     * How long each call of the tool may take. Without, 15 minutes, and a second more for each MiB of the NEFF or two for each
     * MiB of the trace.
     *
     * @param atMost after which it is ended with everything that it started
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
     * Gives the tool a flag that has no method here.
     *
     * @param flag such as {@code --check-output-determinism}
     * @return this
     * @throws IllegalArgumentException when it is none, or one that says where files go or what is traced
     */
    public NeffCapture option(String flag) {
        String name =
                flag.startsWith("--") ? flag.split("=", 2)[0] : flag.substring(0, Math.min(SHORT_FLAG, flag.length()));
        if (!flag.startsWith("-") || OURS.contains(name)) {
            throw new IllegalArgumentException(
                    "\"%s\" cannot be given to capture: it is no flag, or says what follows from capture(neff), its other methods and the test's folder."
                            .formatted(flag));
        }
        flags.add(flag);
        return this;
    }

    /**
     * Gives the tool a flag with a value that has no method here.
     *
     * @param flag such as {@code --exec-mode}
     * @param value such as {@code async}
     * @return this
     * @throws IllegalArgumentException when it is none, or one that says where files go or what is traced
     */
    public NeffCapture option(String flag, String value) {
        option(flag);
        flags.add(value);
        return this;
    }

    /**
     * Writes each trace in other formats, too, beside its NTFF.
     *
     * @param formats such as {@link TraceExport#TABLES}
     * @return this
     */
    public NeffCapture also(TraceExport... formats) {
        exports.addAll(List.of(formats));
        return this;
    }

    /**
     * Captures, and makes the metrics of what was traced.
     *
     * @return the profile, also where something about it is in doubt
     * @throws CaptureException when nothing was captured: the cores are not free, or the tool failed
     * @throws ToolNotFoundException when there is no tool
     * @throws NeffException when the NEFF cannot be read
     * @throws IllegalArgumentException when it does not fit the cores, an input is not there, or the options contradict each other
     */
    public Profile run() {
        return profiler.made(replay().run());
    }

    private NeffExecution replay() {
        TracePlan plan = new TracePlan(warmup, measured);
        NeffHeader header = NeffHeader.read(neff);
        if (header.cut()) {
            throw new IllegalArgumentException(
                    "%s is cut: its header tells of %s bytes behind it, and not all are there. Copy or compile it again."
                            .formatted(neff, header.bodyBytes()));
        }
        checkCores(header);
        inputs.forEach((name, file) -> checkFile("input \"" + name + "\"", file));
        return new NeffExecution(context, this, header, plan);
    }

    private void checkCores(NeffHeader header) {
        if (cores.isEmpty()) {
            throw new IllegalArgumentException(
                    "There are no cores to execute %s on: take a NeuronCore as a parameter of the test."
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
                    "%s workers need as many cores, the capture has %s (%s). Ask for more by @Count."
                            .formatted(
                                    collectives.workersPerNode(), cores.size(), RuntimeVariables.visibleCores(cores)));
        }
    }

    static void checkFile(String what, Path file) {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IllegalArgumentException("The file of %s cannot be read: %s %s. Correct the path."
                    .formatted(what, file, Files.exists(file) ? "is no readable file" : "does not exist"));
        }
    }

    Duration captureDeadline() {
        return deadline == null ? ToolCall.deadline(neff, PER_MEBIBYTE) : deadline;
    }
}
