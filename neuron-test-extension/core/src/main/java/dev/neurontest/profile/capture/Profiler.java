package dev.neurontest.profile.capture;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.neff.NeffHeader;
import dev.neurontest.process.OutputFolder;
import dev.neurontest.profile.CaptureKind;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.TraceExport;
import dev.neurontest.profile.TracedExecution;
import dev.neurontest.profile.tool.ProfilerTool;
import dev.neurontest.profile.tool.ToolNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * Makes profiles of what a test runs. A test takes it as a parameter:
 *
 * <pre>{@code
 * @Test
 * void isFastEnough(NeuronCore core, Profiler profiler) {
 *     Profile profile = profiler.capture(Path.of("resnet50.neff")).warmup(2).measured(5).run();
 *     assertThat(profile).totalTime().isAtMost(Duration.ofMillis(17));
 * }
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Profiler {

    private final Context context;
    private final Consumer<Profile> keeper;
    private final List<Profile> profiles = new ArrayList<>();

    /**
     * What every profile of a test begins with.
     *
     * @param tool asked when the first one is needed; may throw {@link ToolNotFoundException}
     * @param host where the cores are
     * @param cores the cores of each capture unless it chooses others
     * @param held all cores that the test holds
     * @param folder where the test's files go, asked when the first one is needed
     * @param environment what the platform wants its programs to know
     * @param throttledFrom which share of the time under a limit makes a profile doubtful, such as 0.05
     * @param recaptures how often a throttled capture is made again, unless the test says otherwise
     * @param deadline of each call of the tool, unless the test says otherwise; empty: by the sizes of its files
     * @param exports what every trace is written as, whatever a capture asks for
     * @param startedByTest whether the test started a process, which then must be gone before a capture
     * @param observer hears of each tool on the cores
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Context(
            Supplier<ProfilerTool> tool,
            NeuronHost host,
            List<NeuronCore> cores,
            List<NeuronCore> held,
            Supplier<Path> folder,
            Map<String, String> environment,
            double throttledFrom,
            int recaptures,
            Optional<Duration> deadline,
            Set<TraceExport> exports,
            LongPredicate startedByTest,
            ProfilerObserver observer) {

        /**
         * Keeps its own copies.
         *
         * @param tool asked when it is needed
         * @param host where the cores are
         * @param cores the cores of each capture unless it chooses others
         * @param held all cores that the test holds
         * @param folder where the test's files go
         * @param environment what programs should know
         * @param throttledFrom which share of the time makes a profile doubtful
         * @param recaptures how often a throttled capture is made again
         * @param deadline of each call of the tool
         * @param exports what every trace is written as
         * @param startedByTest whether the test started a process
         * @param observer hears of tools
         */
        public Context {
            cores = List.copyOf(cores);
            held = List.copyOf(held);
            environment = Map.copyOf(environment);
            exports = Set.copyOf(exports);
        }
    }

    /**
     * Creates the profiler of one test, or of a class.
     *
     * @param context what each profile begins with
     * @param keeper takes each profile, with its doubts
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Profiler(Context context, Consumer<Profile> keeper) {
        this.context = context;
        this.keeper = keeper;
    }

    /**
     * Prepares to execute a compiled model by itself, on the cores of the test, or else of its class, and to trace it. No other process may
     * have the cores then: a workload that compiled the model, or used it, must have ended.
     *
     * @param neff the compiled model
     * @return options with their defaults
     */
    public NeffCapture capture(Path neff) {
        return new NeffCapture(this, context, neff);
    }

    /**
     * Prepares to trace what a workload executes while the test runs it.
     *
     * @param mode what the runtime traces
     * @return what the workload must be told, and what becomes of its traces
     */
    public InspectCapture inspect(InspectCapture.Mode mode) {
        return new InspectCapture(this, context, mode);
    }

    /**
     * Prepares to trace what runtime and framework do while the test runs a workload, without traces of the device. Both together are
     * {@link #inspect}, with {@link InspectCapture#system()}.
     *
     * @return what the workload must be told, and the tables of its trace
     */
    public SystemCapture system() {
        return new SystemCapture(context, null);
    }

    /**
     * Makes the metrics of traces that are there already. Nothing is executed, so that the cores may be in use.
     *
     * @param neff the model that was executed
     * @param ntffs its traces, one execution each
     * @return their profile, also where something about it is in doubt
     * @throws dev.neurontest.neff.NeffException when the model cannot be read
     * @throws CaptureException when a trace cannot
     * @throws ToolNotFoundException when there is no tool
     */
    public Profile view(Path neff, Path... ntffs) {
        Path graph = neff.toAbsolutePath();
        NeffHeader header = NeffHeader.read(graph);
        ProfileDraft draft = new ProfileDraft(context, context.deadline(), false, context.exports());
        Path folder = fresh(context.folder().get(), "profile-given");
        List<TracedExecution> executions = new ArrayList<>();
        try {
            for (int at = 0; at < ntffs.length; at++) {
                Path ntff = ntffs[at].toAbsolutePath();
                TraceFiles.Trace trace = new TraceFiles.Trace(ntff, OptionalInt.empty(), at + 1, Files.size(ntff));
                executions.addAll(draft.read(graph, Optional.of(header), trace, TraceOrigin.GIVEN, List.of(), folder));
            }
        } catch (IOException e) {
            draft.notCaptured("A trace of %s cannot be read (%s).".formatted(graph, e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            draft.notCaptured("The test was interrupted before all traces of %s were viewed.".formatted(graph));
        }
        return made(draft.profile(header.name(), CaptureKind.INLINE, executions, List.of(), folder));
    }

    /** Makes a folder that was not there before. */
    static Path fresh(Path parent, String name) {
        try {
            return OutputFolder.fresh(parent, name);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The folder %s for a profile cannot be made in %s (%s). Choose another one, or make room."
                            .formatted(name, parent, e),
                    e);
        }
    }

    /**
     * What was made so far, also where a capture failed.
     *
     * @return in the order in which they were made
     */
    public List<Profile> profiles() {
        synchronized (profiles) {
            return List.copyOf(profiles);
        }
    }

    /** Keeps a profile, and refuses one of which there is nothing. */
    Profile made(Profile profile) {
        synchronized (profiles) {
            profiles.add(profile);
        }
        keeper.accept(profile);
        if (profile.doubts().stream().anyMatch(doubt -> doubt.kind() == Doubt.Kind.NOT_CAPTURED)) {
            throw new CaptureException(profile);
        }
        return profile;
    }
}
