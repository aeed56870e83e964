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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A result that a program wrote into a file or printed. Its format follows from its content.
 *
 * @param program the program and its start, for messages
 * @param started start of the program by the system clock
 * @param ended end of the program and of all processes that it started
 * @param ofProgram the reasons to doubt every result of the program
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ResultFile(String program, Instant started, Instant ended, List<SampleDoubt> ofProgram) {

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

    /** The remark in place of the middle of a long output. */
    private static final Pattern LEFT_OUT = Pattern.compile("(?m)^\\[\\.\\.\\. (\\d+) bytes left out \\.\\.\\.]$");

    /** Precision of the time of a change: the kernel reads its clock only at each tick. */
    private static final Duration TICK = Duration.ofMillis(10);

    /** Time from the end of the program to the last change of its file, for clocks of servers that differ a little. */
    private static final Duration AFTER_END = Duration.ofSeconds(10);

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
            FileTime changed = Files.getLastModifiedTime(file);
            text = InputFile.RESULT.text(file);
            FileTime later = Files.getLastModifiedTime(file);
            if (isOlder(changed)) {
                doubts.add(new SampleDoubt(
                        SampleDoubt.Kind.INCOMPLETE,
                        "%s was last changed at %s, before the program started at %s: it is the result of another run"
                                .formatted(file, changed, started)));
            } else if (ended.isBefore(later.toInstant().minus(AFTER_END))) {
                doubts.add(new SampleDoubt(
                        SampleDoubt.Kind.INCOMPLETE,
                        "%s was last changed at %s, after the program had ended at %s: another program wrote it, or the clock of its folder differs. Use a file of its own for each test, and read it before the next run"
                                .formatted(file, later, ended)));
            }
        } catch (IOException unreadable) {
            throw refused(
                    doubts,
                    source,
                    "cannot read %s: %s. Check where the program writes it"
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
            throw refused(
                    ofProgram,
                    source,
                    "it has no line that begins with {\"%s\": 1, … . Print one, or name the file with the result"
                            .formatted(OwnSamples.MARK));
        }
        List<SampleDoubt> doubts = new ArrayList<>(ofProgram);
        Matcher leftOut = LEFT_OUT.matcher(output);
        if (leftOut.find()) {
            doubts.add(new SampleDoubt(
                    SampleDoubt.Kind.INCOMPLETE,
                    "%s bytes of stdout are left out, and a line with samples may be missing. Print less, or let the program write it into a file"
                            .formatted(leftOut.group(1))));
        }
        return samples(name, lines, source, doubts);
    }

    /** Creates the exception for a result without the samples. The end of its program may be the reason. */
    private static SamplesException refused(List<SampleDoubt> doubts, String source, String problem) {
        return new SamplesException(
                source,
                doubts.isEmpty()
                        ? problem
                        : "%s. Its result: %s"
                                .formatted(
                                        doubts.stream().map(SampleDoubt::reason).collect(Collectors.joining("; ")),
                                        problem));
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
                throw refused(doubts, source, unknown(name, content.series().keySet(), format));
            }
            return series.get()
                    .samples(
                            name,
                            content.conditions(),
                            Stream.concat(doubts.stream(), content.doubts().stream())
                                    .toList(),
                            source,
                            program);
        } catch (JsonException broken) {
            throw refused(doubts, source, "it is no result that can be read: %s".formatted(broken.placed()));
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
