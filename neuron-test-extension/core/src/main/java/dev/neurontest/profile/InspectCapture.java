package dev.neurontest.profile;

import dev.neurontest.internal.process.ProgramFolder;
import dev.neurontest.internal.profile.ProfilerContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A capture of the executions of a workload, with the workload's own inputs and concurrent load. Environment variables make the runtime of
 * the workload write the traces.
 *
 * <pre>{@code
 * InspectCapture inspect = profiler.inspect(InspectCapture.Mode.MODEL);
 * workloads.command("python", "infer.py").environment(inspect.environment()).run();
 * Profile profile = inspect.graph("resnet").collect();
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class InspectCapture {

    private static final String OUTPUT_DIR = "NEURON_RT_INSPECT_OUTPUT_DIR";

    private final Profiler profiler;
    private final ProfilerContext context;
    final Mode mode;
    private @Nullable Path folder;

    @Nullable
    String graph;

    Duration settlesWithin = Duration.ofSeconds(10);
    int warmup = 1;
    final Set<TraceExport> exports = EnumSet.noneOf(TraceExport.class);
    private @Nullable SystemCapture system;
    final InspectedPrograms programs = new InspectedPrograms();

    /** The extent of the runtime's trace. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Mode {
        /**
         * One execution of each NEFF on each core, for programs that execute synchronously. The runtime traces the execution after
         * {@link #warmup}. A runtime older than 2.35 traces the first execution, and its times are in doubt.
         */
        MODEL("model"),
        /** All activity of a core in one trace. This mode is for asynchronous programs and servers, and PJRT requires it. */
        SESSION("session");

        private final String value;

        Mode(String value) {
            this.value = value;
        }
    }

    InspectCapture(Profiler profiler, ProfilerContext context, Mode mode) {
        this.profiler = profiler;
        this.context = context;
        exports.addAll(context.exports());
        this.mode = mode;
    }

    /**
     * Returns the environment variables that make the runtime of the workload trace device profiles. Set them before the runtime is loaded.
     * Do not combine them with the profiler of a framework.
     *
     * @return variables by name; they name a folder that belongs to this capture only
     */
    public Map<String, String> environment() {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("NEURON_RT_INSPECT_ENABLE", "1");
        variables.put("NEURON_RT_INSPECT_DEVICE_PROFILE", mode.value);
        variables.put("NEURON_RT_INSPECT_SYSTEM_PROFILE", "0");
        variables.put(OUTPUT_DIR, InspectFiles.in(folder()).toAbsolutePath().toString());
        if (mode == Mode.MODEL && warmup > 0) {
            variables.put("NEURON_RT_INSPECT_DEVICE_PROFILE_NUM_WARMUP", String.valueOf(warmup));
        }
        if (system != null) {
            variables.putAll(system.variables());
        }
        return variables;
    }

    /**
     * Enables tracing of the runtime and the framework in the same run. Call it before {@link #environment()}.
     *
     * @return the settings and tables of this trace; always the same object
     */
    public SystemCapture system() {
        if (system == null) {
            system = new SystemCapture(context, this::folder);
        }
        return system;
    }

    /**
     * Sets the number of executions of each model before the traced one; the default is 1. It applies to {@link Mode#MODEL} and to runtimes
     * that can skip executions (2.35 and later). There, a model with no more executions than that leaves no trace. An older runtime still
     * traces the first execution. Call it before {@link #environment()}.
     *
     * @param first number of executions to skip; 0 for none
     * @return this
     * @throws IllegalArgumentException when the number is negative
     */
    public InspectCapture warmup(int first) {
        if (first < 0) {
            throw new IllegalArgumentException(
                    "The number of warm-up executions must not be negative, but was %s.".formatted(first));
        }
        this.warmup = first;
        return this;
    }

    /**
     * Selects the graph to judge if the workload executes several. By default, it is the only graph with matmuls.
     *
     * @param part a part of the name or hash of its NEFF, or of the file name
     * @return this
     */
    public InspectCapture graph(String part) {
        this.graph = part;
        return this;
    }

    /**
     * Sets how long the files may take to become complete after the workload has ended; the default is 10 seconds.
     *
     * @param atMost maximum time to wait while files appear, grow, or are empty
     * @return this
     */
    public InspectCapture settlesWithin(Duration atMost) {
        this.settlesWithin = atMost;
        return this;
    }

    /**
     * Adds output formats for each trace. The files are written next to the NTFF.
     *
     * @param formats formats such as {@link TraceExport#TABLES}
     * @return this
     */
    public InspectCapture also(TraceExport... formats) {
        exports.addAll(List.of(formats));
        return this;
    }

    /**
     * Creates the profile from the traces that the workload left. The workload must have ended, because the runtime writes most of the
     * trace at its end.
     *
     * @return the profile of the judged graph, even if parts of it are in doubt
     * @throws CaptureException when there is no trace
     * @throws ToolNotFoundException when there is no tool
     */
    public Profile collect() {
        return profiler.made(new Inspection(context, this, folder()).profile());
    }

    /**
     * Returns the folder for the traces of programs on several hosts.
     *
     * @return a folder whose files are added to this capture
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public ProgramFolder ofPrograms() {
        return new ProgramFolder("inspect", OUTPUT_DIR, files -> programs.add(InspectFiles.in(folder()), files));
    }

    private synchronized Path folder() {
        if (folder == null) {
            folder = Profiler.fresh(context.folder().get(), "profile-inline");
        }
        return folder;
    }
}
