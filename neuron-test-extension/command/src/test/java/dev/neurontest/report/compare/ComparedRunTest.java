package dev.neurontest.report.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.report.TestOutcome;
import dev.neurontest.report.format.EarlierRunException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
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
                    {"version": "new", "kind": "neuron-report"}             | has "version" that is "new", expected a whole number
                    {"kind": "neuron-report", "tests": []}                  | has no version, expected version 1
                    {"version": 1, "kind": "neuron-report"}                 | has no tests, expected a list of them
                    {"version": 1, "kind": "neuron-report", "tests": []} {} | goes on after its JSON object, expected the end of the file
                    {"version": 1, "kind": "neuron-report", "te             | breaks off in line 1, expected a whole JSON object
                    {"version": 1, "kind": "neuron-report", "jvms": [{}]    | breaks off in line 1, expected a whole JSON object
                    {"kind": "neuron-report", "version": 1, "summary": null} | has a null where a report has a value, expected the value
                    {"kind": "neuron-report", "version": 1, "jvms": [null]} | has a null where a report has a value, expected the value
                    {"kind": "neuron-report", "version": 1, "jvms": [{"start": {}, "platform": {}, "versions": {"a": null}}], "tests": [{"jvm": 0, "id": "a", "outcome": "passed"}]} | has a null where a report has a value, expected the value
                    {"kind": "neuron-report", "version": 1, "tests": [null]} | has a null where a report has a value, expected the value
                    {"kind": "neuron-report", "version": 1, "tests": [{}]}  | has a test without its id, outcome or JVM, expected all of them
                    """)
    void refusesWhatIsNoReport(String content, String problem) throws IOException {
        refuses(file(content), problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    "jvm": 0, "id": "a"                                                     | has a test without its id, outcome or JVM, expected all of them
                    "jvm": 0, "id": "a", "outcome": "green"                                 | has "outcome" that is "green", expected one of [failed, lost, undecided, aborted, skipped, passed]
                    "jvm": 1, "id": "a", "outcome": "passed"                                | has a test of JVM 1, expected one of its 1 JVMs
                    "jvm": 0, "id": "a", "outcome": "passed", "tookNanos": "long"           | has "tookNanos" that is "long", expected a whole number
                    "jvm": 0, "id": "a", "outcome": "passed", "recordings": [null]          | has a null where a report has a value, expected the value
                    "jvm": 0, "id": "a", "outcome": "passed", "recordings": [{}]            | has a recording without its kind or content, expected both
                    "jvm": 0, "id": "a", "outcome": "passed", "recordings": [{"kind": "profile"}] | has a recording without its kind or content, expected both
                    "jvm": 0, "id": "a", "outcome": "passed", "comparisons": [null]         | has a null where a report has a value, expected the value
                    "jvm": 0, "id": "a", "outcome": "passed", "started": "soon"             | has "started" that is "soon", expected a time such as 2026-11-21T02:10:00Z
                    "jvm": 0, "id": "a", "outcome": "passed", "comparisons": [{"version":2}] | a comparison of version 2 cannot be read, only of version 1
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
                            "--compare: .*cut.json (breaks off|is no JSON of a report, or breaks off,) in line 1[,:] .*expected .*");
        }
    }

    @Test
    void refusesTextAndBytes() throws IOException {
        // then
        assertThatExceptionOfType(EarlierRunException.class)
                .isThrownBy(() -> ComparedRun.read(file("hello\nworld")))
                .withMessageContaining(
                        "previous.json is no JSON of a report, or breaks off, in line 1: Unrecognized token 'hello'")
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
                {"comparison": {"new": [[{}]]}, "jvms": [{"more": [1, [2]], "platform": {"kind": "fake", "more": {}}}],
                 "kind": "neuron-report", "summary": {"skips": {"%s": 1}},
                 "tests": [{"id": "a", "jvm": 0, "more": [{"outcome": 7}], "outcome": "passed",
                            "recordings": [{"kind": "new", "recording": {"executions": [{"metrics": {"total_time": 1}}]}}, {"kind": "profile", "recording": {"executions": [7, {"metrics": [1]}], "doubts": {}}}]}],
                 "version": 1}
                """.formatted("a long reason ".repeat(10_000))));

        // then
        assertThat(run.tests()).singleElement().satisfies(test -> {
            assertThat(test.outcome()).isEqualTo(TestOutcome.PASSED);
            assertThat(test.stack().platform()).containsEntry("platform", "fake");
            assertThat(test.values()).isEmpty();
        });
    }
}
