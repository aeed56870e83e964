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
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A profiler tool that was found, and that answered when it was asked for its version. That the file is there is not enough:
 * where {@code neuron-profile} is no longer supported, one of its name may only say so.
 *
 * @param generation what it understands
 * @param path the program
 * @param version such as {@code 2.32.7.0}
 * @param major the first number of the version, which is that of the SDK
 * @param minor the second number of the version, which is that of the SDK
 * @param versionText the line by which it named itself
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ProfilerTool(Generation generation, Path path, String version, int major, int minor, String versionText) {

    private static final String FOLDER = "opt/aws/neuron/bin";
    private static final Pattern VERSION = Pattern.compile("(?<![0-9.])([0-9]{1,5})\\.([0-9]{1,5})(?:\\.[0-9]{1,9})*");
    private static final int LONGEST_ANSWER = 200;

    /** Which of the two tools it is. */
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

        /**
         * What the program is called.
         *
         * @return such as {@code neuron-explorer}
         */
        public String program() {
            return program;
        }
    }

    /**
     * Where a tool is looked for.
     *
     * @param root of the host: on {@code /} through the search path and then in the usual folder, otherwise only below it
     * @param chosen the only place to look at, when the user chose one
     * @param searchPath of the shell, such as the value of {@code PATH}
     * @param environment what the platform wants its programs to know
     * @param deadline how long a tool may take to tell its version
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Search(
            Path root, Optional<Path> chosen, String searchPath, Map<String, String> environment, Duration deadline) {

        /**
         * Keeps its own copy.
         *
         * @param root of the host
         * @param chosen the only place to look at
         * @param searchPath of the shell
         * @param environment what programs should know
         * @param deadline for telling the version
         */
        public Search {
            environment = Map.copyOf(environment);
        }
    }

    /** A place that was looked at, and why there is no tool. */
    public record Place(String path, String reason) {}

    /**
     * Looks for a tool and asks it for its version: {@code neuron-explorer} everywhere, then {@code neuron-profile} everywhere.
     *
     * @param search where
     * @return the first that answers
     * @throws ToolNotFoundException when none does, with every place that was looked at
     */
    public static ProfilerTool find(Search search) {
        List<Place> places = new ArrayList<>();
        for (Path candidate : candidates(search)) {
            Optional<ProfilerTool> tool = probe(candidate, search, places);
            if (tool.isPresent()) {
                return tool.get();
            }
        }
        throw new ToolNotFoundException(search, places);
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
                            + firstLine(answer).map(" and said: "::concat).orElse(" and said nothing")));
        }
        return tool;
    }

    private static Optional<String> unusable(Path candidate, Search search) {
        if (!Files.exists(candidate)) {
            return Optional.of("does not exist");
        }
        if (!Files.isRegularFile(candidate) || !Files.isExecutable(candidate)) {
            return Optional.of("is no executable file");
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

    /** A file of the old name that speaks of the new tool and not of itself only says where to go. */
    private static Optional<ProfilerTool> named(Path candidate, ToolCall answer) {
        List<String> lines = lines(answer).toList();
        for (Generation generation : Generation.values()) {
            Pattern self = Pattern.compile("^" + generation.program() + "\\b[^0-9]{0,20}" + VERSION.pattern());
            Optional<String> line =
                    lines.stream().filter(each -> self.matcher(each).find()).findFirst();
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

    /** A tool that refuses may say so in a frame. */
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

    /**
     * Name and version.
     *
     * @return such as {@code neuron-explorer 2.32.7.0}
     */
    @Override
    public String toString() {
        return generation.program() + " " + version;
    }
}
