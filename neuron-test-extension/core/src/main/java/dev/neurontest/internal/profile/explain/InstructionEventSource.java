package dev.neurontest.internal.profile.explain;

import dev.neurontest.internal.file.InputFile;
import dev.neurontest.internal.file.UnfitFileException;
import dev.neurontest.internal.json.JsonException;
import dev.neurontest.internal.process.Redaction;
import dev.neurontest.internal.profile.KeptEvents;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.profile.Grouping;
import dev.neurontest.profile.MetricNames;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileEvents;
import dev.neurontest.profile.ProfileEventsException;
import dev.neurontest.profile.ProfileTables;
import dev.neurontest.profile.TablesException;
import dev.neurontest.profile.TraceExport;
import dev.neurontest.profile.TracedExecution;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The location of the events of one execution.
 *
 * @param path a folder of tables, a full JSON, or kept shares
 * @param about additional known properties
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record InstructionEventSource(Path path, Kind kind, Map<String, String> about) {

    /** Description of the accepted files and folders. */
    private static final String EXPECTED =
            "the folder that the profiler's view wrote with --output-format parquet --ingest-only, its full JSON, a file"
                    + " *.events.json next to a baseline, or a folder that contains one of these";

    /** Maximum depth of the search below a folder. A second limit applies to the number of files. */
    private static final int DEEPEST = 12;

    private static final int MOST_FILES = 200_000;
    private static final int MOST_NAMED = 10;

    /** Number of bytes at the beginning of a file that contain the kind of kept shares. */
    private static final int BEGINNING = 256;

    /** The formats of events. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Kind {
        /** A folder of Parquet files. */
        TABLES("tables"),
        /** The output of {@code --output-format json}. */
        FULL_JSON("full JSON"),
        /** Sums that were kept next to a baseline. */
        SHARES("kept shares");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    /** Creates a source with its own copy of the properties. */
    public InstructionEventSource {
        about = Map.copyOf(about);
    }

    /**
     * Returns the events of a profile. Among the executions with an exported trace, it selects the one with the time nearest to that of the
     * profile.
     *
     * @return empty when the profile has neither tables nor a full JSON
     */
    public static Optional<InstructionEventSource> of(Profile profile) {
        OptionalDouble time = profile.number("total_time");
        Map<String, String> about = new TreeMap<>();
        about.put("tool", profile.tool());
        about.put("capture", profile.capture().words());
        about.put("throttling", profile.throttleClass().isEmpty() ? "none" : profile.throttleClass());
        profile.text(MetricNames.INSTANCE_TYPE).ifPresent(type -> about.put("instance", type));
        return profile.executions().stream()
                .sorted(Comparator.comparingDouble(execution -> distance(execution, time)))
                .flatMap(execution -> of(execution, about).stream())
                .findFirst();
    }

    private static double distance(TracedExecution execution, OptionalDouble time) {
        OptionalDouble actual = execution.summary().number("total_time");
        return time.isPresent() && actual.isPresent() ? Math.abs(actual.getAsDouble() - time.getAsDouble()) : 0;
    }

    private static Optional<InstructionEventSource> of(TracedExecution execution, Map<String, String> about) {
        Path tables = TraceExport.TABLES.of(execution.ntff());
        return isTables(tables)
                ? Optional.of(new InstructionEventSource(tables, Kind.TABLES, about))
                : execution.fullJson().map(json -> new InstructionEventSource(json, Kind.FULL_JSON, about));
    }

    /**
     * Finds the source that a user named.
     *
     * @param location a folder of tables, a full JSON, kept shares, or a folder that contains exactly one of these at any depth
     * @throws ProfileEventsException when there is none, or several
     */
    public static InstructionEventSource find(Path location) {
        if (Files.isRegularFile(location)) {
            if (location.toString().endsWith(".parquet")) {
                throw new ProfileEventsException(
                        "%s is one table. Expected %s: use its folder.".formatted(location, EXPECTED), null);
            }
            return new InstructionEventSource(location, isShares(location) ? Kind.SHARES : Kind.FULL_JSON, Map.of());
        }
        if (!Files.isDirectory(location)) {
            throw new ProfileEventsException(
                    (Files.exists(location) ? "%s is neither a file nor a folder" : "There is no file or folder %s")
                                    .formatted(location)
                            + ". Expected %s.".formatted(EXPECTED),
                    null);
        }
        List<InstructionEventSource> sources = sourcesBelow(location);
        if (sources.size() == 1) {
            return sources.get(0);
        }
        throw new ProfileEventsException(
                sources.isEmpty()
                        ? "%s contains no events of a profile. Expected %s. Tests keep tables with @ProfileNeff(tables = true)."
                                .formatted(location, EXPECTED)
                        : "%s contains the events of %s. Choose one of them:\n%s%s"
                                .formatted(
                                        location,
                                        CountText.of(sources.size(), "profile"),
                                        sources.stream()
                                                .limit(MOST_NAMED)
                                                .map(source -> "  " + source.path())
                                                .collect(Collectors.joining("\n")),
                                        sources.size() > MOST_NAMED
                                                ? "\n  and %s more".formatted(sources.size() - MOST_NAMED)
                                                : ""),
                null);
    }

    private static List<InstructionEventSource> sourcesBelow(Path folder) {
        try (Stream<Path> all = Files.walk(folder, DEEPEST)) {
            List<InstructionEventSource> sources = all.limit(MOST_FILES)
                    .flatMap(path -> recognized(path).stream())
                    .sorted(Comparator.comparing(InstructionEventSource::path))
                    .toList();
            Set<Path> ofTables = sources.stream()
                    .filter(source -> source.kind() == Kind.TABLES)
                    .map(InstructionEventSource::path)
                    .collect(Collectors.toSet());
            // One trace may have both tables and full JSON.
            return sources.stream()
                    .filter(source ->
                            source.kind() != Kind.FULL_JSON || !ofTables.contains(TraceExport.TABLES.of(source.path())))
                    .toList();
        } catch (IOException | UncheckedIOException unreadable) {
            throw new ProfileEventsException(
                    "%s cannot be searched (%s). Expected %s.".formatted(folder, unreadable, EXPECTED), unreadable);
        }
    }

    private static Optional<InstructionEventSource> recognized(Path path) {
        if (isTables(path)) {
            return Optional.of(new InstructionEventSource(path, Kind.TABLES, Map.of()));
        }
        if (!path.toString().endsWith(".json") || !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        String name = path.getFileName().toString();
        if (isShares(path)) {
            return Optional.of(new InstructionEventSource(path, Kind.SHARES, Map.of()));
        }
        boolean ofTrace =
                name.equals("ntff.json") || Files.exists(path.resolveSibling(name.replaceFirst("\\.json$", ".ntff")));
        return ofTrace ? Optional.of(new InstructionEventSource(path, Kind.FULL_JSON, Map.of())) : Optional.empty();
    }

    private static boolean isTables(Path folder) {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "{Instruction,Instruction_*}.parquet")) {
            return files.iterator().hasNext();
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static boolean isShares(Path file) {
        try (InputStream in = InputFile.EVENTS.open(file)) {
            return new String(in.readNBytes(BEGINNING), StandardCharsets.UTF_8).contains("\"" + KeptEvents.KIND + "\"");
        } catch (IOException unreadable) {
            return false;
        }
    }

    /**
     * Reads and sums the events, with memory that does not depend on their number.
     *
     * @return the rows, with masked secrets in names
     * @throws ProfileEventsException when the events cannot be read to their end
     */
    public ProfileEvents events() {
        try {
            if (kind == Kind.SHARES) {
                return KeptEvents.read(path, InputFile.SHARES.read(path));
            }
            ProfileEvents events = kind == Kind.FULL_JSON
                    ? ProfileEvents.read(path)
                    : ProfileEvents.sums(ProfileTables.of(path).require(List.of("Summary")));
            if (Stream.of(Grouping.values()).allMatch(by -> events.rows(by).isEmpty())) {
                throw new ProfileEventsException(
                        "%s contains no instruction and no transfer. Expected %s.".formatted(path, EXPECTED), null);
            }
            return events.renamed(Redaction::mask).about(about).about(Map.of("format", kind.words));
        } catch (TablesException broken) {
            throw new ProfileEventsException(String.valueOf(broken.getMessage()), broken);
        } catch (UnfitFileException unfit) {
            throw new ProfileEventsException("%s %s. Expected %s.".formatted(path, unfit.getReason(), EXPECTED), unfit);
        } catch (JsonException wrong) {
            throw new ProfileEventsException(
                    "%s: %s. Restore the file from version control, or accept the baseline again to create it."
                            .formatted(path, wrong.placed()),
                    wrong);
        } catch (IOException unreadable) {
            throw new ProfileEventsException(
                    "%s cannot be read (%s). Expected %s.".formatted(path, unreadable, EXPECTED), unreadable);
        }
    }
}
