package dev.neurontest.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.configuration.Origin;
import dev.neurontest.internal.configuration.PlatformChoice;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.evidence.TestTool;
import dev.neurontest.internal.report.merge.RunReports;
import dev.neurontest.internal.report.show.ReportText;
import dev.neurontest.internal.terminal.TerminalStyle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RerunCommandTest {

    @TempDir
    Path folder;

    @Test
    void testOverNodesOfSlurmJobRunsInAllocationOfAsManyNodes() throws IOException {
        // given
        TestId test = new TestId("[engine:junit-jupiter]/[class:com.acme.BertTest]/[method:one()]", "name");
        RunLinesFixture lines = new RunLinesFixture(1).started("a").onHardware();
        for (String host : List.of("n1", "n2", "n3")) {
            lines.add(new RunEvent.HostAdded("Slurm", host, "real", "trn1.32xlarge", "2.30.51.0", 16, 32));
        }
        lines.add(new RunEvent.TestFinished(
                        test,
                        Outcome.FAILED,
                        List.of("n1:neuron0/neuron_core0", "n1:neuron0/neuron_core1", "n2:neuron0/neuron_core0"),
                        "reason"))
                .finished()
                .writeTo(folder);

        // when
        RunReport report = RunReports.merge(List.of(folder));

        // then
        assertThat(RerunCommand.of(report, report.tests().get(0)))
                .contains("salloc --nodes=2 mvn test -Dtest=com.acme.BertTest#one");
        assertThat(ReportText.of(report, List.of(), Optional.empty(), TerminalStyle.PLAIN))
                .contains("n1, n2, n3 by Slurm: trn1.32xlarge (real), driver 2.30.51.0, 16 devices with 32 cores");
    }

    @ParameterizedTest
    @CsvSource({"n2, real, 1", "n2, root, 0", "n3, real, 0"})
    void testOverSeveralHostsRunsOnHardwareIfAllItsHostsDo(String name, String kind, long onHardware)
            throws IOException {
        // given
        TestId test = new TestId("[engine:junit-jupiter]/[class:com.acme.BertTest]/[method:one()]", "name");
        new RunLinesFixture(1)
                .started("a")
                .add(new RunEvent.HostAdded("Slurm", "n1", "real", "trn1.32xlarge", "2.30.51.0", 16, 32))
                .add(new RunEvent.HostAdded("Slurm", name, kind, "trn1.32xlarge", "2.30.51.0", 16, 32))
                .add(new RunEvent.TestFinished(
                        test, Outcome.PASSED, List.of("n1:neuron0/neuron_core0", "n2:neuron0/neuron_core0"), null))
                .finished()
                .writeTo(folder);

        // then
        assertThat(Overview.of(RunReports.merge(List.of(folder))).hardwareTests())
                .isEqualTo(onHardware);
    }

    @Test
    void replaysRecordingOfFailedTest() throws IOException {
        // given
        TestId test = new TestId("[engine:junit-jupiter]/[class:com.acme.BertTest]/[method:one()]", "name");
        new RunLinesFixture(1)
                .started("a")
                .onHardware()
                .add(new RunEvent.Attached(test, "neuron-counters.txt", "text/plain", 7, "counters.txt"))
                .add(new RunEvent.Attached(
                        test, "neuron-recording.archive.txt", "application/x-neuron-archive", 7, "a b.archive.txt"))
                .add(new RunEvent.TestFinished(test, Outcome.FAILED, List.of(), "reason"))
                .finished()
                .writeTo(folder);

        // when
        RunReport report = RunReports.merge(List.of(folder));

        // then
        assertThat(RerunCommand.onRecording(report, report.tests().get(0)))
                .contains("mvn test -Dtest=com.acme.BertTest#one '-Dneuron.test.platform=replay:"
                        + folder.resolve("a b.archive.txt") + "'");
        assertThat(ReportText.of(report, List.of(), Optional.empty(), TerminalStyle.PLAIN))
                .contains("  replay: mvn test ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.archive.txt", "what?.archive.txt", "a?timeline=static", "it's 100%?&x=y?"})
    void platformSettingParsesNamedRecording(String name) throws IOException {
        // given
        TestId test = new TestId("[engine:junit-jupiter]/[class:com.acme.BertTest]/[method:one()]", "name");
        new RunLinesFixture(1)
                .started("a")
                .onHardware()
                .add(new RunEvent.Attached(
                        test, "neuron-recording.archive.txt", "application/x-neuron-archive", 7, name))
                .add(new RunEvent.TestFinished(test, Outcome.FAILED, List.of(), "reason"))
                .finished()
                .writeTo(folder);

        // when
        RunReport report = RunReports.merge(List.of(folder));
        String command = RerunCommand.onRecording(report, report.tests().get(0)).orElseThrow();

        // then
        String last = command.substring(command.lastIndexOf("-Dneuron.test.platform="));
        String unquoted = command.contains("'-Dneuron.test.platform=")
                ? last.substring(0, last.length() - 1).replace("'\\''", "'")
                : last;
        assertThat(PlatformChoice.parse(unquoted.substring("-Dneuron.test.platform=".length())))
                .isEqualTo(new PlatformChoice.Replay(folder.resolve(name), PlatformChoice.Timeline.PLAY));
    }

    private static final String ONE = "[engine:junit-jupiter]/[class:a.B]/[method:t()]";
    private static final String INVOCATION =
            "[engine:junit-jupiter]/[class:a.B]/[test-template:t(int)]/[test-template-invocation:#2]";

    private Optional<String> command(String id, @Nullable TestTool tool, boolean fake) throws IOException {
        RunLinesFixture jvm = new RunLinesFixture(1).started("a", tool);
        (fake ? jvm.onFake() : jvm.onHardware())
                .add(new RunEvent.TestFinished(new TestId(id, "name"), Outcome.FAILED, List.of(), "reason"))
                .finished()
                .writeTo(folder);
        RunReport report = RunReports.merge(List.of(folder));
        return RerunCommand.of(report, report.tests().get(0));
    }

    private Optional<String> command(TestTool tool, RunEvent... header) throws IOException {
        RunLinesFixture jvm = new RunLinesFixture(1).started("a", tool);
        for (RunEvent event : header) {
            jvm.add(event);
        }
        jvm.add(new RunEvent.TestFinished(new TestId(ONE, "name"), Outcome.FAILED, List.of(), "no host"))
                .finished()
                .writeTo(folder);
        RunReport report = RunReports.merge(List.of(folder));
        return RerunCommand.of(report, report.tests().get(0));
    }

    private static final RunEvent REAL =
            new RunEvent.Configured("neuron.test.platform", "real", Origin.ENVIRONMENT_VARIABLE);
    private static final RunEvent UNDECIDED =
            new RunEvent.Configured("neuron.test.undecided", "counters = fail, it's=$x", Origin.SYSTEM_PROPERTY);
    private static final RunEvent IN_FILE =
            new RunEvent.Configured("neuron.test.evidence", "always", Origin.JUNIT_PARAMETER);
    private static final RunEvent SHARD = new RunEvent.Sharded(2, 2, "", null, 0, "", false);

    /** Verifies that settings from outside of the project are repeated, and the platform also if no host was opened. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    maven       | mvn test -Dtest=a.B#t -Dneuron.test.platform=real '-Dneuron.test.undecided=counters = fail, it'\\''s=$x' -Dneuron.test.shard=none
                    gradle      | NEURON_TEST_PLATFORM=real NEURON_TEST_UNDECIDED='counters = fail, it'\\''s=$x' NEURON_TEST_SHARD=none gradle test --rerun --tests a.B.t
                    neuron-test | neuron-test run -m a.B#t --platform real --config 'neuron.test.undecided=counters = fail, it'\\''s=$x' --config neuron.test.shard=none
                    """)
    void repeatsSettingsFromOutsideOfProject(String tool, String expected) throws IOException {
        assertThat(command(
                        new TestTool(tool, "maven".equals(tool) ? null : "test", null),
                        REAL,
                        UNDECIDED,
                        IN_FILE,
                        SHARD))
                .contains(expected);
    }

    @Test
    void namesPlatformOfProjectFile() throws IOException {
        RunEvent fake = new RunEvent.Configured("neuron.test.platform", "fake:trn1.2xlarge", Origin.JUNIT_PARAMETER);

        assertThat(command(new TestTool(TestTool.MAVEN, null, null), fake))
                .contains("mvn test -Dtest=a.B#t -Dneuron.test.platform=fake:trn1.2xlarge");
    }

    @Test
    void recordingReplacesConfiguredPlatform() throws IOException {
        // given
        TestId test = new TestId(ONE, "name");
        new RunLinesFixture(1)
                .started("a")
                .add(REAL)
                .add(UNDECIDED)
                .add(new RunEvent.Attached(test, "x", "application/x-neuron-archive", 7, "x.archive.txt"))
                .add(new RunEvent.TestFinished(test, Outcome.FAILED, List.of(), "reason"))
                .finished()
                .writeTo(folder);
        RunReport report = RunReports.merge(List.of(folder));

        // then
        assertThat(RerunCommand.onRecording(report, report.tests().get(0)).orElseThrow())
                .contains("neuron.test.platform=replay:", "neuron.test.undecided=")
                .doesNotContain("platform=real");
    }

    @Nested
    class Maven {

        private Optional<String> command(String id, @Nullable String module) throws IOException {
            return RerunCommandTest.this.command(id, new TestTool(TestTool.MAVEN, module, null), false);
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                        [engine:junit-jupiter]/[class:com.acme.BertTest]/[method:one(dev.neurontest.NeuronCore)] | mvn test -Dtest=com.acme.BertTest#one
                        [engine:junit-jupiter]/[class:com.acme.BertTest] | mvn test -Dtest=com.acme.BertTest
                        [engine:junit-jupiter]/[class:a.B]/[nested-class:C]/[test-template:t(int)]/[test-template-invocation:#2] | mvn test '-Dtest=a.B$C#t' -Dneuron.test.invocation=2
                        [engine:junit-jupiter]/[class-template:a.B]/[class-template-invocation:#1]/[test-factory:t()]/[dynamic-test:#1] | mvn test -Dtest=a.B#t
                        [engine:junit-jupiter]/[class:a.B]/[method:it's 50%25 a%2Fb()] | mvn test '-Dtest=a.B#it'\\''s 50% a/b'
                        """)
        void selectsTest(String id, String expected) throws IOException {
            assertThat(command(id, null)).contains(expected);
        }

        @Test
        void runsModuleWithItsDependencies() throws IOException {
            assertThat(command(ONE, "services/bert"))
                    .contains("mvn test -pl services/bert -am -Dtest=a.B#t -Dsurefire.failIfNoSpecifiedTests=false");
        }

        @ParameterizedTest
        @ValueSource(strings = {"a.BertIT", "a.ITBert", "a.BertITCase", "a.BertIT$Long", "BertIT"})
        void runsFailsafeTestInVerifyPhase(String name) throws IOException {
            String selected = name.contains("$") ? "'-Dit.test=" + name + "#t'" : "-Dit.test=" + name + "#t";

            assertThat(command(ONE.replace("a.B", name.replace("$", "]/[nested-class:")), "bert"))
                    .contains("mvn verify -pl bert -am " + selected + " -Dtest=none"
                            + " -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false");
        }

        @ParameterizedTest
        @ValueSource(strings = {"a.UNITTest", "a.Split", "it.acme.BertTest", "a.BertIT.Bert", "a.BertTest$InnerIT"})
        void runsOtherTestInTestPhase(String name) throws IOException {
            assertThat(command(ONE.replace("a.B", name), null)).get().asString().startsWith("mvn test ");
        }

        @Test
        void setsSamePlatform() throws IOException {
            assertThat(RerunCommandTest.this.command(ONE, new TestTool(TestTool.MAVEN, null, null), true))
                    .contains("mvn test -Dtest=a.B#t -Dneuron.test.platform=fake:trn1.2xlarge");
        }
    }

    @Nested
    class Gradle {

        @ParameterizedTest
        @CsvSource({"gradle, gradle", "gradlew, ./gradlew"})
        void passesSettingsInEnvironment(String name, String program) throws IOException {
            assertThat(command(INVOCATION, new TestTool(name, ":bert:test", null), true))
                    .contains("NEURON_TEST_PLATFORM=fake:trn1.2xlarge NEURON_TEST_INVOCATION=2 " + program
                            + " :bert:test --rerun --tests a.B.t");
        }

        @Test
        void quotesShellCharacters() throws IOException {
            assertThat(command(
                            "[engine:junit-jupiter]/[class:a.B]/[nested-class:C]/[method:it's so()]",
                            new TestTool(TestTool.GRADLE, ":$(x):test", null),
                            false))
                    .contains("gradle ':$(x):test' --rerun --tests 'a.B$C.it'\\''s so'");
        }
    }

    @Nested
    class Command {

        private final TestTool tool =
                new TestTool(TestTool.NEURON_TEST, null, List.of("-cp", "classes:libs/*", "--jvm-option=-Xmx4g"));

        @ParameterizedTest
        @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                        [engine:junit-jupiter]/[class:a.B]/[method:t()] | -m a.B#t
                        [engine:junit-jupiter]/[class:a.B] | -c a.B
                        [engine:junit-jupiter]/[class:a.B]/[test-template:t(int)]/[test-template-invocation:#2] | -m 'a.B#t[2]'
                        [engine:junit-jupiter]/[class:a.B]/[test-factory:t()]/[dynamic-container:#3]/[dynamic-test:#1] | -m 'a.B#t[3]'
                        """)
        void selectsTest(String id, String expected) throws IOException {
            assertThat(command(id, tool, false))
                    .contains("neuron-test run -cp 'classes:libs/*' --jvm-option=-Xmx4g " + expected);
        }

        @Test
        void setsSamePlatform() throws IOException {
            assertThat(command(ONE, tool, true))
                    .contains("neuron-test run -cp 'classes:libs/*' --jvm-option=-Xmx4g -m a.B#t"
                            + " --platform fake:trn1.2xlarge");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--config\nneuron.test.evidence=never", "--jvm-option=-Dneuron.test.evidence=never"})
    void omitsSettingInOptionsOfCommand(String options) throws IOException {
        TestTool tool = new TestTool(TestTool.NEURON_TEST, null, options.lines().toList());
        RunEvent evidence = new RunEvent.Configured("neuron.test.evidence", "never", Origin.SYSTEM_PROPERTY);

        assertThat(command(tool, evidence)).contains("neuron-test run " + options.replace('\n', ' ') + " -m a.B#t");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bazel", "", "Maven"})
    void isAbsentForUnknownTool(String name) throws IOException {
        assertThat(command(ONE, new TestTool(name, "x", List.of("y")), false)).isEmpty();
    }

    @Test
    void isAbsentWithoutTool() throws IOException {
        assertThat(command(ONE, null, false)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "[engine:other]/[spec:x], x",
        "[engine:junit-jupiter]/[class:a%0A.B], x",
        "[engine:j]/[class:a.B], 'x\ny'"
    })
    void isAbsentWithoutClassOrWithLineBreak(String id, String module) throws IOException {
        TestTool tool = new TestTool(TestTool.MAVEN, module.translateEscapes(), null);

        assertThat(command(id, tool, false)).isEmpty();
    }
}
