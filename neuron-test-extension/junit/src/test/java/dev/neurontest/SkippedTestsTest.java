package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.evidence.Outcome;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.RunEvent.TestFinished;
import java.nio.file.Path;
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

/** What JUnit counts as skipped is skipped in the run file, and so in report and gate. */
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
    void ofADisabledMethodNamesTheTestAndTheReason() {
        // when
        TestExecutionSummary junit = kit.launch(SomeDisabledFixture.class);

        // then
        assertThat(kit.events(TestFinished.class))
                .filteredOn(finished -> finished.outcome() == Outcome.SKIPPED)
                .extracting(finished -> finished.test().name(), TestFinished::reason)
                .containsExactly(tuple("SkippedTestsTest$SomeDisabledFixture > waits(NeuronCore)", "too slow"));
        assertSameNumbers(junit);
    }

    /** Takes its core before JUnit asks whether the method is disabled. */
    @NeuronTest
    static class CoreInConstructorFixture {

        CoreInConstructorFixture(NeuronCore core) {}

        @Test
        @Disabled("too slow")
        void waits() {}
    }

    @Test
    void giveBackWhatTheirInstanceLeased() {
        // when
        TestExecutionSummary junit = kit.launch(CoreInConstructorFixture.class);

        // then
        assertThat(kit.events(RunEvent.Released.class)).hasSameSizeAs(kit.events(RunEvent.Leased.class));
        assertSameNumbers(junit);
    }

    /** Another extension is asked first. */
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
    void ofAClassCountEach() {
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

    @Disabled("broken")
    static class DisabledFixture {

        @RegisterExtension
        static final NeuronExtension NEURON = NeuronExtension.builder().build();

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3})
        void times(int batch, NeuronCore core) {}
    }

    @Test
    void withInvocationsCountOnceSinceTheseAreNotKnown() {
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
    void withoutNeuronAreNotOurs() {
        // when
        kit.launch(NoNeuronFixture.class);
        kit.launch(OneDemandFixture.class);

        // then
        assertThat(kit.events(TestFinished.class))
                .extracting(finished -> finished.test().name())
                .containsExactly("SkippedTestsTest$OneDemandFixture > waits(NeuronCore)");
    }
}
