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
 * The profiler of a test. A test method receives it as a parameter:
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
    private final Consumer<Profile> store;
    private final List<Profile> profiles = new ArrayList<>();

    /**
     * Creates the profiler of a test or of a class.
     *
     * @param context the settings for each profile
     * @param store a consumer that receives each profile, even one in doubt
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Profiler(ProfilerContext context, Consumer<Profile> store) {
        this.context = context;
        this.store = store;
    }

    /**
     * Prepares the execution and tracing of a compiled model on the cores of the test, or else of its class. No other process may use the
     * cores during the capture: a workload that compiled or used the model must have ended.
     *
     * @param neff the compiled model
     * @return options with their defaults
     */
    public NeffCapture capture(Path neff) {
        return new NeffCapture(this, context, neff);
    }

    /**
     * Prepares the tracing of a workload while the test runs it.
     *
     * @param mode the extent of the trace
     * @return the capture, with the environment for the workload
     */
    public InspectCapture inspect(InspectCapture.Mode mode) {
        return new InspectCapture(this, context, mode);
    }

    /**
     * Prepares the tracing of runtime and framework while the test runs a workload, without device traces. For both kinds of traces
     * together, use {@link #inspect} and {@link InspectCapture#system()}.
     *
     * @return the capture, with the environment for the workload and the tables of its trace
     */
    public SystemCapture system() {
        return new SystemCapture(context, null);
    }

    /**
     * Creates a profile from existing traces. This executes nothing, therefore the cores may be in use.
     *
     * @param neff the executed model
     * @param ntffs its traces, one execution each
     * @return the profile, even if parts of it are in doubt
     * @throws dev.neurontest.runtime.NeffException when the model cannot be read
     * @throws CaptureException when a trace cannot be read
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

    /** Creates a folder that did not exist before. */
    static Path fresh(Path parent, String name) {
        try {
            return OutputFolder.fresh(parent, name);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The folder %s for a profile cannot be made in %s (%s). Free disk space, or choose another folder."
                            .formatted(name, parent, e),
                    e);
        }
    }

    /**
     * Returns the profiles so far, including those of failed captures.
     *
     * @return profiles in the order of their creation
     */
    public List<Profile> profiles() {
        synchronized (profiles) {
            return List.copyOf(profiles);
        }
    }

    /** Stores a profile. Throws {@link CaptureException} if nothing was captured. */
    Profile made(Profile profile) {
        synchronized (profiles) {
            profiles.add(profile);
        }
        store.accept(profile);
        if (profile.doubts().stream().anyMatch(doubt -> doubt.kind() == Doubt.Kind.NOT_CAPTURED)) {
            throw new CaptureException(profile);
        }
        return profile;
    }
}
