package dev.neurontest.report.compare;

import dev.neurontest.baseline.ComparisonJson;
import dev.neurontest.evidence.TestId;
import dev.neurontest.file.InputFile;
import dev.neurontest.file.UnfitFileException;
import dev.neurontest.json.Json;
import dev.neurontest.report.TestOutcome;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/** Reads {@code neuron-report.json} in one pass. Members that it does not know are passed over, whatever they hold. */
final class EarlierReport {

    static final String PROFILE = "profile";

    private static final String KIND = "neuron-report";
    private static final int VERSION = 1;
    private static final String ADVICE =
            "Name the neuron-report.json of an earlier run, which neuron-test report --json and run --report write.";

    private final Path file;
    private final List<HostStack> hosts = new ArrayList<>();
    private final List<Execution> executions = new ArrayList<>();
    private String kind = "";
    private long version;
    private boolean hasTests;
    private long problems;
    private Optional<Instant> started = Optional.empty();

    EarlierReport(Path file) {
        this.file = file;
    }

    /** The file holds something else than a report does, in words that end "expected …". */
    private static final class Unexpected extends RuntimeException {

        private static final long serialVersionUID = 1;

        Unexpected(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    ComparedRun read() {
        try (Reader content = new InputStreamReader(InputFile.REPORT.open(file), StandardCharsets.UTF_8.newDecoder())) {
            return read(content);
        } catch (UnfitFileException unfit) {
            throw refused(String.valueOf(unfit.getReason()), unfit);
        } catch (NoSuchFileException missing) {
            throw refused("is not there, expected the report of an earlier run", missing);
        } catch (UnexpectedEndOfInputException cut) {
            throw refused("breaks off%s, expected a whole JSON object".formatted(line(cut)), cut);
        } catch (JacksonIOException unreadable) {
            throw refused(words(unreadable.getCause()), unreadable);
        } catch (JacksonException broken) {
            throw refused(
                    "is no JSON, or breaks off,%s: %s; expected the JSON of a report"
                            .formatted(line(broken), firstLine(broken.getOriginalMessage())),
                    broken);
        } catch (IOException unreadable) {
            throw refused(words(unreadable), unreadable);
        } catch (Unexpected other) {
            throw refused(String.valueOf(other.getMessage()), other);
        }
    }

    ComparedRun read(Reader content) {
        try (JsonParser json = Json.parser(content)) {
            if (json.nextToken() == null) {
                throw new Unexpected("is empty, expected a JSON object", null);
            }
            if (json.currentToken() != JsonToken.START_OBJECT) {
                throw new Unexpected("is no JSON object, expected one", null);
            }
            Tokens.members(json, name -> member(name, json));
            if (json.nextToken() != null) {
                throw new Unexpected("goes on after its JSON object, expected the end of the file", null);
            }
            check();
            return ComparedRun.of(file.toString(), started, problems, hosts, executions);
        }
    }

    private static String words(IOException unreadable) {
        return unreadable instanceof CharacterCodingException
                ? "is not UTF-8, expected the JSON of a report"
                : "cannot be read (%s), expected the report of an earlier run".formatted(unreadable);
    }

    private static String line(JacksonException problem) {
        return problem.getLocation() == null
                ? ""
                : " in line " + problem.getLocation().getLineNr();
    }

    private static String firstLine(@Nullable String message) {
        return String.valueOf(message).lines().findFirst().orElse("");
    }

    private EarlierRunException refused(String problem, Exception cause) {
        return new EarlierRunException("--compare: %s %s. %s".formatted(file, problem, ADVICE), cause);
    }

    private void member(String name, JsonParser json) {
        switch (name) {
            case "kind" -> {
                kind = Tokens.text(json);
                checkKind();
            }
            case "version" -> {
                version = json.currentToken() == JsonToken.VALUE_NUMBER_INT ? json.getLongValue() : 0;
                if (version != VERSION) {
                    throw new Unexpected(
                            "is of version %s, expected version %s"
                                    .formatted(Tokens.text(json).isEmpty() ? "?" : Tokens.text(json), VERSION),
                            null);
                }
            }
            case "summary" ->
                Tokens.members(json, member -> {
                    if (member.equals("started")) {
                        started = Optional.of(instant(json, "summary"));
                    }
                });
            case "jvms" -> Tokens.elements(json, () -> jvm(json));
            case "tests" -> {
                hasTests = json.currentToken() == JsonToken.START_ARRAY;
                Tokens.elements(json, () -> executions.add(test(json)));
            }
            case "problems" -> Tokens.elements(json, () -> problems++);
            default -> {
                // what is not compared
            }
        }
    }

    private void checkKind() {
        if (!kind.equals(KIND)) {
            throw new Unexpected(
                    "is no report: its kind is \"%s\", expected \"%s\"".formatted(shortened(kind), KIND), null);
        }
    }

    private static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "\u2026";
    }

    private void check() {
        checkKind();
        if (version == 0) {
            throw new Unexpected("has no version, expected version " + VERSION, null);
        }
        if (!hasTests) {
            throw new Unexpected("has no tests, expected a list of them", null);
        }
        for (Execution test : executions) {
            if (test.jvm() < 0 || test.jvm() >= hosts.size()) {
                throw new Unexpected(
                        "tells of JVM %s, expected one of its %s JVMs".formatted(test.jvm(), hosts.size()), null);
            }
        }
    }

