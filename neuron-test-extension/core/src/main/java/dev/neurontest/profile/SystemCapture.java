package dev.neurontest.profile;

import dev.neurontest.internal.process.OutputFolder;
import dev.neurontest.internal.profile.ProfilerContext;
import dev.neurontest.internal.profile.table.ParquetColumns;
import dev.neurontest.internal.profile.table.ParquetSession;
import dev.neurontest.internal.profile.tool.FailureReason;
import dev.neurontest.internal.profile.tool.ProfilerTool;
import dev.neurontest.internal.profile.tool.ToolCall;
import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.workload.ProgramNotStartedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A trace of runtime and framework during a workload, as tables for SQL queries. Environment variables make the runtime of the workload
 * write it:
 *
 * <pre>{@code
 * SystemCapture system = profiler.system();
 * workloads.command("python", "infer.py").environment(system.environment()).run();
 * assertThat(system.tables())
 *         .query("select max(duration_ns) from SystemProfileEvents where name = 'nrt_execute'")
 *         .isAtMost("2 ms");
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SystemCapture {

    private static final String ON = "1";
    private static final String EVENTS = "SystemProfileEvents";
    private static final String MOST = "NEURON_RT_INSPECT_SYS_TRACE_MAX_EVENTS_PER_NC";

    /** Number of events per core that the runtime keeps by default, without {@link #MOST}. */
    private static final long MOST_PER_CORE = 1_000_000;

    private static final Duration PER_MEBIBYTE = Duration.ofSeconds(2);

    /** Pattern of warnings about lost events. Other warnings of the tool do not concern events. */
    private static final Pattern LOSS =
            Pattern.compile("(?i)\\bdropped\\b|\\blost\\b|overflow|truncat|incomplete|partial");

    private final ProfilerContext context;
    private final Supplier<Path> place;
    private final Map<String, String> variables = new LinkedHashMap<>();
    private @Nullable Path folder;
    private Duration settlesWithin = Duration.ofSeconds(10);

    /** Creates a capture in the folder of another capture, or else in its own folder. */
    SystemCapture(ProfilerContext context, @Nullable Supplier<Path> place) {
        this.context = context;
        this.place = place == null ? this::ownFolder : place;
        variables.put("NEURON_RT_INSPECT_SYSTEM_PROFILE", ON);
    }

    /**
     * Sets a variable that selects the traced events, such as {@code NEURON_RT_INSPECT_EVENT_FILTER_TYPE}.
     *
     * @param name name of the variable
     * @param value value of the variable
     * @return this
     */
    public SystemCapture environment(String name, String value) {
        variables.put(name, value);
        return this;
    }

    /**
     * Sets how long the files may take to become complete after the workload has ended; the default is 10 seconds.
     *
     * @param atMost maximum time to wait while files appear and grow
     * @return this
     */
    public SystemCapture settlesWithin(Duration atMost) {
        this.settlesWithin = atMost;
        return this;
    }

    /** Returns the variables that a device capture does not set. */
    Map<String, String> variables() {
        return variables;
    }

    /**
     * Returns the environment variables for a workload without device traces; otherwise use {@link InspectCapture#environment()}. Set them
     * before the runtime is loaded. Do not combine them with the profiler of a framework.
     *
     * @return variables by name; they name a folder that belongs to this capture only
     */
    public Map<String, String> environment() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("NEURON_RT_INSPECT_ENABLE", ON);
        all.put("NEURON_RT_INSPECT_DEVICE_PROFILE", "0");
        all.put("NEURON_RT_INSPECT_OUTPUT_DIR", written().toAbsolutePath().toString());
        all.putAll(variables);
        return all;
    }

    /**
     * Creates the tables from the trace of the runtime. The workload must have ended, because the runtime writes most of the trace at its
     * end.
     *
     * @return the tables, such as {@code SystemProfileEvents}
     * @throws IllegalStateException when there is no trace, the tool creates no tables, or events were dropped
     * @throws dev.neurontest.profile.TablesException when the tables cannot be read
     * @throws dev.neurontest.profile.ToolNotFoundException when there is no tool
     */
    public ProfileTables tables() {
        ProfilerTool tool = context.tool().get();
        requireTrace();
        List<String> problems = new ArrayList<>();
        Path store = place.get().resolve("store");
        Path direct = place.get().resolve("tables");
        // The vendor's own clients use the first form.
        ProfileTables tables = exported(
                        tool,
                        store.resolve("profiles/global/system@latest"),
                        List.of("--data-path", store.toString()),
                        problems)
                .or(() -> exported(
                        tool,
                        direct,
                        List.of("--output-format", "parquet", "--output-file", direct.toString()),
                        problems))
                .orElseThrow(() -> failed(String.join(" ", problems)));
        requireAllEvents(tables);
        return tables;
    }

    private void requireTrace() {
        try {
            if (!InspectFiles.await(written(), settlesWithin, InspectFiles::hasSystemProfile)
                    .hasSystemProfile()) {
                throw failed(
                        "There is no %s in %s. The workload did not use the runtime, or not with the variables of environment(), or was killed: SIGKILL loses traces."
                                .formatted(InspectFiles.SYSTEM, written()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed("The test was interrupted. The traces are in %s.".formatted(written()));
        } catch (IOException e) {
            throw failed("The traces in %s cannot be listed (%s). Allow this user to read the folders in it."
                    .formatted(written(), e));
        }
    }

    private Optional<ProfileTables> exported(
            ProfilerTool tool, Path target, List<String> flags, List<String> problems) {
        List<String> arguments = new ArrayList<>(List.of("view", "-d", written().toString()));
        arguments.addAll(flags);
        arguments.addAll(List.of("--display-name", "system", "--ingest-only", "--ignore-device-profile"));
        Viewer.ONE_AT_A_TIME.lock();
        try {
            Path output = OutputFolder.fresh(place.get(), "view-system");
            ToolCall call = ToolCall.of(
                            tool.path(),
                            arguments,
                            ToolCall.environment(Optional.empty(), context.environment(), output))
                    .in(output, output)
                    .deadline(context.deadline().orElseGet(() -> ToolCall.deadline(written(), PER_MEBIBYTE)))
                    .takesLong(
                            "the view of the system profile in %s by %s".formatted(written(), tool),
                            context.observer()::takesLong)
                    .run();
            requireNoLoss(call.log().lost());
            if (call.succeeded() && Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.of(ProfileTables.of(target));
            }
            problems.add(FailureReason.of("%s was not made".formatted(target), call, output));
        } catch (IOException | ProgramNotStartedException e) {
            problems.add("%s was not made: %s".formatted(target, e.getMessage()));
        } finally {
            Viewer.ONE_AT_A_TIME.unlock();
        }
        return Optional.empty();
    }

    /**
     * Verifies that no event was dropped. Otherwise, the longest event may be missing, and a limit on the remaining events would be met
     * wrongly.
     */
    private void requireAllEvents(ProfileTables tables) {
        try (ParquetSession session = tables.session()) {
            ParquetColumns warning = new ParquetColumns(session, "Warning");
            if (warning.has("message")) {
                requireNoLoss(session.rows("SELECT DISTINCT message FROM Warning LIMIT 1000").rows().stream()
                        .map(row -> String.valueOf(row.get(0)))
                        .filter(message -> LOSS.matcher(message).find())
                        .toList());
            }
            ParquetColumns events = new ParquetColumns(session, EVENTS);
            long most = Long.parseLong(variables.getOrDefault(MOST, Long.toString(MOST_PER_CORE)));
            requireNoLoss(session
                    .rows(
                            """
                            SELECT format('core {} of process {} has {} events, and the runtime keeps the last {} of a core',
                                nc, coalesce(p::VARCHAR, '?'), n, ?)
                            FROM (SELECT %s AS i, %s AS p, %s AS nc, count(*) AS n FROM %s GROUP BY ALL)
                            WHERE nc IS NOT NULL AND n >= ? ORDER BY 1""".formatted(
                                            events.text("instance_id"),
                                            events.integer("process_id"),
                                            events.integer("nc_idx"),
                                            EVENTS),
                            most,
                            most)
                    .rows()
                    .stream()
                    .map(row -> String.valueOf(row.get(0)))
                    .toList());
        }
    }

    private void requireNoLoss(List<String> losses) {
        if (!losses.isEmpty()) {
            throw failed(
                    "Events were dropped: \"%s\". Trace less, for example with environment(\"NEURON_RT_INSPECT_EVENT_FILTER_TYPE\", \"nrt_execute\"), or keep more with %s. The existing events are in %s: ProfileTables.of(folder) reads them."
                            .formatted(String.join("\", \"", losses), MOST, place.get()));
        }
    }

    private static IllegalStateException failed(String reason) {
        return new IllegalStateException(VisibleText.of(reason));
    }

    private Path written() {
        return InspectFiles.in(place.get());
    }

    private synchronized Path ownFolder() {
        if (folder == null) {
            folder = Profiler.fresh(context.folder().get(), "profile-system");
        }
        return folder;
    }
}
