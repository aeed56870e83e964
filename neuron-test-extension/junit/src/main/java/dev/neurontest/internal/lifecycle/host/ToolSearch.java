package dev.neurontest.internal.lifecycle.host;

import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.platform.Platform;
import dev.neurontest.internal.profile.tool.ProfilerTool;
import dev.neurontest.internal.profile.tool.ToolSchema;
import dev.neurontest.profile.ToolNotFoundException;
import dev.neurontest.workload.ProgramNotStartedException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A search for the profiler tool of a host, which runs once, on first use. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ToolSearch implements Supplier<ProfilerTool> {

    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(30);

    private final Platform platform;
    private final Settings settings;
    private final RunFile runFile;
    private @Nullable ProfilerTool tool;
    private @Nullable ToolNotFoundException none;
    private @Nullable Optional<ToolSchema> schema;

    ToolSearch(Platform platform, Settings settings, RunFile runFile) {
        this.platform = platform;
        this.settings = settings;
        this.runFile = runFile;
    }

    /**
     * Finds the tool.
     *
     * @throws ToolNotFoundException if no tool answers; each caller receives the same exception
     */
    @Override
    public synchronized ProfilerTool get() {
        if (none != null) {
            throw none;
        }
        if (tool == null) {
            try {
                tool = ProfilerTool.find(new ProfilerTool.Search(
                        platform.root(),
                        settings.value(Setting.PROFILER),
                        System.getenv().getOrDefault("PATH", ""),
                        platform.environment(),
                        ANSWERS_WITHIN));
            } catch (ToolNotFoundException found) {
                // A test that was interrupted during the search proves nothing about the tool.
                none = Thread.currentThread().isInterrupted() ? null : found;
                throw found;
            }
            runFile.append(new RunEvent.VersionKnown("profiler", tool.toString()));
            runFile.append(new RunEvent.Noticed(null, "Profiles are made by %s (%s).".formatted(tool, tool.path())));
        }
        return tool;
    }

    /** Returns the schema of the tables that the tool writes; empty without a tool, or when the tool prints none. */
    public synchronized Optional<ToolSchema> schema() {
        if (schema == null) {
            try {
                schema = ToolSchema.of(get(), platform.environment(), ANSWERS_WITHIN);
            } catch (ToolNotFoundException | ProgramNotStartedException noTool) {
                return Optional.empty();
            }
        }
        return schema;
    }
}
