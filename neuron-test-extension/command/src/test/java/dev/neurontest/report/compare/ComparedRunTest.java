package dev.neurontest.report.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.report.TestOutcome;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The report of an earlier run, read again. */
class ComparedRunTest {

    private static final String ADVICE =
            "Name the neuron-report.json of an earlier run, which neuron-test report --json and run --report write.";

    @TempDir
    private Path folder;

    private void refuses(Path file, String problem) {
        assertThatExceptionOfType(EarlierRunException.class)
                .isThrownBy(() -> ComparedRun.read(file))
                .withMessage("--compare: %s %s. %s".formatted(file, problem, ADVICE));
    }

    private Path file(String content) throws IOException {
        return Files.writeString(folder.resolve("previous.json"), content);
    }

    @Test
    void isTheSameAsTheRunThatWasWritten() {
        // given
        CompareFixture run = new CompareFixture()
                .profiling("\"total_time\": 0.0165, \"mfu_estimated_percent\": 0.4, \"not_known\": 7")
                .measuring(CompareFixture.totalTime(), Map.of("compiler", "2.21"), 1.0, 2.0)
                .versions(Map.of("profiler", "neuron-explorer 2.31.0"))
                .passed("a")
                .retried(1)
                .failed("b")
                .on("none", "", "")
                .tests(TestOutcome.SKIPPED, "c");

        // then
        assertThat(run.written(folder).tests())
                .isEqualTo(ComparedRun.of(run.report()).tests())
                .hasSize(3);
        assertThat(run.written(folder).tests().get(0).values()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''                                                      | is empty, expected a JSON object
                    []                                                      | is no JSON object, expected one
                    {}                                                      | is no report: its kind is "", expected "neuron-report"
                    {"version": 1, "kind": "counters", "tests": 7}          | is no report: its kind is "counters", expected "neuron-report"
                    {"version": 2, "kind": "neuron-report"}                 | is of version 2, expected version 1
                    {"version": "new", "kind": "neuron-report"}             | is of version new, expected version 1
                    {"kind": "neuron-report", "tests": []}                  | has no version, expected version 1
                    {"version": 1, "kind": "neuron-report"}                 | has no tests, expected a list of them
                    {"version": 1, "kind": "neuron-report", "tests": []} {} | goes on after its JSON object, expected the end of the file
                    {"version": 1, "kind": "neuron-report", "te             | breaks off in line 1, expected a whole JSON object
                    {"version": 1, "kind": "neuron-report", "jvms": [{}]    | breaks off in line 1, expected a whole JSON object
                    {"kind": "neuron-report", "version": 1, "tests": [{}]}  | has a test without its id or JVM, expected both
                    """)
    void refusesWhatIsNoReport(String content, String problem) throws IOException {
        refuses(file(content), problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    "jvm": 0, "id": "a"                                                     | has a test without an outcome, expected one
                    "jvm": 0, "id": "a", "outcome": "green"                                 | has a test that is "green", expected one of [failed, lost, undecided, aborted, skipped, passed]
                    "jvm": 1, "id": "a", "outcome": "passed"                                | tells of JVM 1, expected one of its 1 JVMs
                    "jvm": 0, "id": "a", "outcome": "passed", "tookNanos": "long"           | has "tookNanos" that is no number, expected one
                    "jvm": 0, "id": "a", "outcome": "passed", "started": "soon"             | has a "started" of a test that is no time, expected one such as 2026-11-21T02:10:00Z
                    "jvm": 0, "id": "a", "outcome": "passed", "comparisons": [{"version":2}] | has a comparison that cannot be read (a comparison of version 2 cannot be read, only of version 1), expected one as ComparisonJson writes it
                    """)
    void refusesATestThatCannotBeUnderstood(String members, String problem) throws IOException {
        refuses(
                file("{\"version\": 1, \"kind\": \"neuron-report\", \"jvms\": [{}], \"tests\": [{%s}]}"
                        .formatted(members)),
                problem);
    }

    @Test
    void refusesAReportThatWasCutShort() throws IOException {
        // given
        Path file = new CompareFixture().passed("a", "b").file(folder);
        byte[] whole = Files.readAllBytes(file);

        // then wherever it breaks off
        for (int length = 1; length < whole.length - 1; length += 97) {
            Path cut = Files.write(folder.resolve("cut.json"), Arrays.copyOf(whole, length));
            assertThatExceptionOfType(EarlierRunException.class)
                    .isThrownBy(() -> ComparedRun.read(cut))
                    .withMessageMatching(
                            "--compare: .*cut.json (breaks off|is no JSON, or breaks off,) in line 1[,:] .*expected .*");
        }
    }

    @Test
    void refusesTextAndBytes() throws IOException {
        // then
        assertThatExceptionOfType(EarlierRunException.class)
                .isThrownBy(() -> ComparedRun.read(file("hello\nworld")))
                .withMessageContaining("previous.json is no JSON, or breaks off, in line 1: Unrecognized token 'hello'")
                .withMessageEndingWith("expected the JSON of a report. " + ADVICE);
        refuses(
                Files.write(folder.resolve("latin.json"), new byte[] {'{', '"', (byte) 0xe4, '"', '}'}),
                "is not UTF-8, expected the JSON of a report");
    }

    @Test
    void refusesARunFile() throws IOException {
        // given
        Path lines = Files.writeString(folder.resolve("run-1.jsonl"), "{\"event\":\"a\"}\n{\"event\":\"b\"}\n");

        // then
        refuses(lines, "goes on after its JSON object, expected the end of the file");
    }

    @Test
    void refusesWhatIsNotThereOrAFolder() {
        // then
        refuses(folder.resolve("absent.json"), "is not there, expected the report of an earlier run");
        assertThatExceptionOfType(EarlierRunException.class)
                .isThrownBy(() -> ComparedRun.read(folder))
                .withMessageContaining("is a folder and was not read")
                .withMessageEndingWith(ADVICE);
    }

    @Test
    void passesOverWhatItDoesNotKnow() throws IOException {
        // when a later minor version, sorted by a program
        ComparedRun run = ComparedRun.read(file("""
                {"comparison": {"new": [[{}]]}, "jvms": [{"directory": {"a": 1}, "more": [1, [2]], "platform": {"kind": "fake", "more": {}}}],
                 "kind": "neuron-report", "summary": {"skips": {"%s": 1}},
                 "tests": [{"id": "a", "jvm": 0, "more": [{"outcome": 7}], "outcome": "passed",
                            "recordings": [7, {"kind": "new", "recording": {"executions": [{"metrics": {"total_time": 1}}]}}, {"kind": "profile", "recording": {"executions": [7, {"metrics": [1]}], "doubts": {}}}]}],
                 "version": 1}
                """.formatted("a long reason ".repeat(10_000))));

        // then
        assertThat(run.tests()).singleElement().satisfies(test -> {
            assertThat(test.outcome()).isEqualTo(TestOutcome.PASSED);
            assertThat(test.stack().platform()).containsEntry("platform", "fake");
            assertThat(test.values()).isEmpty();
        });
    }

    @Test
    void holdsOfEachTestOnlyWhatIsCompared() throws IOException {
        // given a report of 200 MB
        int tests = 50_000;
        String recordings = "[{\"kind\":\"counters\",\"recording\":{\"moved\":[\"%s\"]}}]".formatted("x".repeat(4_000));
        long before = used();
        LongAdder held = new LongAdder();
        Reader large = new Reader() {

            private int next;
            private String rest =
                    "{\"version\":1,\"kind\":\"neuron-report\",\"jvms\":[{\"directory\":\"a\"}],\"tests\":[";

            @Override
            public int read(char[] into, int offset, int length) {
                if (rest.isEmpty() && next < tests) {
                    rest = "%s{\"jvm\":0,\"id\":\"t%s\",\"outcome\":\"passed\",\"recordings\":%s}"
                            .formatted(next == 0 ? "" : ",", next, recordings);
                    next++;
                } else if (rest.isEmpty() && next == tests) {
                    held.add(used() - before);
                    rest = "]}";
                    next++;
                }
                int read = Math.min(length, rest.length());
                rest.getChars(0, read, into, offset);
                rest = rest.substring(read);
                return read == 0 ? -1 : read;
            }

            @Override
            public void close() {}
        };

        // when
        ComparedRun run = new EarlierReport(folder.resolve("large.json")).read(large);

        // then
        assertThat(run.tests()).hasSize(tests);
        assertThat(held.sum()).isLessThan(80_000_000);
    }

    private static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
