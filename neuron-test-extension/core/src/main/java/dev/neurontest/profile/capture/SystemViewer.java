package dev.neurontest.profile.capture;

import dev.neurontest.process.OutputFolder;
import dev.neurontest.process.ProgramNotStartedException;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.ToolRun;
import dev.neurontest.profile.system.SystemEvents;
import dev.neurontest.profile.system.SystemProfile;
import dev.neurontest.profile.table.ProfileTables;
import dev.neurontest.profile.table.TablesException;
import dev.neurontest.profile.tool.FailureReason;
import dev.neurontest.profile.tool.ProfilerTool;
import dev.neurontest.profile.tool.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a system profile of what the runtime left, by {@code view -d}: tables, or where they cannot be made or read, the JSON of tools up
 * to SDK 2.33. Traces of the device are viewed each by itself.
 */
final class SystemViewer {

    private static final String NAME = "system";
    private static final Duration AT_LEAST = Duration.ofMinutes(15);
    private static final Duration PER_MEBIBYTE = Duration.ofSeconds(2);

    private final ProfilerTool tool;
    private final Profiler.Context context;
    private final Optional<Duration> deadline;
    private final Path folder;
    private final long mostPerCore;
    private final List<ToolRun> runs = new ArrayList<>();
    private final List<Doubt> doubts = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();
    private @Nullable Path tables;

    /**
     * Nothing is viewed yet.
     *
     * @param deadline of each call; empty: by the size of the trace
     * @param folder below which files are written
     * @param mostPerCore how many events of a core the runtime kept at most
     */
    SystemViewer(
            ProfilerTool tool, Profiler.Context context, Optional<Duration> deadline, Path folder, long mostPerCore) {
        this.tool = tool;
        this.context = context;
        this.deadline = deadline;
        this.folder = folder;
        this.mostPerCore = mostPerCore;
    }

    /** Takes over what came before: calls that are over, in whose logs losses are looked for. */
    SystemViewer after(String command, ToolCall call) {
        took(command, call);
        return this;
    }

    private void took(String command, ToolCall call) {
        runs.add(call.run());
        if (call.succeeded()) {
            ValidityChecks.printedErrors(command, call.log()).ifPresent(notices::add);
        }
        List<String> lines = call.log().lost();
        if (!lines.isEmpty()) {
            dropped("%s lost events: \"%s\". Trace less, such as by eventTypes(...), or keep more by mostEvents(...)."
                    .formatted(command, String.join("\", \"", lines)));
        }
    }

    private void dropped(String reason) {
        doubts.add(new Doubt(Doubt.Kind.DROPPED_NOTIFICATIONS, reason));
    }

    /** Why there is nothing to view. */
    SystemProfile nothing(String title, String reason) {
        doubts.add(new Doubt(Doubt.Kind.NOT_CAPTURED, reason));
        return profile(title, SystemEvents.NONE, List.of());
    }

    /** What the runtime left in a folder. */
    SystemProfile view(String title, Path session) {
        Optional<SystemEvents> read =
                tool.generation() == ProfilerTool.Generation.EXPLORER ? ofTables(session) : Optional.empty();
        if (read.isEmpty()) {
            read = ofJson(session);
        }
        if (read.isEmpty()) {
            doubts.add(new Doubt(Doubt.Kind.UNREADABLE, String.join(" ", problems)));
            return profile(title, SystemEvents.NONE, List.of());
        }
        read.get().dropped().forEach(this::dropped);
        return profile(
                title,
                read.get(),
                Stream.of(problems.stream(), notices.stream(), read.get().warnings().stream())
                        .flatMap(each -> each)
                        .distinct()
                        .toList());
    }

    private SystemProfile profile(String title, SystemEvents read, List<String> notices) {
        return new SystemProfile(
                title, tool.toString(), read, doubts, notices, runs, folder, Optional.ofNullable(tables));
    }

    /** The form that the vendor's own clients use, then the other one. */
    private Optional<SystemEvents> ofTables(Path session) {
        Path store = folder.resolve("store");
        Path direct = folder.resolve("tables");
        return ofTables(
                        session,
                        store.resolve("profiles/global").resolve(NAME + "@latest"),
                        "--data-path",
                        store.toString(),
                        "--display-name",
                        NAME,
                        "--ingest-only")
                .or(() -> {
                    if (tables != null) {
                        return Optional.empty();
                    }
                    return ofTables(
                            session,
                            direct,
                            "--output-format",
                            "parquet",
                            "--output-file",
                            direct.toString(),
                            "--display-name",
                            NAME,
                            "--ingest-only");
                });
    }

    private Optional<SystemEvents> ofTables(Path session, Path made, String... flags) {
        if (!made(session, made, flags)) {
            return Optional.empty();
        }
        tables = made;
        try {
            return Optional.of(SystemEvents.of(ProfileTables.of(made), mostPerCore));
        } catch (TablesException e) {
            problems.add(String.valueOf(e.getMessage()));
            if (e.kind() == TablesException.Kind.NO_TABLE) {
                tables = null;
            }
            return Optional.empty();
        }
    }

    private Optional<SystemEvents> ofJson(Path session) {
        Path made = folder.resolve("system_profile.json");
        if (!made(session, made, "--output-format", "json", "--output-file", made.toString())) {
            return Optional.empty();
        }
        try {
            return Optional.of(SystemEvents.of(made, mostPerCore));
        } catch (IOException e) {
            problems.add(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private boolean made(Path session, Path made, String... flags) {
        List<String> arguments = new ArrayList<>(List.of("view", "-d", session.toString()));
        arguments.addAll(List.of(flags));
        arguments.add("--ignore-device-profile");
        Viewer.ONE_AT_A_TIME.lock();
        try {
            Path output = OutputFolder.fresh(folder, "view-" + NAME);
            ToolCall call = ToolCall.of(
                            tool.path(),
                            arguments,
                            ToolCall.environment(Optional.empty(), context.environment(), output))
                    .in(output, output)
                    .deadline(deadline.orElseGet(() -> deadlineFor(session)))
                    .takesLong(
                            "the view of the system profile in %s by %s".formatted(session, tool),
                            context.observer()::takesLong)
                    .run();
            took("view", call);
            if (call.succeeded()) {
                ValidityChecks.printedErrors("view", call.log()).ifPresent(notices::add);
            }
            if (call.succeeded() && Files.exists(made, LinkOption.NOFOLLOW_LINKS)) {
                return true;
            }
            problems.add(FailureReason.of("%s was not made".formatted(made), call, output));
        } catch (IOException | ProgramNotStartedException e) {
            problems.add("%s was not made: %s".formatted(made, e.getMessage()));
        } finally {
            Viewer.ONE_AT_A_TIME.unlock();
        }
        return false;
    }

    private static Duration deadlineFor(Path session) {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(session)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                bytes += Files.size(file);
            }
        } catch (IOException | java.io.UncheckedIOException unknown) {
            return AT_LEAST;
        }
        return AT_LEAST.plus(PER_MEBIBYTE.multipliedBy(bytes >> 20));
    }
}
