package dev.neurontest.internal.report.format;

import dev.neurontest.internal.file.FileProblem;
import dev.neurontest.internal.file.InputFile;
import dev.neurontest.internal.json.Json;
import dev.neurontest.internal.json.JsonException;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.internal.report.ReportedJvm;
import dev.neurontest.internal.report.ReportedTest;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.JacksonIOException;

/** A {@code neuron-report.json} that is read in one pass, test by test. Unknown members are skipped. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class EarlierReport {

    /** Kind in the file, which identifies a report. */
    public static final String KIND = "neuron-report";

    /** Version of the format. It increases when a member changes its meaning or is removed; new members do not increase it. */
    public static final int VERSION = 1;

    private static final String ADVICE =
            "Name the neuron-report.json of an earlier run, which neuron-test report --json and run --report write.";

    private final BiConsumer<ReportedTest, ReportedJvm> tests;
    private final List<ReportedJvm> jvms = new ArrayList<>();
    private @Nullable Instant started;
    private @Nullable String kind;
    private @Nullable Integer version;
    private boolean hasTests;
    private long problems;

    private record Summary(Optional<Instant> started) {}

    private EarlierReport(BiConsumer<ReportedTest, ReportedJvm> tests) {
        this.tests = tests;
    }

    /**
     * Reads a report.
     *
     * @param file {@code neuron-report.json} of at most 4 GiB
     * @param tests receives each test and its JVM
     * @return data of the run as a whole
     * @throws EarlierRunException when the file is missing, truncated, not a report, or of another version
     */
    public static EarlierReport read(Path file, BiConsumer<ReportedTest, ReportedJvm> tests) {
        try (Reader content = new InputStreamReader(InputFile.REPORT.open(file), StandardCharsets.UTF_8.newDecoder())) {
            return read(content, tests);
        } catch (IOException | JacksonException | IllegalArgumentException unfit) {
            throw new EarlierRunException("--compare: %s: %s. %s".formatted(file, problem(unfit), ADVICE), unfit);
        }
    }

    private static String problem(Exception unfit) {
        if (unfit instanceof JacksonIOException unread) {
            return FileProblem.of(unread.getCause());
        }
        if (unfit instanceof IOException unread) {
            return FileProblem.of(unread);
        }
        if (unfit instanceof JsonException wrong) {
            return wrong.placed();
        }
        return unfit instanceof JacksonException broken
                ? problem(JsonException.of(broken))
                : "it " + unfit.getMessage();
    }

    static EarlierReport read(Reader content, BiConsumer<ReportedTest, ReportedJvm> tests) {
        EarlierReport report = new EarlierReport(tests);
        try (JsonParser json = Json.parser(content)) {
            report.read(json);
        }
        return report;
    }

    private void read(JsonParser json) {
        if (json.nextToken() == null) {
            throw new IllegalArgumentException("is empty, expected a JSON object");
        }
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw new IllegalArgumentException("is not a JSON object, expected one");
        }
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            json.nextToken();
            switch (name) {
                case "kind" -> {
                    kind = value(json, String.class);
                    requireKnown();
                }
                case "version" -> {
                    version = value(json, Integer.class);
                    requireKnown();
                }
                case "summary" -> started = value(json, Summary.class).started().orElse(null);
                case "jvms" -> each(json, ReportedJvm.class, jvms::add);
                case "tests" -> {
                    hasTests = true;
                    each(json, ReportedTest.class, this::test);
                }
                case "problems" -> each(json, String.class, problem -> problems++);
                default -> json.skipChildren();
            }
        }
        if (kind == null) {
            throw noReport("has no kind");
        }
        if (version == null) {
            throw new IllegalArgumentException("has no version, expected version " + VERSION);
        }
        if (json.nextToken() != null) {
            throw new IllegalArgumentException("has data after its JSON object, expected the end of the file");
        }
        if (!hasTests) {
            throw new IllegalArgumentException("has no tests, expected a list of them");
        }
    }

    /**
     * Requires the known kind and version, in this order. Both members are read before the check, because other kinds of files have
     * versions too.
     */
    private void requireKnown() {
        if (kind != null && !kind.equals(KIND)) {
            throw noReport("is of kind \"" + kind + "\"");
        }
        if (kind != null && version != null && version != VERSION) {
            throw new IllegalArgumentException("is of version %s, expected version %s".formatted(version, VERSION));
        }
    }

    private static IllegalArgumentException noReport(String found) {
        return new IllegalArgumentException("is not a report of a run: it %s, expected \"%s\"".formatted(found, KIND));
    }

    private void test(ReportedTest test) {
        if (test.jvm() < 0 || test.jvm() >= jvms.size()) {
            throw new IllegalArgumentException("has a test of JVM %s, expected one of the %s JVMs above its tests"
                    .formatted(test.jvm(), jvms.size()));
        }
        tests.accept(test, jvms.get(test.jvm()));
    }

    private static <T> T value(JsonParser json, Class<T> type) {
        return RecordReader.OPEN.read(json, type);
    }

    private static <T> void each(JsonParser json, Class<T> type, Consumer<T> element) {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw RecordReader.unexpected(json, "is not a list", "one");
        }
        while (json.nextToken() != JsonToken.END_ARRAY) {
            element.accept(value(json, type));
        }
    }

    /**
     * Returns the start of the run.
     *
     * @return empty when unknown
     */
    public Optional<Instant> started() {
        return Optional.ofNullable(started);
    }

    /** Returns the number of problems in the report. */
    public long problems() {
        return problems;
    }
}
