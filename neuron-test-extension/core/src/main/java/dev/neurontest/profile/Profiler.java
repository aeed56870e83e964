package dev.neurontest.profile;

import dev.neurontest.internal.neff.NeffHeader;
import dev.neurontest.internal.process.OutputFolder;
import dev.neurontest.internal.profile.ProfilerContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
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

    private final ProfilerContext context;
    private final Consumer<Profile> keeper;
    private final List<Profile> profiles = new ArrayList<>();

    /**
     * Creates the profiler of one test, or of a class.
     *
     * @param context what each profile begins with
     * @param keeper takes each profile, with its doubts
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Profiler(ProfilerContext context, Consumer<Profile> keeper) {
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
     * @throws dev.neurontest.runtime.NeffException when the model cannot be read
     * @throws CaptureException when a trace cannot
     * @throws ToolNotFoundException when there is no tool
     */
    public Profile view(Path neff, Path... ntffs) {
        Path graph = neff.toAbsolutePath();
        NeffHeader header = NeffHeader.read(graph);
        ProfileDraft draft = new ProfileDraft(context, context.deadline(), false, context.exports());
        Path folder = context.folder().get();
        List<TracedExecution> executions = new ArrayList<>();
        try {
            folder = fresh(folder, "profile-given");
            for (int at = 0; at < ntffs.length; at++) {
                Path ntff = ntffs[at].toAbsolutePath();
                TraceFiles.Trace trace = new TraceFiles.Trace(ntff, OptionalInt.empty(), at + 1, Files.size(ntff));
                executions.addAll(draft.read(graph, Optional.of(header), trace, TraceOrigin.GIVEN, List.of(), folder));
            }
        } catch (UncheckedIOException e) {
            draft.notCaptured(String.valueOf(e.getMessage()));
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