    private void jvm(JsonParser json) {
        Map<String, String> platform = new TreeMap<>(HostStack.noPlatform());
        Map<String, String> versions = new TreeMap<>();
        String[] directory = {""};
        Tokens.members(json, name -> {
            switch (name) {
                case "directory" -> directory[0] = Tokens.text(json);
                case "versions" -> Tokens.members(json, tool -> versions.put(tool, Tokens.text(json)));
                case "platform" -> {
                    Map<String, String> known = new TreeMap<>();
                    Tokens.members(json, member -> known.put(member, Tokens.text(json)));
                    platform.clear();
                    platform.putAll(platform(known));
                }
                default -> {
                    // what is not compared
                }
            }
        });
        hosts.add(new HostStack(directory[0], platform, HostStack.versions(versions)));
    }

    private static Map<String, String> platform(Map<String, String> known) {
        try {
            return HostStack.platform(
                    known.getOrDefault("kind", "unknown"),
                    known.get("instanceType"),
                    known.get("driverVersion"),
                    Integer.parseInt(known.getOrDefault("lnc", "1")));
        } catch (NumberFormatException none) {
            throw new Unexpected("has a platform with an lnc that is no number, expected 1 or 2", none);
        }
    }

    /** The members of a test while they are read. */
    private final class Read {

        private String id = "";
        private String name = "";
        private long jvm = -1;
        private boolean isTest = true;
        private Optional<TestOutcome> outcome = Optional.empty();
        private Instant started = Instant.EPOCH;
        private long took;
        private long waited;
        private long retries;
        private final MeasuredValues values = new MeasuredValues();

        private void member(String member, JsonParser json) {
            switch (member) {
                case "jvm" -> jvm = number(json, member);
                case "id" -> id = Tokens.text(json);
                case "name" -> name = Tokens.text(json);
                case "isTest" -> isTest = json.currentToken() != JsonToken.VALUE_FALSE;
                case "outcome" -> outcome = Optional.of(outcome(Tokens.text(json)));
                case "started" -> started = instant(json, "a test");
                case "tookNanos" -> took = number(json, member);
                case "waitedNanos" -> waited = number(json, member);
                case "retries" -> retries = number(json, member);
                case "recordings" -> Tokens.elements(json, () -> recording(json, values));
                case "comparisons" -> Tokens.elements(json, () -> comparison(json, values));
                default -> {
                    // what is not compared
                }
            }
        }

        private Execution execution() {
            if (id.isEmpty() || jvm < 0 || jvm > Integer.MAX_VALUE) {
                throw new Unexpected("has a test without its id or JVM, expected both", null);
            }
            return new Execution(
                    (int) jvm,
                    new TestId(id, name.isEmpty() ? id : name),
                    isTest,
                    outcome.orElseThrow(() -> new Unexpected("has a test without an outcome, expected one", null)),
                    started,
                    Execution.withoutWaiting(
                            Duration.ofNanos(Math.max(0, took)), Duration.ofNanos(Math.max(0, waited))),
                    (int) Math.min(Integer.MAX_VALUE, retries),
                    values.all(),
                    values.isInDoubt());
        }
    }

    private Execution test(JsonParser json) {
        Read test = new Read();
        Tokens.members(json, member -> test.member(member, json));
        return test.execution();
    }

    private static TestOutcome outcome(String name) {
        return Arrays.stream(TestOutcome.values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> new Unexpected(
                        "has a test that is \"%s\", expected one of %s"
                                .formatted(
                                        shortened(name),
                                        Arrays.toString(TestOutcome.values()).toLowerCase(Locale.ROOT)),
                        null));
    }

    private static void recording(JsonParser json, MeasuredValues values) {
        String[] kind = {PROFILE};
        Tokens.members(json, name -> {
            if (name.equals("kind")) {
                kind[0] = Tokens.text(json);
            } else if (name.equals("recording") && kind[0].equals(PROFILE)) {
                values.profile(json);
            }
        });
    }

    private static void comparison(JsonParser json, MeasuredValues values) {
        String text = Json.text(copy -> copy.copyCurrentStructureExact(json));
        try {
            values.comparison(ComparisonJson.read(text));
        } catch (IllegalArgumentException other) {
            throw new Unexpected(
                    "has a comparison that cannot be read (%s), expected one as ComparisonJson writes it"
                            .formatted(firstLine(other.getMessage())),
                    other);
        }
    }

    private static long number(JsonParser json, String member) {
        if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            throw new Unexpected("has \"%s\" that is no number, expected one".formatted(member), null);
        }
        return json.getLongValue();
    }

    private static Instant instant(JsonParser json, String of) {
        try {
            return Instant.parse(Tokens.text(json));
        } catch (DateTimeException none) {
            throw new Unexpected(
                    "has a \"started\" of %s that is no time, expected one such as 2026-11-21T02:10:00Z".formatted(of),
                    none);
        }
    }
}
