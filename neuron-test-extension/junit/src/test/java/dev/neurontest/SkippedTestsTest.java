package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunEvent.TestFinished;
import dev.neurontest.internal.text.LogCommandsFixture;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Tests that tests skipped by JUnit are skipped in the run file, in the report and for the gate. */
class SkippedTestsTest {

    @TempDir
    private Path folder;

    private NeuronTestKit kit;

    @BeforeEach
    void start() {
        kit = new NeuronTestKit(folder);
    }

    private void assertSameNumbers(TestExecutionSummary junit) {
        assertThat(kit.events(TestFinished.class))
                .filteredOn(finished -> finished.outcome() == Outcome.SKIPPED)
                .hasSize((int) junit.getTestsSkippedCount());
        assertThat(kit.events(TestFinished.class))
                .filteredOn(finished -> finished.outcome() == Outcome.PASSED)
                .hasSize((int) junit.getTestsSucceededCount());
        assertThat(kit.events(TestFinished.class))
                .filteredOn(finished -> finished.outcome() == Outcome.ABORTED)
                .hasSize((int) junit.getTestsAbortedCount());
    }

    @NeuronTest
    static class SomeDisabledFixture {

        @Test
        void runs(NeuronCore core) {}

        @Test
        @Disabled("too slow")
        void waits(NeuronCore core) {}

        @Test
        void assumes(NeuronCore core) {
            assumeTrue(false);
        }
    }

    @Test
    void nameDisabledMethodAndReason() {
        // when
        TestExecutionSummary junit = kit.launch(SomeDisabledFixture.class);

        // then
        assertThat(kit.events(TestFinished.class))
                .filteredOn(finished -> finished.outcome() == Outcome.SKIPPED)
                .extracting(finished -> finished.test().name(), TestFinished::reason)
                .containsExactly(tuple("SkippedTestsTest$SomeDisabledFixture > waits(NeuronCore)", "too slow"));
        assertSameNumbers(junit);
    }

    /** A test that leases its core before JUnit evaluates whether the method is disabled. */
    @NeuronTest
    static class CoreInConstructorFixture {

        CoreInConstructorFixture(NeuronCore core) {}

        @Test
        @Disabled("too slow")
        void waits() {}
    }

    @Test
    void releaseCoresLeasedByConstructor() {
        // when
        TestExecutionSummary junit = kit.launch(CoreInConstructorFixture.class);

        // then
        assertThat(kit.events(RunEvent.Released.class)).hasSameSizeAs(kit.events(RunEvent.Leased.class));
        assertSameNumbers(junit);
    }

    /** A condition of another extension that is evaluated first. */
    static final class SkippingFixture implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return ConditionEvaluationResult.disabled("not tonight");
        }
    }

    @ExtendWith(SkippingFixture.class)
    @NeuronTest
    static class SkippedByAnotherFixture {

        @Test
        void one(NeuronCore core) {}

        @Nested
        class Inner {

            @Test
            void two(NeuronCore core) {}
        }
    }

    @Test
    void countEachTestOfSkippedClass() {
        // when
        TestExecutionSummary junit = kit.launch(SkippedByAnotherFixture.class);

        // then
        assertThat(kit.events(TestFinished.class))
                .extracting(finished -> finished.test().name(), TestFinished::outcome, TestFinished::reason)
                .containsExactlyInAnyOrder(
                        tuple(
                                "SkippedTestsTest$SkippedByAnotherFixture > one(NeuronCore)",
                                Outcome.SKIPPED,
                                "not tonight"),
                        tuple(
                                "SkippedTestsTest$SkippedByAnotherFixture > Inner > two(NeuronCore)",
                                Outcome.SKIPPED,
                                "not tonight"));
        assertSameNumbers(junit);
    }

    @NeuronTest
    static class ScriptFixture {

        @Test
        void scripts(FakeNeuronHost fake) {}
    }

    private String printed(Class<?>... classes) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            kit.launch(classes);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void areInTheSummaryAlsoWhereNoTestRuns() {
        // when
        String printed = printed(SkippedByAnotherFixture.class, DisabledFixture.class);

        // then
        assertThat(printed.lines())
                .containsSubsequence(
                        "Neuron Test: 3 tests: 3 skipped",
                        "  no Neuron host",
                        "  2 skipped: not tonight",
                        "  1 skipped: broken");
    }

    @NeuronTest
    static class CommandingFixture {

        @Test
        @Disabled("::error::y\n::error::z")
        void isOff() {}

        @Test
        void givesUp() {
            Assumptions.abort("x\n" + LogCommandsFixture.LINES);
        }
    }

    @Test
    void haveNoCiCommandsInReasons() {
        // when
        String printed = printed(CommandingFixture.class);

        // then
        assertThat(printed).contains("::error");
        LogCommandsFixture.assertNoCommand(printed);
    }

    @Test
    void namePlatformSettingForTestsWithFakeHost() {
        // given a root that is no fake of this JVM
        Path root = folder.resolve("root");
        new HostFixture(root).devices(HostFixture.Kind.TRN1, 0);
        kit.on("root:" + root);

        // when
        String printed = printed(ScriptFixture.class);

        // then
        assertThat(printed)
                .contains("  1 skipped: it scripts a FakeNeuronHost, but the platform is root:" + root)
                .contains("; to run it, set neuron.test.platform=fake:trn1.2xlarge\n");
    }

    @NeuronTest
    static class ProfileFixture {

        @Test
        @ProfileNeff("none.neff")
        void profiles(NeuronCore core) {}
    }

    @Test
    void nameSettingsWhenProfilerIsMissing() {
        // given
        kit.with("neuron.test.profiler", "/nowhere/neuron-explorer").with("neuron.test.missing", "skip");

        // when
        String printed = printed(ProfileFixture.class);

        // then
        assertThat(printed)
                .contains("  1 skipped: neuron.test.missing is skip (")
                .contains(
                        "); with fail such a test fails. No profiler tool works here. Checked:   /nowhere/neuron-explorer:")
                .contains("Correct neuron.test.profiler, which names this tool");
    }

    @Disabled("broken")
    static class DisabledFixture {

        @RegisterExtension
        static final NeuronExtension NEURON = NeuronExtension.builder().build();

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3})
        void times(int batch, NeuronCore core) {}
    }

    @Test
    void countOnceWithUnknownInvocations() {
        // when
        kit.launch(DisabledFixture.class);

        // then
        assertThat(kit.events(TestFinished.class))
                .extracting(finished -> finished.test().name(), TestFinished::outcome)
                .containsExactly(tuple("SkippedTestsTest$DisabledFixture > times(int, NeuronCore)", Outcome.SKIPPED));
    }

    static class NoNeuronFixture {

        @Test
        @Disabled("too slow")
        void waits() {}
    }

    static class OneDemandFixture {

        @Test
        @Disabled("too slow")
        @AllowCounter("timeout")
        void waits(NeuronCore core) {}

        @Test
        @Disabled("too slow")
        void other() {}
    }

    @Test
    void areRecordedOnlyForNeuronTests() {
        // when
        kit.launch(NoNeuronFixture.class);
        kit.launch(OneDemandFixture.class);

        // then
        assertThat(kit.events(TestFinished.class))
                .extracting(finished -> finished.test().name())
                .containsExactly("SkippedTestsTest$OneDemandFixture > waits(NeuronCore)");
    }
}
