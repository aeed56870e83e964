package dev.neurontest.profile.capture;

import dev.neurontest.process.OutputFolder;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.TraceExport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Traces what a workload executes by itself, with its own inputs and neighbours: the runtime of the workload is told by its
 * environment to do so.
 *
 * <pre>{@code
 * InspectCapture inspect = profiler.inspect(InspectCapture.Mode.MODEL);
 * workloads.command("python", "infer.py").environment(inspect.environment()).run().requireSuccess();
 * Profile profile = inspect.graph("resnet").collect();
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class InspectCapture {

    private final Profiler profiler;
    private final Profiler.Context context;
    private final Mode mode;
    private @Nullable Path folder;
    private @Nullable String graph;
    private @Nullable Duration deadline;
    private Duration settlesWithin = Duration.ofSeconds(10);
    private boolean perfetto;
    private boolean fullJson;

    /** What the runtime traces. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Mode {
        /**
         * The first execution of each NEFF on each core, by programs that execute synchronously. Warm-up cannot be skipped, so that
         * times are in doubt.
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
        return Map.of(
                "NEURON_RT_INSPECT_ENABLE",
                "1",
                "NEURON_RT_INSPECT_DEVICE_PROFILE",
                mode.value,
                "NEURON_RT_INSPECT_SYSTEM_PROFILE",
                "0",
                "NEURON_RT_INSPECT_OUTPUT_DIR",
                outputDir.toAbsolutePath().toString());
    }

    /**
     * What the workload must be told.
     *
     * @return variables by name; the folder that they name is this capture's own
     */
    public Map<String, String> environment() {
        return new LinkedHashMap<>(environment(folder().resolve("inspect"), mode));
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
     * Writes each trace for Perfetto too, beside its NTFF.
     *
     * @return this
     */
    public InspectCapture alsoPerfetto() {
        this.perfetto = true;
        return this;
    }

    /**
     * Writes each trace as full JSON too, beside its NTFF. That takes long, and much of the disk.
     *
     * @return this
     */
    public InspectCapture alsoFullJson() {
        this.fullJson = true;
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
                                Optional.ofNullable(graph),
                                settlesWithin,
                                Optional.ofNullable(deadline),
                                TraceExport.of(perfetto, fullJson)))
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
