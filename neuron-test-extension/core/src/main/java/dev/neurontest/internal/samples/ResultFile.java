package dev.neurontest.internal.samples;

import dev.neurontest.baseline.SampleDoubt;
import dev.neurontest.baseline.Samples;
import dev.neurontest.baseline.SamplesException;
import dev.neurontest.internal.file.FileProblem;
import dev.neurontest.internal.file.InputFile;
import dev.neurontest.internal.json.JsonException;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.internal.text.NearestName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A result that a program wrote into a file or printed. Its format follows from its content.
 *
 * @param program the program and its start, for messages
 * @param started start of the program by the system clock
 * @param ofProgram the reasons to doubt every result of the program
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ResultFile(String program, Instant started, List<SampleDoubt> ofProgram) {

    private static final List<ResultFormat> FORMATS = List.of(
            new OwnSamples(),
            new Nrtpy(),
            new Nxdi(),
            new VllmServe(),
            new VllmLatency(),
            new VllmThroughput(),
            new PytestBenchmark());

    /** The beginning of a line with samples in the output of a program. */
    private static final Pattern PRINTED = Pattern.compile("\\s*\\{\\s*\"" + OwnSamples.MARK + "\"\\s*:.*");

    /** Precision of the time of a change: the kernel reads its clock only at each tick. */
    private static final Duration TICK = Duration.ofMillis(10);

    private static final int MOST_NAMES = 20;

    /** Creates a reader with its own copy of the list. */
    public ResultFile {
        ofProgram = List.copyOf(ofProgram);
    }

    /**
     * Reads samples from a file.
     *
     * @throws SamplesException when the file cannot be read, has an unknown format, or does not contain the name
     */
    public Samples samples(String name, Path file) {
        String source = "%s of %s".formatted(file, program);
        String text;
        List<SampleDoubt> doubts = new ArrayList<>(ofProgram);
        try {
            text = InputFile.RESULT.text(file);
            if (isOlder(Files.getLastModifiedTime(file))) {
                doubts.add(new SampleDoubt(
                        SampleDoubt.Kind.INCOMPLETE,
                        "%s was last changed at %s, before the program started at %s: it is the result of another run"
                                .formatted(file, Files.getLastModifiedTime(file), started)));
            }
        } catch (IOException unreadable) {
            throw new SamplesException(
                    source,
                    "there is no result to read, because of %s: %s. Check where the program writes it"
                            .formatted(file.toAbsolutePath(), FileProblem.of(unreadable)));
        }
        return samples(name, text, source, doubts);
    }

    /**
     * Reads samples from the marked lines in the output of a program.
     *
     * @throws SamplesException when no line has samples, or none the name
     */
    public Samples samples(String name, String output) {
        String source = "stdout of " + program;
        String lines =
                output.lines().filter(line -> PRINTED.matcher(line).matches()).collect(Collectors.joining("\n"));
        if (lines.isEmpty()) {
            throw new SamplesException(
                    source,
                    "it has no line that begins with {\"%s\": 1, … . Print one, or name the file with the result"
                            .formatted(OwnSamples.MARK));
        }
        return samples(name, lines, source, ofProgram);
    }

    private boolean isOlder(FileTime changed) {
        Instant at = changed.toInstant();
        // Some file systems have only whole seconds.
        Duration precision = at.getNano() == 0 ? Duration.ofSeconds(1) : TICK;
        return at.plus(precision).isBefore(started);
    }

    private Samples samples(String name, String text, String source, List<SampleDoubt> doubts) {
        try {
            List<Map<String, Object>> entries = entries(text);
            ResultFormat format = format(entries);
            ResultContent content = format.read(entries, started);
            content.condition("format", format.name());
            Supplier<Series> series = content.series().get(name);
            if (series == null) {
                throw new SamplesException(
                        source, unknown(name, content.series().keySet(), format));
            }
            return series.get()
                    .samples(
                            name,
                            content.conditions(),
                            Stream.concat(doubts.stream(), content.doubts().stream())
                                    .toList(),
                            source);
        } catch (JsonException broken) {
            throw new SamplesException(source, "it is no result that can be read: %s".formatted(broken.placed()));
        }
    }

    /** Returns the objects of a file: one, several after each other, or those of an array. */
    private static List<Map<String, Object>> entries(String text) {
        List<Object> values = ResultJson.parse(text);
        if (values.size() == 1 && values.get(0) instanceof List<?>) {
            values = ResultJson.list(values.get(0)).orElseThrow();
        }
        if (values.isEmpty()) {
            throw new JsonException("is empty");
        }
        List<Map<String, Object>> entries = new ArrayList<>();
        for (Object value : values) {
            entries.add(ResultJson.object(value)
                    .orElseThrow(() -> new JsonException("has a value other than a JSON object at its top level")));
        }
        return entries;
    }

    private static ResultFormat format(List<Map<String, Object>> entries) {
        return FORMATS.stream()
                .filter(format -> entries.stream().allMatch(format::matches))
                .findFirst()
                .orElseThrow(() -> new JsonException(
                        "has no known format. Known are %s".formatted(ListText.of(FORMATS, ResultFormat::name))));
    }

    private static String unknown(String name, Collection<String> known, ResultFormat format) {
        if (known.isEmpty()) {
            return "this result (%s) has no values. A benchmark that raised an exception is absent"
                    .formatted(format.name());
        }
        List<String> nearest = known.stream()
                .sorted(Comparator.comparingInt(each -> NearestName.edits(name, each)))
                .toList();
        return "%s is not in this result (%s). It has %s"
                .formatted(name, format.name(), ListText.some(nearest, MOST_NAMES));
    }
}
