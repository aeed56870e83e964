package dev.neurontest.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.ForEachCore;
import dev.neurontest.NeuronExtension;
import dev.neurontest.NeuronTest;
import dev.neurontest.NeuronTestKit;
import dev.neurontest.RetryOnAnotherCore;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent.TestFinished;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Tests of {@code neuron.test.invocation}, as in the command by which a build tool repeats one invocation. */
class InvocationFilterTest {

    private static final String LEFT_OUT = "it is not the invocation that neuron.test.invocation selects: 2";
    private static final List<Object> RAN = new CopyOnWriteArrayList<>();

    @TempDir
    private Path folder;

    private NeuronTestKit kit;

    @BeforeEach
    void forgetWhatRan() {
        RAN.clear();
        kit = new NeuronTestKit(folder);
    }

    private TestExecutionSummary run(int invocation, Class<?> tests) {
        return kit.with("neuron.test.invocation", String.valueOf(invocation)).launch(tests);
    }

    @NeuronTest
    static class ParameterizedFixture {
        @ParameterizedTest
        @ValueSource(ints = {10, 20, 30})
        void test(int tokens, NeuronCore core) {
            RAN.add(tokens);
        }
    }

    static class RepeatedFixture {
        @RegisterExtension
        final NeuronExtension neuron = NeuronExtension.builder().build();

        @RepeatedTest(3)
        void test(RepetitionInfo repetition, NeuronCore core) {
            RAN.add(repetition.getCurrentRepetition() * 10);
        }
    }

    static class EachCoreFixture {
        @ForEachCore
        void test(NeuronCore core) {
            RAN.add((core.index() + 1) * 10);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ParameterizedFixture.class, RepeatedFixture.class, EachCoreFixture.class})
    void runsOnlyTheChosenInvocation(Class<?> tests) {
        // when
        TestExecutionSummary junit = run(2, tests);

        // then
        assertThat(RAN).containsExactly(20);
        assertThat(junit.getTestsSucceededCount()).isEqualTo(1);
        assertThat(junit.getTotalFailureCount()).isZero();
    }

    @Test
    void countsOtherInvocationsAsSkipped() {
        // when
        TestExecutionSummary junit = run(2, ParameterizedFixture.class);

        // then
        assertThat(junit.getTestsSkippedCount()).isEqualTo(2);
        assertThat(kit.events(TestFinished.class))
                .extracting(TestFinished::outcome, TestFinished::reason)
                .containsExactly(
                        tuple(Outcome.SKIPPED, LEFT_OUT),
                        tuple(Outcome.PASSED, null),
                        tuple(Outcome.SKIPPED, LEFT_OUT));
    }

    @Test
    void failsWhenInvocationDoesNotExist() {
        // when
        TestExecutionSummary junit = run(4, ParameterizedFixture.class);

        // then
        String message =
                "InvocationFilterTest$ParameterizedFixture > test(int, NeuronCore) has no invocation 4, which neuron.test.invocation selects: the"
                        + " last is 3, and none ran. Correct or remove that setting.";
        assertThat(junit.getFailures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.getException()).hasMessage(message));
        assertThat(kit.events(TestFinished.class))
                .filteredOn(finished -> finished.outcome() != Outcome.SKIPPED)
                .singleElement()
                .satisfies(finished -> {
                    assertThat(finished.outcome()).isEqualTo(Outcome.FAILED);
                    assertThat(finished.reason()).endsWith(message);
                });
        assertThat(RAN).isEmpty();
    }

    @NeuronTest
    static class RetriedFixture {
        @RetryOnAnotherCore
        void test(NeuronCore core) {
            RAN.add("attempt");
        }
    }

    @NeuronTest
    static class PlainFixture {
        @Test
        void test(NeuronCore core) {
            RAN.add("test");
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {RetriedFixture.class, PlainFixture.class})
    void ignoresRetriesAndTestsWithoutInvocations(Class<?> tests) {
        // when
        TestExecutionSummary junit = run(2, tests);

        // then
        assertThat(RAN).hasSize(1);
        assertThat(junit.getTestsSkippedCount()).isZero();
        assertThat(junit.getTotalFailureCount()).isZero();
    }
}
