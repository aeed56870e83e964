package dev.neurontest.internal.profile.tool;

import dev.neurontest.profile.ToolNotFoundException;
import dev.neurontest.workload.ProgramNotStartedException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A profiler tool that was found and that reported its version. An existing file is not enough: where {@code neuron-profile} is no longer
 * supported, the file of that name may only print a notice about it.
 *
 * @param generation the generation of the tool, which determines its options
 * @param version for example {@code 2.32.7.0}
 * @param major first number of the version, which is that of the SDK
 * @param minor second number of the version, which is that of the SDK
 * @param versionText the line that contains the name and the version
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ProfilerTool(Generation generation, Path path, String version, int major, int minor, String versionText) {

    private static final String FOLDER = "opt/aws/neuron/bin";
    private static final Pattern VERSION = Pattern.compile("(?<![0-9.])([0-9]{1,5})\\.([0-9]{1,5})(?:\\.[0-9]{1,9})*");
    private static final int LONGEST_ANSWER = 200;

    /** The two tools. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Generation {
        /** {@code neuron-explorer}, since SDK 2.27. */
        EXPLORER("neuron-explorer"),
        /** {@code neuron-profile}, supported up to SDK 2.29. */
        PROFILE("neuron-profile");

        private final String program;

        Generation(String program) {
            this.program = program;
        }

        /** Returns the name of the program, such as {@code neuron-explorer}. */
        public String program() {
            return program;
        }
    }

    /**
     * The places and limits of a search for a tool.
     *
     * @param root root of the host: for {@code /}, the search path and then the usual folder; otherwise only the folder below the root
     * @param chosen the only place to search, when the user chose one
     * @param searchPath the search path of the shell, such as the value of {@code PATH}
     * @param environment variables that the platform requires for its programs
     * @param deadline limit for the answer to the version query
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Search(
            Path root, Optional<Path> chosen, String searchPath, Map<String, String> environment, Duration deadline) {

        /** Creates a search with its own copy of the environment. */
        public Search {
            environment = Map.copyOf(environment);
        }
    }

    /** A searched place, and the reason why it contains no tool. */
    public record Place(String path, String reason) {}

    /**
     * Finds a tool and queries its version: {@code neuron-explorer} in all places, then {@code neuron-profile} in all places.
     *
     * @return the first tool that reports its version
     * @throws ToolNotFoundException when no tool does, with every searched place
     */
    public static ProfilerTool find(Search search) {
        List<Place> places = new ArrayList<>();
        for (Path candidate : candidates(search)) {
            Optional<ProfilerTool> tool = probe(candidate, search, places);
            if (tool.isPresent()) {
                return tool.get();
            }
        }
        throw new ToolNotFoundException(missing(search, places));
    }

    private static String missing(Search search, List<Place> places) {
        String searched = places.stream()
                .map(place -> "\n  %s: %s".formatted(place.path(), place.reason()))
                .collect(Collectors.joining());
        String advice = search.chosen().isPresent()
                ? "Correct neuron.test.profiler, which names this tool, or remove it to search the usual places."
                : "Install the package aws-neuronx-tools (SDK 2.27 or later brings neuron-explorer), or set neuron.test.profiler to its path. neuron.test.missing decides whether such tests fail (fail) or are skipped (skip).";
        return "No profiler tool works here. Checked:%s\n%s".formatted(searched, advice);
    }

    private static List<Path> candidates(Search search) {
        if (search.chosen().isPresent()) {
            return List.of(search.chosen().get().toAbsolutePath());
        }
        List<Path> folders = new ArrayList<>();
        if (isWholeMachine(search)) {
            Stream.of(search.searchPath().split(File.pathSeparator))
                    .filter(folder -> !folder.isEmpty())
                    .flatMap(folder -> path(folder).stream())
                    .forEach(folders::add);
        }
        folders.add(search.root().toAbsolutePath().resolve(FOLDER));
        return Stream.of(Generation.values())
                .flatMap(generation -> folders.stream().map(folder -> folder.resolve(generation.program())))
                .distinct()
                .toList();
    }

    private static boolean isWholeMachine(Search search) {
        return search.root().toAbsolutePath().normalize().getNameCount() == 0;
    }

    private static Optional<Path> path(String folder) {
        try {
            return Optional.of(Path.of(folder).toAbsolutePath());
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static Optional<ProfilerTool> probe(Path candidate, Search search, List<Place> places) {
        Optional<String> unusable = unusable(candidate, search);
        if (unusable.isPresent()) {
            places.add(new Place(candidate.toString(), unusable.get()));
            return Optional.empty();
        }
        ToolCall answer;
        try {
            answer = ToolCall.of(
                            candidate,
                            List.of("--version"),
                            ToolCall.environment(Optional.empty(), search.environment(), candidate.getRoot()))
                    .deadline(search.deadline())
                    .run();
        } catch (ProgramNotStartedException refused) {
            places.add(new Place(candidate.toString(), refused.getMessage()));
            return Optional.empty();
        }
        Optional<ProfilerTool> tool = answer.succeeded() ? named(candidate, answer) : Optional.empty();
        if (tool.isEmpty()) {
            places.add(new Place(
                    candidate.toString(),
                    answer.run().end()
                            + firstLine(answer).map(" and printed: "::concat).orElse(" and printed nothing")));
        }
        return tool;
    }

    private static Optional<String> unusable(Path candidate, Search search) {
        if (!Files.exists(candidate)) {
            return Optional.of("does not exist");
        }
        if (!Files.isRegularFile(candidate) || !Files.isExecutable(candidate)) {
            return Optional.of("is not an executable file");
        }
        try {
            return search.chosen().isPresent()
                            || candidate.toRealPath().startsWith(search.root().toRealPath())
                    ? Optional.empty()
                    : Optional.of("leads out of the root " + search.root() + " by a symbolic link");
        } catch (IOException e) {
            return Optional.of("cannot be followed: " + e);
        }
    }

    /** Returns the tool of an answer. A file with the old name that prints only the name of the new tool is not a tool but a notice. */
    private static Optional<ProfilerTool> named(Path candidate, ToolCall answer) {
        List<String> lines = lines(answer).toList();
        for (Generation generation : Generation.values()) {
            Pattern ownVersion = Pattern.compile("^" + generation.program() + "\\b[^0-9]{0,20}" + VERSION.pattern());
            Optional<String> line = lines.stream()
                    .filter(each -> ownVersion.matcher(each).find())
                    .findFirst();
            if (line.isPresent()) {
                return Optional.of(of(generation, candidate, line.get()));
            }
        }
        boolean old = String.valueOf(candidate.getFileName()).contains(Generation.PROFILE.program());
        if (old && lines.stream().anyMatch(line -> line.contains(Generation.EXPLORER.program()))) {
            return Optional.empty();
        }
        return lines.stream()
                .filter(line -> VERSION.matcher(line).find())
                .findFirst()
                .map(line -> of(old ? Generation.PROFILE : Generation.EXPLORER, candidate, line));
    }

    private static ProfilerTool of(Generation generation, Path candidate, String line) {
        Matcher version = VERSION.matcher(line);
        if (!version.find()) {
            throw new IllegalArgumentException(line);
        }
        return new ProfilerTool(
                generation,
                candidate,
                version.group(),
                Integer.parseInt(version.group(1)),
                Integer.parseInt(version.group(2)),
                line);
    }

    /** Returns the first line of the answer without decoration, because a tool that refuses may print its notice in a frame. */
    private static Optional<String> firstLine(ToolCall answer) {
        return lines(answer)
                .map(line -> line.replaceAll("^[*#=\\s-]+|[*#=\\s-]+$", ""))
                .filter(line -> !line.isEmpty())
                .findFirst();
    }

    private static Stream<String> lines(ToolCall answer) {
        return (answer.stdout() + answer.stderr())
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .map(line -> line.substring(0, Math.min(LONGEST_ANSWER, line.length())));
    }

    /** Returns the name and the version, such as {@code neuron-explorer 2.32.7.0}. */
    @Override
    public String toString() {
        return generation.program() + " " + version;
    }
}
