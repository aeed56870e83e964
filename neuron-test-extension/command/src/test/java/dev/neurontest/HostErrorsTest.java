package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.Fault;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLine;
import dev.neurontest.internal.evidence.RunLog;
import dev.neurontest.internal.gate.GateRules;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.HostError;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.merge.RunReports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Tests of errors on the host outside of tests. */
class HostErrorsTest {

    @TempDir
    private Path output;

    /** A test with a core of device 0 and an error elsewhere. */
    @NeuronTest
    static class ElsewhereFixture {
        @Test
        void test(@NeuronIndex(0) NeuronCore core) {}

        @AfterAll
        static void somethingBreaksOnADeviceThatNobodyHas(FakeNeuronHost fake) {
            fake.device(1).fault(Fault.ecc("mem_uncorrected", 2));
        }
    }

    @NeuronTest
    static class InATestFixture {
        @Test
        @AllowCounter("mem_ecc_uncorrected")
        void test(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            fake.device(0).fault(Fault.ecc("mem_uncorrected", 2));
        }
    }

    @NeuronTest
    static class LooksItselfFixture {
        @Test
        void test(Counters counters, FakeNeuronHost fake) {
            counters.wholeHost().during(() -> fake.device(3).fault(Fault.ecc("mem_uncorrected", 1)));
        }
    }

    @NeuronTest
    static class VanishedFixture {
        @Test
        void test(@NeuronIndex(0) NeuronCore core) {}

        @AfterAll
        static void aDeviceThatNobodyHasGoes(FakeNeuronHost fake) {
            fake.device(1).remove();
        }
    }

    /** A test with a core of device 0 and a logged error elsewhere. */
    @NeuronTest
    static class LoggedElsewhereFixture {
        @Test
        void test(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            fake.fault(Fault.kernelLog(
                    "2026-11-20T10:11:12Z NEURON_HW_ERR=SRAM_UNCORRECTABLE_ERROR nd-id=0 nc-id=0 serial-num="
                            + fake.device(1).serialNumber() + " action=TERMINATE_INSTANCE"));
        }
    }

    @NeuronTest
    static class LoggedInATestFixture {
        @Test
        void test(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            fake.fault(Fault.kernelLog(
                    "2026-11-20T10:11:12Z NEURON_HW_ERR=SRAM_UNCORRECTABLE_ERROR nd-id=0 nc-id=0 serial-num="
                            + fake.device(0).serialNumber() + " action=TERMINATE_INSTANCE"));
        }
    }

    private RunReport reportOf(Class<?> testClass) {
        try (LauncherSession session = LauncherFactory.openSession()) {
            session.getLauncher()
                    .execute(LauncherDiscoveryRequestBuilder.request()
                            .selectors(selectClass(testClass))
                            .configurationParameter("neuron.test.platform", "fake:trn1.32xlarge")
                            .configurationParameter("neuron.test.output", output.toString())
                            .configurationParameter("neuron.test.summary", "false")
                            .build());
        }
        return RunReports.merge(List.of(output));
    }

    private static GateOutcome gate(RunReport report, String name) {
        return GateRules.ofDefaults().decide(report).stream()
                .filter(outcome -> outcome.gate().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void failErrorsGateWhenUnexplained() {
        // when
        RunReport report = reportOf(ElsewhereFixture.class);

        // then
        assertThat(report.hostErrors())
                .singleElement()
                .satisfies(error -> assertThat(error.counter()).isEqualTo("neuron1 hardware/mem_ecc_uncorrected"))
                .extracting(HostError::unexplained)
                .isEqualTo(2L);
        assertThat(gate(report, "errors.max").passed()).isFalse();
    }

    @Test
    void includeKernelLogLinesOfOtherDevices() {
        // when
        RunReport report = reportOf(LoggedElsewhereFixture.class);

        // then
        assertThat(report.tests()).noneMatch(test -> test.outcome() == TestOutcome.FAILED);
        assertThat(report.hostErrors()).singleElement().satisfies(error -> {
            assertThat(error.counter())
                    .startsWith("neuron1 kernel log [")
                    .contains("NEURON_HW_ERR=SRAM_UNCORRECTABLE_ERROR");
            assertThat(error.unexplained()).isEqualTo(1);
        });
        assertThat(gate(report, "errors.max").passed()).isFalse();
    }

    @Test
    void excludeKernelLogLinesThatFailedTheirTest() {
        // when
        RunReport report = reportOf(LoggedInATestFixture.class);

        // then
        assertThat(report.tests()).anyMatch(test -> test.outcome() == TestOutcome.FAILED);
        assertThat(report.hostErrors()).isEmpty();
    }

    @Test
    void vanishedDeviceFailsCompleteGate() {
        // when
        RunReport report = reportOf(VanishedFixture.class);

        // then
        assertThat(gate(report, "complete").passed()).isFalse();
        assertThat(gate(report, "complete").actual()).contains("neuron1", "could be read when the run began");
    }

    @Test
    void areExplainedByTestThatAllowsThem() {
        // when
        RunReport report = reportOf(InATestFixture.class);

        // then
        assertThat(report.hostErrors()).extracting(HostError::unexplained).containsOnly(0L);
        assertThat(gate(report, "errors.max").passed()).isTrue();
    }

    @Test
    void areNotExplainedByTestThatOnlyReadsThem() {
        // when
        RunReport report = reportOf(LooksItselfFixture.class);

        // then
        assertThat(report.hostErrors()).extracting(HostError::unexplained).containsExactly(1L);
    }

    @Test
    void areReadAtStartAndEndOfRun() throws IOException {
        // when
        RunReport report = reportOf(ElsewhereFixture.class);

        // then
        assertThat(RunLog.read(report.jvms().get(0).file()).lines())
                .extracting(RunLine::event)
                .filteredOn(RunEvent.HostErrors.class::isInstance)
                .extracting(event -> ((RunEvent.HostErrors) event).moment())
                .containsExactly(RunEvent.Moment.START, RunEvent.Moment.END);
    }
}
