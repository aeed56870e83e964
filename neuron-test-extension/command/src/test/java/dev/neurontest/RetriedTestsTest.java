package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.gate.GateRules;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.Overview;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.merge.RunReports;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Tests of a launcher that repeats failed tests in a later plan, as Surefire, Failsafe and the retry plugin of Gradle do. */
class RetriedTestsTest {

    /** The number of the running plan. */
    private static int plan;

    @TempDir
    private Path output;

    @BeforeEach
    void beginsWithoutPlan() {
        plan = 0;
    }

    @NeuronTest
    static class FlakyBodyFixture {
        @Test
        void flaky(NeuronCore core) {
            assertThat(plan).as("number of the plan").isGreaterThan(1);
        }
    }

    @NeuronTest
    static class TimesOutAtFirstFixture {
        @Test
        void flaky(NeuronCore core, FakeNeuronHost fake) {
            FakeCore physical = fake.core(core);
            try (FakeProcess process = fake.openProcess("workload", physical)) {
                process.execute(physical, NrtStatus.of(plan > 1 ? "NRT_SUCCESS" : "NRT_TIMEOUT"), 3);
            }
        }
    }

    @NeuronTest
    static class ServerStartsLateFixture {
        @BeforeAll
        static void startsServer() {
            assertThat(plan).as("number of the plan").isGreaterThan(1);
        }

        @Test
        void first(NeuronCore core) {}

        @Test
        void second(NeuronCore core) {}
    }

    private RunReport reportOf(int plans, Class<?> testClass) {
        try (LauncherSession session = LauncherFactory.openSession()) {
            for (plan = 1; plan <= plans; plan++) {
                session.getLauncher()
                        .execute(LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(testClass))
                                .configurationParameter("neuron.test.platform", "fake:trn1.32xlarge")
                                .configurationParameter("neuron.test.output", output.toString())
                                .configurationParameter("neuron.test.run", "nightly 17")
                                .configurationParameter("neuron.test.summary", "false")
                                .build());
            }
        }
        return RunReports.merge(List.of(output));
    }

    private static List<String> failedGates(RunReport report) {
        return GateRules.ofDefaults().decide(report).stream()
                .filter(gate -> !gate.passed())
                .map(GateOutcome::gate)
                .toList();
    }

    @Test
    void passedRetryIsOneFlakyTest() {
        RunReport report = reportOf(2, FlakyBodyFixture.class);

        assertThat(Overview.of(report).outcomesInWords()).isEqualTo("1 passed");
        assertThat(Overview.of(report).executions()).isEqualTo(2);
        assertThat(failedGates(report)).containsExactly("flaky.max");
    }

    @Test
    void failedTestWithoutRetryFails() {
        assertThat(failedGates(reportOf(1, FlakyBodyFixture.class))).containsExactly("failed.max");
    }

    @Test
    void errorsOfFailedAttemptRemainUnexplained() {
        RunReport report = reportOf(2, TimesOutAtFirstFixture.class);

        assertThat(Overview.of(report).outcomesInWords()).isEqualTo("1 passed");
        assertThat(failedGates(report)).contains("flaky.max", "errors.max").doesNotContain("failed.max");
        assertThat(report.unexplainedErrors()).isEqualTo(3);
    }

    @Test
    void classThatFailedAtFirstIsNoTest() {
        RunReport report = reportOf(2, ServerStartsLateFixture.class);

        assertThat(Overview.of(report).outcomesInWords()).isEqualTo("2 passed");
        assertThat(failedGates(report)).containsExactly("flaky.max");
    }

    @Test
    void classFailureIsNamedApartFromItsTests() {
        RunReport report = reportOf(1, ServerStartsLateFixture.class);

        assertThat(Overview.of(report).outcomesInWords()).isEqualTo("2 failed, 1 failed class");
    }

    @Test
    void overviewNamesJudgedRun() {
        assertThat(Overview.of(reportOf(2, FlakyBodyFixture.class)).run())
                .hasValueSatisfying(run -> assertThat(run)
                        .startsWith("nightly 17, 20")
                        .contains(" to ")
                        .endsWith(" UTC"));
    }
}
