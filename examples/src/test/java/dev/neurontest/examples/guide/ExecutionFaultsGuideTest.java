package dev.neurontest.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.merge.RunReports;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Message, core and report after a fault of the hardware, and after a fault of a kernel. */
class ExecutionFaultsGuideTest {

    @TempDir
    private Path output;

    private final Map<String, Throwable> failures = new HashMap<>();

    @BeforeEach
    void requireRuntime() {
        assumeTrue(FakeRuntime.unavailable().isEmpty());
    }

    private RunReport run(Class<?> fixture) {
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(fixture))
                                .configurationParameter("neuron.test.platform", "fake:trn1.2xlarge")
                                .configurationParameter("neuron.test.output", output.toString())
                                .configurationParameter("neuron.test.summary", "false")
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                                result.getThrowable()
                                        .ifPresent(failure -> failures.put(
                                                test.getDisplayName().replaceAll("\\(.*", ""), failure));
                            }
                        });
        return RunReports.merge(List.of(output));
    }

    private String messages(String test) {
        return texts(failures.get(test)).collect(Collectors.joining("\n"));
    }

    private static Stream<String> texts(Throwable failure) {
        return Stream.concat(
                Stream.of(String.valueOf(failure.getMessage())),
                Stream.of(failure.getSuppressed()).flatMap(ExecutionFaultsGuideTest::texts));
    }

    private static List<String> passed(RunReport report) {
        return report.tests().stream()
                .filter(test -> test.isTest() && test.outcome() == TestOutcome.PASSED)
                .map(ReportedTest::id)
                .map(id -> id.name().replaceAll(".*> |\\(.*", ""))
                .toList();
    }

    @Test
    void brokenMemoryQuarantinesTheCore() {
        // when
        RunReport report = run(BrokenMemoryGuideFixture.class);

        // then
        assertThat(messages("executesOnBrokenMemory"))
                .contains(
                        "NRT_EXEC_HW_ERR_NC_UE",
                        "neuron0 hardware/sram_ecc_uncorrected",
                        "status/hw_nc_ue_error",
                        "NEURON_HW_ERR=SRAM_UNCORRECTABLE_ERROR",
                        "action=TERMINATE_INSTANCE");
        assertThat(report.quarantines()).singleElement().satisfies(quarantine -> {
            assertThat(quarantine.core()).isEqualTo("neuron0/neuron_core0");
            assertThat(quarantine.reason())
                    .contains("NRT_EXEC_HW_ERR_NC_UE", "TERMINATE_INSTANCE")
                    .containsOnlyOnce("replace the instance (neuron0, serial number");
            assertThat(quarantine.ended()).isEmpty();
        });
        assertThat(passed(report)).containsExactly("runsOnAnotherCore");
        assertThat(messages("requestsTheBrokenCore")).contains("neuron0/neuron_core0", "serial number");
    }

    @Test
    void brokenKernelDoesNotQuarantineTheCore() {
        // when
        RunReport report = run(BrokenKernelGuideFixture.class);

        // then
        assertThat(messages("reachesOutOfBounds")).contains("NRT_EXEC_OOB", "status/oob_error");
        assertThat(report.quarantines()).isEmpty();
        assertThat(passed(report)).containsExactly("runsOnTheSameCore");
    }
}
