package dev.neurontest.internal.report.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.format.EarlierRunException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the report of an earlier run that is read back. */
class ComparedRunTest {

    private static final String ADVICE =
            "Name the neuron-report.json of an earlier run, which neuron-test report --json and run --report write.";

    @TempDir
    private Path folder;

    private void refuses(Path file, String problem) {
        assertThatExceptionOfType(EarlierRunException.class)
                .isThrownBy(() -> ComparedRun.read(file))
                .withMessage("--compare: %s: %s. %s".formatted(file, problem, ADVICE));
    }

    private Path file(String content) throws IOException {
        return Files.writeString(folder.resolve("previous.json"), content);
    }

    @Test
    void equalsRunThatWasWritten() {
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
                    ''                                                      | it is empty, expected a JSON object
                    []                                                      | it is not a JSON object, expected one
                    {}                                                      | it is not a report of a run: it has no kind, expected "neuron-report"
                    {"kind": ""}                                            | it is not a report of a run: it is of kind "", expected "neuron-report"
                    {"version": 1, "kind": "counters", "tests": 7}          | it is not a report of a run: it is of kind "counters", expected "neuron-report"
                    {"version": 2, "kind": "neuron-report"}                 | it is of version 2, expected version 1
                    {"version": 0, "kind": "neuron-report"}                 | it is of version 0, expected version 1
                    {"version": "new", "kind": "neuron-report"}             | line 1, /version: is "new", expected a whole number
                    {"kind": "neuron-report", "tests": []}                  | it has no version, expected version 1
                    {"version": 1, "kind": "neuron-report"}                 | it has no tests, expected a list of them
                    {"version": 1, "kind": "neuron-report", "tests": []} {} | it has data after its JSON object, expected the end of the file
                    {"version": 1, "kind": "neuron-report", "te             | line 1: breaks off, expected a whole JSON object
                    {"version": 1, "kind": "neuron-report", "jvms": [       | line 1: breaks off, expected a whole JSON object
                    {"kind": "neuron-report", "version": 1, "summary": null} | line 1, /summary: is null, expected an object
                    {"kind": "neuron-report", "version": 1, "jvms": 7}      | line 1, /jvms: is not a list, expected one
                    {"kind": "neuron-report", "version": 1, "jvms": [null]} | line 1, /jvms/0: is null, expected an object
                    {"kind": "neuron-report", "version": 1, "tests": [{}]}  | line 1, /tests/0: has no "id", expected an object with that member
                    """)
    void refusesInvalidReport(String content, String problem) throws IOException {
        refuses(file(content), problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    "outcome":"passed"   | "outcome":"green" | /tests/0/outcome: is "green", expected one of failed, lost, undecided, aborted, skipped, passed
                    "tookNanos":         | "tookNanos":"long","x": | /tests/0/tookNanos: is "long", expected a whole number
                    "started":           | "started":"soon","x":   | /tests/0/started: is "soon", expected a time such as "2026-11-21T02:10:00Z"
                    "recordings":[       | "recordings":[7,        | /tests/0/recordings/0: is 7, expected an object
                    "recordings":[       | "recordings":[null,     | /tests/0/recordings/0: is null, expected an object
                    "recordings":[       | "recordings":[{},       | /tests/0/recordings/0: has no "kind", expected an object with that member
                    "recordings":[       | "recordings":[{"kind":"profile","recording":[]}, | /tests/0/recordings/0/recording: is an array, expected an object
                    "comparisons":[      | "comparisons":[null,    | /tests/0/comparisons/0: is null, expected an object
                    "comparisons":[      | "comparisons":[{"key":7}, | /tests/0/comparisons/0/key: is 7, expected an object
                    """)
    void refusesTestWithInvalidMember(String written, String instead, String problem) throws IOException {
        // given
        String report = Files.readString(new CompareFixture()
                .profiling("\"total_time\": 0.0165")
                .passed("a")
                .file(folder));
        int tests = report.indexOf("\"tests\":[");
        assertThat(report.substring(tests)).contains(written);

        // then
        refuses(
                file(report.substring(0, tests) + report.substring(tests).replace(written, instead)),
                "line 1, " + problem);
    }

    @Test
    void refusesATestOfAnUnknownJvm() throws IOException {
        refuses(
                file(Files.readString(new CompareFixture().passed("a").file(folder))
                        .replace("\"jvm\":0", "\"jvm\":1")),
                "it has a test of JVM 1, expected one of the 1 JVMs above its tests");
    }

    @Test
    void readsReportWithVersionAfterTests() throws IOException {
        // given members sorted by name, with the version after the tests
        String report = Files.readString(new CompareFixture().passed("a").file(folder));
        String sorted = report.replaceFirst("\\{\"version\":1,", "{").replaceFirst("}\\s*$", ",\"version\":1}");
        assertThat(sorted.indexOf("\"version\":1}")).isGreaterThan(sorted.indexOf("\"tests\":["));

        // when
        ComparedRun run = ComparedRun.read(file(sorted));

        // then
        assertThat(run.tests()).hasSize(1);
    }

    @Test
    void refusesAReportThatWasCutShort() throws IOException {
        // given
        Path file = new CompareFixture().passed("a", "b").file(folder);
        byte[] whole = Files.readAllBytes(file);

        // then at samples of all lengths
        for (int length = 1; length < whole.length - 1; length += 97) {
            Path cut = Files.write(folder.resolve("cut.json"), Arrays.copyOf(whole, length));
            assertThatExceptionOfType(EarlierRunException.class)
                    .isThrownBy(() -> ComparedRun.read(cut))
                    .withMessageMatching("--compare: .*cut.json: line 1: .*expected .*");
        }
    }

    @Test
    void refusesTextThatIsNoJsonOrUtf8() throws IOException {
        // then
        assertThatExceptionOfType(EarlierRunException.class)
                .isThrownBy(() -> ComparedRun.read(file("hello\nworld")))
                .withMessageContaining("previous.json: line 1: Unrecognized token 'hello'")
                .withMessageEndingWith(ADVICE);
        refuses(
                Files.write(folder.resolve("latin.json"), new byte[] {'{', '"', (byte) 0xe4, '"', '}'}),
                "it is not text in UTF-8");
    }

    @Test
    void refusesARunFile() throws IOException {
        // given
        Path lines = Files.writeString(
                folder.resolve("run-1.jsonl"), "{\"event\":\"runStarted\",\"version\":2}\n{\"event\":\"b\"}\n");

        // then
        refuses(lines, "it is not a report of a run: it has no kind, expected \"neuron-report\"");
    }

    @Test
    void refusesMissingFileAndFolder() {
        // then
        refuses(folder.resolve("absent.json"), "there is no such file or folder");
        assertThatExceptionOfType(EarlierRunException.class)
                .isThrownBy(() -> ComparedRun.read(folder))
                .withMessageContaining("is a folder and was not read")
                .withMessageEndingWith(ADVICE);
    }

    @Test
    void ignoresUnknownMembers() throws IOException {
        // when a later minor version
        String report = Files.readString(new CompareFixture()
                .profiling("\"total_time\": 0.0165")
                .passed("a")
                .file(folder));
        ComparedRun run = ComparedRun.read(
                file(
                        report.replace("\"summary\":{", "\"summary\":{\"more\":[[{}]],")
                                .replace("\"jvms\":[{", "\"new\":{},\"jvms\":[{\"more\":[1,[2]],")
                                .replace(
                                        "\"recordings\":[",
                                        "\"more\":[{\"outcome\":7}],\"recordings\":[{\"kind\":\"new\",\"recording\":{}},"
                                                + "{\"kind\":\"profile\",\"recording\":{\"executions\":[7,{\"metrics\":[1]}],\"doubts\":{}}},")));

        // then
        assertThat(run.tests()).singleElement().satisfies(test -> {
            assertThat(test.outcome()).isEqualTo(TestOutcome.PASSED);
            assertThat(test.values()).hasSize(1);
        });
    }
}
