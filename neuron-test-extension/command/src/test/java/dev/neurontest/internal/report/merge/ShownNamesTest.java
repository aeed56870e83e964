package dev.neurontest.internal.report.merge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.report.ReportedQuarantine;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunFixture;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShownNamesTest {

    private static final String CORE = "dev.neurontest.device.NeuronCore";

    private static TestId test(String method, String name) {
        return new TestId(
                "[engine:junit-jupiter]/[class:com.acme.RedTest]/[%s]".formatted(method), "RedTest > " + name);
    }

    private static List<String> shown(TestId... tests) {
        RunReport empty = new RunFixture().report();
        RunReport report = new RunReport(
                empty.jvms(),
                Stream.of(tests)
                        .map(test -> RunFixture.simple(test, TestOutcome.FAILED, 1))
                        .toList(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
        return ShownNames.in(report).tests().stream()
                .map(ReportedTest::id)
                .map(TestId::name)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "method:t(dev.neurontest.device.NeuronCore); t(NeuronCore); t()",
                "method:t(java.util.List, dev.neurontest.fake.FakeNeuronHost); t(List, FakeNeuronHost); t()",
                "method:t(java.nio.file.Path); t(Path); t()",
                "method:t(com.acme.Models$Bert); t(Bert); t()",
                "method:t(); t(); t()",
                "test-factory:t(dev.neurontest.device.NeuronCore)]/[dynamic-test:#1; t(NeuronCore) > part; t() > part",
                "test-template:t(int, dev.neurontest.device.NeuronCore); t(int, NeuronCore); t(int)",
                "test-template:t(int, dev.neurontest.device.NeuronCore)]/[test-template-invocation:#1; t(int, NeuronCore) > [1] n=1; t(int) > [1] n=1",
                "test-template:t(java.util.List); t(List); t(List)",
                "test-template:t(org.junit.jupiter.api.RepetitionInfo); t(RepetitionInfo); t()",
                "method:t(dev.neurontest.device.NeuronCore); infers on a core; infers on a core",
                "method:t(dev.neurontest.device.NeuronCore); calls t(NeuronCore); calls t(NeuronCore)",
                "spec:t(dev.neurontest.device.NeuronCore); t(NeuronCore); t(NeuronCore)"
            })
    void leaveOutInjectedTypes(String method, String name, String shown) {
        assertThat(shown(test(method, name))).containsExactly("RedTest > " + shown);
    }

    @Test
    void areThoseOfQuarantinesToo() {
        // given
        RunReport night = new RunFixture()
                .with(RunFixture.simple(test("method:t(" + CORE + ")", "t(NeuronCore)"), TestOutcome.FAILED, 1))
                .report();
        List<ReportedQuarantine> quarantines = Stream.of("RedTest > t(NeuronCore)", "another process")
                .map(holder -> new ReportedQuarantine(
                        "host", "neuron0/neuron_core1", holder, "hung", false, Instant.EPOCH, Optional.empty()))
                .toList();

        // when
        RunReport shown =
                ShownNames.in(new RunReport(night.jvms(), night.tests(), quarantines, List.of(), List.of(), List.of()));

        // then
        assertThat(shown.quarantines())
                .extracting(ReportedQuarantine::test)
                .containsExactly("RedTest > t()", "another process");
    }

    @Test
    void keepTypesThatDistinguishOverloads() {
        assertThat(shown(
                        test("method:t(" + CORE + ")", "t(NeuronCore)"),
                        test("method:t()", "t()"),
                        test("method:u(" + CORE + ")", "u(NeuronCore)")))
                .containsExactly("RedTest > t(NeuronCore)", "RedTest > t()", "RedTest > u()");
    }

    @Test
    void doNotConfuseClasses() {
        assertThat(shown(
                        test("nested-class:A]/[method:t(" + CORE + ")", "A > t(NeuronCore)"),
                        test("nested-class:B]/[method:t()", "B > t()")))
                .containsExactly("RedTest > A > t()", "RedTest > B > t()");
    }
}
