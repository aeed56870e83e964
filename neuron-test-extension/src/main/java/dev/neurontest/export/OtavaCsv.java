package dev.neurontest.export;

import dev.neurontest.metric.Direction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apiguardian.api.API;

/**
 * Appends to the history that Apache Otava looks for change points in: a CSV file for each test and stack with a row for each run, and
 * {@code otava.yaml} that names them. Otava wants every column of every row, so a test that measures other metrics than before begins
 * another file. A run that is there already is not added again. Otava is started in the folder:
 * {@code otava analyze --config-file otava.yaml <test>}.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OtavaCsv implements Publisher {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss Z", Locale.ROOT);
    private static final List<String> ATTRIBUTES = List.of("branch", "commit");
    private static final int LONGEST_NAME = 100;

    private final Path folder;

    /**
     * A history.
     *
     * @param folder is made when it is not there
     */
    public OtavaCsv(Path folder) {
        this.folder = folder;
    }

    @Override
    public Published publish(RunPoints points) {
        String target = "otava " + folder;
        Collection<Map<String, MeasuredMetric>> tests = tests(points);
        try {
            Files.createDirectories(folder);
            for (Map<String, MeasuredMetric> test : tests) {
                append(test, points);
            }
            return new Published(target, true, tests.size() + (tests.size() == 1 ? " test" : " tests"));
        } catch (IOException e) {
            return new Published(target, false, "it cannot be written: " + e);
        }
    }

    /** The metrics of each test on each stack, by name. */
    private static Collection<Map<String, MeasuredMetric>> tests(RunPoints points) {
        Map<String, Map<String, MeasuredMetric>> tests = new LinkedHashMap<>();
        points.metrics()
                .forEach(metric -> tests.computeIfAbsent(
                                metric.key().testClass() + "#" + metric.key().test() + "\n" + metric.stack(),
                                absent -> new TreeMap<>())
                        .put(metric.metric().name(), metric));
        return tests.values();
    }

    private void append(Map<String, MeasuredMetric> metrics, RunPoints points) throws IOException {
        String name = name(metrics);
        SortedMap<String, String> about = points.about();
        Stream<String> known = Stream.concat(
                Stream.of(points.ended().atOffset(ZoneOffset.UTC).format(TIME)),
                ATTRIBUTES.stream().map(attribute -> about.getOrDefault(attribute, "")));
        Stream<String> medians = metrics.values().stream().map(metric -> Double.toString(metric.median()));
        String row = line(Stream.concat(known, medians));
        String header = line(Stream.concat(Stream.of("time", "branch", "commit"), metrics.keySet().stream()));
        append(folder.resolve(name + ".csv"), header, row, row);
        append(folder.resolve("otava.yaml"), "tests:\n", entry(name, metrics), "  " + name + ":\n");
    }

    /**
     * Who reads and who writes at the same time sees whole lines.
     *
     * @param sign begins a line of what is added; where there is such a line, nothing is added
     */
    private static synchronized void append(Path file, String head, String addition, String sign) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE,
                LinkOption.NOFOLLOW_LINKS)) {
            channel.lock();
            String text = text(channel);
            if (!("\n" + text).contains("\n" + sign)) {
                String begun = text.isEmpty() ? head : text.endsWith("\n") ? "" : "\n";
                ByteBuffer added = StandardCharsets.UTF_8.encode(begun + addition);
                channel.position(channel.size());
                while (added.hasRemaining()) {
                    channel.write(added);
                }
            }
        } catch (OverlappingFileLockException busy) {
            throw new IOException(file + " is being written by another part of this JVM", busy);
        } catch (ArithmeticException tooLarge) {
            throw new IOException(file + " is larger than 2 GiB: begin a new history", tooLarge);
        }
    }

    private static String text(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size()));
        int read = 0;
        while (bytes.hasRemaining() && read >= 0) {
            read = channel.read(bytes);
        }
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    }

    private static String entry(String name, Map<String, MeasuredMetric> metrics) {
        StringBuilder entry = new StringBuilder(
                """
                %s:
                  type: csv
                  file: %s.csv
                  time_column: time
                  attributes: [%s]
                  metrics:
                """.formatted(name, name, String.join(", ", ATTRIBUTES)).indent(2));
        metrics.values()
                .forEach(metric -> entry.append("      %s:\n        direction: %d\n"
                        .formatted(
                                quoted(metric.metric().name()),
                                metric.metric().better() == Direction.HIGHER ? 1 : -1)));
        return entry.toString();
    }

    /** Readable, safe as the name of a file and of a test, and another one for another stack or other metrics. */
    private static String name(Map<String, MeasuredMetric> metrics) {
        MeasuredMetric any = metrics.values().iterator().next();
        String test = any.key().testClass() + "." + any.key().test();
        CRC32 sum = new CRC32();
        sum.update((test + "\n" + any.stack() + "\n" + metrics.keySet()).getBytes(StandardCharsets.UTF_8));
        String plain = test.replaceAll("[^A-Za-z0-9_.]+", "-");
        String begin = plain.length() <= LONGEST_NAME ? plain : plain.substring(0, LONGEST_NAME);
        return String.format(Locale.ROOT, "%s-%08x", begin, sum.getValue());
    }

    private static String line(Stream<String> cells) {
        return cells.map(OtavaCsv::cell).collect(Collectors.joining(",")) + "\n";
    }

    private static String cell(String text) {
        String line = text.replaceAll("\\R", " ");
        return line.matches("[^\",]*") ? line : "\"" + line.replace("\"", "\"\"") + "\"";
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
