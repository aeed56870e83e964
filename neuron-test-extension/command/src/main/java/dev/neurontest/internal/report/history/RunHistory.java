package dev.neurontest.internal.report.history;

import dev.neurontest.internal.file.FileProblem;
import dev.neurontest.internal.file.InputFile;
import dev.neurontest.internal.json.JsonException;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.internal.json.RecordWriter;
import dev.neurontest.internal.report.show.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The last runs in a folder with a small file for each. Other files are not read and not changed.
 *
 * @param runs the oldest first
 * @param problems files that could not be read, with the reason
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RunHistory(List<RunRecord> runs, List<String> problems) {

    /** Maximum number of runs. */
    public static final int MOST = 30;

    static final String BEGINNING = "neuron-run-";
    static final String END = ".json";

    /** Creates an instance with its own copies. */
    public RunHistory {
        runs = List.copyOf(runs);
        problems = List.copyOf(problems);
    }

    /** Returns whether a file has the name of a record. */
    public static boolean isNamedAsRecord(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith(BEGINNING) && name.endsWith(END);
    }

    /**
     * Adds a run to a folder, and reads the last runs. A record of the same run is replaced, but no other file: if one is in the place of
     * the record, the run is left out of the folder.
     *
     * @param folder an existing folder
     * @throws IOException when the record cannot be written, or the folder cannot be read
     */
    public static RunHistory with(RunRecord run, Path folder) throws IOException {
        Path file = folder.resolve(run.file());
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS) || isRecord(file)) {
            WholeFile.write(file, out -> out.write(RecordWriter.text(run) + "\n"));
        }
        for (Path earlier : files(folder, name -> name.endsWith(run.suffix()) && !name.equals(run.file()))) {
            if (isRecord(earlier)) {
                Files.deleteIfExists(earlier);
            }
        }
        List<RunRecord> runs = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (Path each : files(folder, name -> true)) {
            if (runs.size() < MOST) {
                read(each, runs, problems);
            }
        }
        Collections.reverse(runs);
        return new RunHistory(runs, problems);
    }

    /** Returns the records of a folder, the newest first. */
    private static List<Path> files(Path folder, Predicate<String> name) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(RunHistory::isNamedAsRecord)
                    .filter(file -> name.test(file.getFileName().toString()))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
    }

    private static boolean isRecord(Path file) {
        List<RunRecord> records = new ArrayList<>();
        read(file, records, new ArrayList<>());
        return !records.isEmpty();
    }

    private static void read(Path file, List<RunRecord> runs, List<String> problems) {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                problems.add("%s is not a regular file and was not read.".formatted(file));
                return;
            }
            RunRecord read = RecordReader.OPEN.read(
                    InputFile.RUN.read(file), RunRecord.KIND, RunRecord.VERSION, RunRecord.class);
            if (runs.stream().noneMatch(newer -> newer.run().equals(read.run()))) {
                runs.add(read);
            }
        } catch (IOException unread) {
            problems.add("%s was left out: %s.".formatted(file, FileProblem.of(unread)));
        } catch (JsonException unfit) {
            problems.add("%s was left out: %s".formatted(file, unfit.placed()));
        }
    }

    /** Returns the first problem with the number of the others; empty without a problem. */
    public Optional<String> warning() {
        return problems.stream()
                .findFirst()
                .map(first -> problems.size() == 1 ? first : "%s (and %s more)".formatted(first, problems.size() - 1));
    }

    /** Returns the tests that were flaky in several runs, with the number of these runs, the most frequent first. */
    public Map<String, Long> oftenFlaky() {
        return runs.stream()
                .flatMap(run -> run.flaky().stream())
                .collect(Collectors.groupingBy(name -> name, LinkedHashMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .filter(test -> test.getValue() > 1)
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .collect(Collectors.toMap(
                        Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, LinkedHashMap::new));
    }

    /** Returns the subjects with a value in the last run and in an earlier one. */
    public List<String> subjects() {
        return runs.isEmpty()
                ? List.of()
                : runs.get(runs.size() - 1).values().stream()
                        .map(RunRecord.Value::subject)
                        .distinct()
                        .filter(subject -> runs.stream()
                                        .filter(run -> run.values().stream()
                                                .anyMatch(
                                                        value -> value.subject().equals(subject)))
                                        .count()
                                > 1)
                        .toList();
    }
}
