package dev.neurontest.internal.participant.profile;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.device.runtime.RuntimeVariables;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.output.OutputCollector;
import dev.neurontest.internal.participant.Suspicions;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.platform.Platform;
import dev.neurontest.internal.profile.ProfilerContext;
import dev.neurontest.internal.profile.tool.ProfilerTool;
import dev.neurontest.internal.profile.tool.ToolSchema;
import dev.neurontest.profile.TraceExport;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The means to profile the tests of a JVM.
 *
 * @param tool finds the tool when it is first needed
 * @param schema returns the schema of the tables that the tool writes; empty if that is unknown
 * @param settings the settings for captures
 * @param heldByRuntime returns the cores of the runtime in this JVM
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Profiling(
        Platform platform,
        Supplier<ProfilerTool> tool,
        Supplier<Optional<ToolSchema>> schema,
        Settings settings,
        Supplier<List<NeuronCore>> heldByRuntime) {

    /**
     * Prepares the captures of one test; a fake host then becomes a directory.
     *
     * @param outputs collects the outputs of captured executions
     * @param used collects the cores on which tools are started
     */
    ProfilerContext of(
            TestJournal lines,
            TestCores cores,
            Suspicions suspicions,
            Set<TraceExport> exports,
            OutputCollector outputs,
            Collection<NeuronCore> used) {
        List<NeuronCore> held = withoutRuntime(cores.all());
        List<NeuronCore> ofPrograms = withoutRuntime(cores.ofPrograms());
        return new ProfilerContext(
                tool,
                settings.value(Setting.PROFILER).isPresent() || !platform.isOfThisJvm(),
                platform.host(),
                ofPrograms.isEmpty() ? held : ofPrograms,
                held,
                lines::folder,
                environment(lines),
                settings.value(Setting.PROFILE_THROTTLE),
                settings.value(Setting.PROFILE_RECAPTURES),
                settings.value(Setting.PROFILE_DEADLINE),
                exports,
                outputs,
                pid -> !isRuntime(pid)
                        && ProcessHandle.of(pid).filter(Profiling::isOurs).isPresent(),
                new ProfileJournal(lines, cores, suspicions, used));
    }

    /** Returns the cores without those of the runtime in this JVM, because the tool cannot execute anything on cores that this JVM owns. */
    private List<NeuronCore> withoutRuntime(List<NeuronCore> cores) {
        List<NeuronCore> owned = heldByRuntime.get();
        return cores.stream().filter(core -> !owned.contains(core)).toList();
    }

    private Map<String, String> environment(TestJournal lines) {
        Map<String, String> all = new LinkedHashMap<>(platform.environment());
        all.putAll(RuntimeVariables.ofTag(lines.name()));
        return all;
    }

    /**
     * Returns whether a process is this JVM with an open runtime. The runtime keeps its devices open, but its cores differ from those of
     * tests that do not use it.
     */
    private boolean isRuntime(long pid) {
        return pid == ProcessHandle.current().pid() && !heldByRuntime.get().isEmpty();
    }

    /** Returns whether a process is this JVM or one of its descendants. */
    private static boolean isOurs(ProcessHandle process) {
        return Stream.iterate(Optional.of(process), Optional::isPresent, each -> each.flatMap(ProcessHandle::parent))
                .anyMatch(each -> each.get().equals(ProcessHandle.current()));
    }
}
