package dev.neurontest.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.configuration.PlatformChoice;
import dev.neurontest.evidence.Outcome;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.RunLinesFixture;
import dev.neurontest.evidence.TestId;
import dev.neurontest.report.merge.RunReports;
import dev.neurontest.report.show.ReportText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RerunCommandTest {

    @TempDir
    Path folder;

    @Test
    void replaysTheRecordingThatTheTestHasLeft() throws IOException {
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
        assertThat(RerunCommand.onRecording(report.tests().get(0)))
                .contains("mvn test -Dtest=com.acme.BertTest#one '-Dneuron.test.platform=replay:"
                        + folder.resolve("a b.archive.txt") + "'");
        assertThat(ReportText.of(report, List.of())).contains("  replay: mvn test ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.archive.txt", "what?.archive.txt", "a?timeline=static", "it's 100%?&x=y?"})
    void names_a_recording_as_the_setting_takes_it(String name) throws IOException {
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
        String command = RerunCommand.onRecording(
                        RunReports.merge(List.of(folder)).tests().get(0))
                .orElseThrow();

        // then
        String last = command.substring(command.lastIndexOf("-Dneuron.test.platform="));
        String unquoted = command.contains("'-Dneuron.test.platform=")
                ? last.substring(0, last.length() - 1).replace("'\\''", "'")
                : last;
        assertThat(PlatformChoice.parse(unquoted.substring("-Dneuron.test.platform=".length())))
                .isEqualTo(new PlatformChoice.Replay(folder.resolve(name), PlatformChoice.Timeline.PLAY));
    }

    private Optional<String> command(String id, boolean fake) throws IOException {
        RunLinesFixture jvm = new RunLinesFixture(1).started("a");
        (fake ? jvm.onFake() : jvm.onHardware())
                .add(new RunEvent.TestFinished(new TestId(id, "name"), Outcome.FAILED, List.of(), "reason"))
                .finished()
                .writeTo(folder);
        RunReport report = RunReports.merge(List.of(folder));
        return RerunCommand.of(report, report.tests().get(0));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    [engine:junit-jupiter]/[class:com.acme.BertTest]/[method:one(dev.neurontest.NeuronCore)] | mvn test -Dtest=com.acme.BertTest#one
                    [engine:junit-jupiter]/[class:com.acme.BertTest] | mvn test -Dtest=com.acme.BertTest
                    [engine:junit-jupiter]/[class:a.B]/[nested-class:C]/[test-template:t(int)]/[test-template-invocation:#2] | mvn test '-Dtest=a.B$C#t'
                    [engine:junit-jupiter]/[class-template:a.B]/[class-template-invocation:#1]/[test-factory:t()]/[dynamic-test:#1] | mvn test -Dtest=a.B#t
                    [engine:junit-jupiter]/[class:a.B]/[method:it's 50%25 a%2Fb()] | mvn test '-Dtest=a.B#it'\\''s 50% a/b'
                    """)
    void selects_the_method_of_the_test(String id, String expected) throws IOException {
        // then
        assertThat(command(id, false)).contains(expected);
    }

    @Test
    void asks_for_the_same_platform() throws IOException {
        // then
        assertThat(command("[engine:junit-jupiter]/[class:a.B]/[method:t()]", true))
                .contains("mvn test -Dtest=a.B#t -Dneuron.test.platform=fake:trn1.2xlarge");
    }

    @Test
    void is_not_there_for_what_has_no_class_or_hides_a_line_break() throws IOException {
        // then
        assertThat(command("[engine:other]/[spec:x]", false)).isEmpty();
        assertThat(RerunCommand.of(
                        RunReports.merge(List.of(folder)),
                        RunReports.merge(List.of(folder)).tests().get(0)))
                .isEmpty();
    }
}
