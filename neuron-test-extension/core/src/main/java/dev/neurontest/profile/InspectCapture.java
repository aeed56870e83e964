package dev.neurontest.profile;

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
 * Traces what a workload executes by itself, with its own inputs and neighbours: the runtime of the workload is told by its
 * environment to do so.
 *
 * <pre>{@code
 * InspectCapture inspect = profiler.inspect(InspectCapture.Mode.MODEL);
 * workloads.command("python", "infer.py").environment(inspect.environment()).run();
 * Profile profile = inspect.graph("resnet").collect();
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class InspectCapture {

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

    /** What the runtime traces. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Mode {
        /**
         * One execution of each NEFF on each core, by programs that execute synchronously: the one behind {@link #warmup}, or the first,
         * whose times are in doubt, where the runtime is older than 2.35.
         */
        MODEL("model"),
        /** Everything that a core did, in one trace; for asynchronous programs and servers, and required on PJRT. */
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
     * Returns what the workload must be told, so that its runtime traces device profiles. To be set before the runtime is loaded; not
     * together with the profiler of a framework.
     *
     * @return variables by name; the folder that they name is this capture's own
     */
    public Map<String, String> environment() {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("NEURON_RT_INSPECT_ENABLE", "1");
        variables.put("NEURON_RT_INSPECT_DEVICE_PROFILE", mode.value);
        variables.put("NEURON_RT_INSPECT_SYSTEM_PROFILE", "0");
        variables.put(
                "NEURON_RT_INSPECT_OUTPUT_DIR",
                InspectFiles.in(folder()).toAbsolutePath().toString());
        if (mode == Mode.MODEL && warmup > 0) {
            variables.put("NEURON_RT_INSPECT_DEVICE_PROFILE_NUM_WARMUP", String.valueOf(warmup));
        }
        if (system != null) {
            variables.putAll(system.variables());
        }
        return variables;
    }

    /**
     * Traces what runtime and framework do, too, in the same run. To be asked for before {@link #environment()}.
     *
     * @return what of it is traced, and its tables; always the same
     */
    public SystemCapture system() {
        if (system == null) {
            system = new SystemCapture(context, this::folder);
        }
        return system;
    }

    /**
     * How many executions of each model come before the one that is traced, where the runtime can skip them (2.35 and later) and in
     * {@link Mode#MODEL}; 1 without. A model that is executed no more often than that leaves no trace there; an older runtime traces the
     * first execution all the same. To be said before {@link #environment()} is asked for.
     *
     * @param first how many; 0 for none
     * @return this
     * @throws IllegalArgumentException when it is negative
     */
    public InspectCapture warmup(int first) {
        if (first < 0) {
            throw new IllegalArgumentException("There cannot be %s executions for warm-up.".formatted(first));
        }
        this.warmup = first;
        return this;
    }

    /**
     * Which graph is judged, where the workload executes several; without, the only one that has matmuls.
     *
     * @param part of the name or the hash of its NEFF, or of the file's name
     * @return this
     */
    public InspectCapture graph(String part) {
        this.graph = part;
        return this;
    }

    /**
     * How long files may take to be complete after the workload has ended; 10 seconds without.
     *
     * @param atMost while files come, grow, or are empty
     * @return this
     */
    public InspectCapture settlesWithin(Duration atMost) {
        this.settlesWithin = atMost;
        return this;
    }

    /**
     * Writes each trace in other formats, too, beside its NTFF.
     *
     * @param formats such as {@link TraceExport#TABLES}
     * @return this
     */
    public InspectCapture also(TraceExport... formats) {
        exports.addAll(List.of(formats));
        return this;
    }

    /**
     * Makes the metrics of what the workload left. It must have ended, since the runtime writes most of it at its end.
     *
     * @return the profile of the judged graph, also where something about it is in doubt
     * @throws CaptureException when there is no trace
     * @throws ToolNotFoundException when there is no tool
     */
    public Profile collect() {
        return profiler.made(new Inspection(context, this, folder()).profile());
    }

    private synchronized Path folder() {
        if (folder == null) {
            folder = Profiler.fresh(context.folder().get(), "profile-inline");
        }
        return folder;
    }
}
