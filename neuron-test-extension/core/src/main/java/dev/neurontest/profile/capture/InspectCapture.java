package dev.neurontest.profile.capture;

import dev.neurontest.process.OutputFolder;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.TraceExport;
import dev.neurontest.profile.tool.ToolNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
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

    private static final int WARMUP = 1;

    private final Profiler profiler;
    private final Profiler.Context context;
    private final Mode mode;
    private @Nullable Path folder;
    private @Nullable String graph;
    private @Nullable Duration deadline;
    private Duration settlesWithin = Duration.ofSeconds(10);
    private int warmup = WARMUP;
    private final Set<TraceExport> exports = EnumSet.noneOf(TraceExport.class);
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

    InspectCapture(Profiler profiler, Profiler.Context context, Mode mode) {
        this.profiler = profiler;
        this.context = context;
        exports.addAll(context.exports());
        this.mode = mode;
        this.deadline = context.deadline().orElse(null);
    }

    /**
     * What a workload must be told, so that its runtime traces device profiles and nothing else. To be set before the runtime is
     * loaded; not together with the profiler of a framework.
     *
     * @param outputDir where it writes; made by the runtime, and of one test only
     * @param mode what is traced
     * @return variables by name
     */
    public static Map<String, String> environment(Path outputDir, Mode mode) {
        return environment(outputDir, mode, WARMUP);
    }

    /**
     * The same with another number of executions that are skipped.
     *
     * @param outputDir where it writes
     * @param mode what is traced
     * @param warmup how many executions of each model are skipped by a runtime that can, from 2.35 on, in {@link Mode#MODEL} only
     * @return variables by name
     */
    public static Map<String, String> environment(Path outputDir, Mode mode, int warmup) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("NEURON_RT_INSPECT_ENABLE", "1");
        variables.put("NEURON_RT_INSPECT_DEVICE_PROFILE", mode.value);
        variables.put("NEURON_RT_INSPECT_SYSTEM_PROFILE", "0");
        variables.put("NEURON_RT_INSPECT_OUTPUT_DIR", outputDir.toAbsolutePath().toString());
        if (mode == Mode.MODEL && warmup > 0) {
            variables.put("NEURON_RT_INSPECT_DEVICE_PROFILE_NUM_WARMUP", String.valueOf(warmup));
        }
        return Map.copyOf(variables);
    }

    /**
     * What the workload must be told.
     *
     * @return variables by name; the folder that they name is this capture's own
     */
    public Map<String, String> environment() {
        Map<String, String> variables = new LinkedHashMap<>(environment(folder().resolve("inspect"), mode, warmup));
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
     * How long each call of the tool may take; 15 minutes and two seconds for each MiB of the trace without.
     *
     * @param atMost after which it is ended with everything that it started
     * @return this
     */
    public InspectCapture deadline(Duration atMost) {
        this.deadline = atMost;
        return this;
    }

    /**
     * Writes each trace in other formats, too.
     *
     * @param formats which ones
     * @return this
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public InspectCapture also(Set<TraceExport> formats) {
        exports.addAll(formats);
        return this;
    }

    /**
     * Writes each trace for Perfetto too, beside its NTFF.
     *
     * @return this
     */
    public InspectCapture alsoPerfetto() {
        exports.add(TraceExport.PERFETTO);
        return this;
    }

    /**
     * Writes each trace as full JSON too, beside its NTFF. That takes long, and much of the disk.
     *
     * @return this
     */
    public InspectCapture alsoFullJson() {
        exports.add(TraceExport.FULL_JSON);
        return this;
    }

    /**
     * Writes the tables of each trace too, in a folder beside its NTFF: {@link dev.neurontest.profile.TracedExecution#tables()}.
     *
     * @return this
     */
    public InspectCapture alsoTables() {
        exports.add(TraceExport.TABLES);
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
        Path made = folder();
        return profiler.made(new Inspection(
                        context,
                        new Inspection.Order(
                                made.resolve("inspect"),
                                made,
                                mode,
                                warmup,
                                Optional.ofNullable(graph),
                                settlesWithin,
                                Optional.ofNullable(deadline),
                                Set.copyOf(exports)))
                .profile());
    }

    private synchronized Path folder() {
        if (folder == null) {
            Path parent = context.folder().get();
            try {
                folder = OutputFolder.fresh(parent, "profile-inline");
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "The folder for a profile cannot be made in %s (%s). Choose another one, or make room."
                                .formatted(parent, e),
                        e);
            }
        }
        return folder;
    }
}
