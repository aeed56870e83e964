package dev.neurontest;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.evidence.RunEvent;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junitpioneer.jupiter.ExpectedToFail;
import org.junitpioneer.jupiter.RetryingTest;
import org.opentest4j.AssertionFailedError;

/** Tests of JUnit Pioneer with a test that fails after its body. */
class PioneerTest {

    @TempDir
    private Path output;

    private EngineExecutionResults run(Class<?> fixture) {
        return new NeuronTestKit(output).run(fixture);
    }

    private Throwable failure(Class<?> fixture) {
        return onlyFailure(run(fixture));
    }

    private static void timeout(FakeNeuronHost fake, NeuronCore core) {
        FakeCore physical = fake.core(core);
        try (FakeProcess process = fake.openProcess("workload", physical)) {
            process.execute(physical, NrtStatus.of("NRT_TIMEOUT"), 3);
        }
    }

    @Nested
    class WithExpectedToFail {

        private static final String SENTENCE =
                "\n@ExpectedToFail covers only the body of the test, but this failure was found after it. To expect the failure,"
                        + " assert it in the body, and allow an error counter with @AllowCounter.\n";

        @NeuronTest
        static class PassesFixture {
            @Test
            @ExpectedToFail
            @ExpectCounter(value = "inference_count", delta = 1)
            void test(NeuronCore core) {}
        }

        @Test
        void passingBodyFailsWithJudgementAttached() {
            Throwable failure = failure(PassesFixture.class);

            assertThat(failure).hasMessageStartingWith("Test marked as 'expected to fail' succeeded");
            assertThat(failure.getSuppressed())
                    .singleElement()
                    .isInstanceOfSatisfying(AssertionFailedError.class, judged -> {
                        assertThat(judged)
                                .hasMessageMatching(
                                        "(?s)neuron\\S+ other_info/inference_count: expected \\+1, was 0\nNeuron counters of.*")
                                .hasMessageEndingWith(SENTENCE);
                        assertThat(judged.getExpected().getStringRepresentation())
                                .isEqualTo("neuron0/neuron_core0 other_info/inference_count: +1");
                    });
        }

        @NeuronTest
        static class FailsFixture {
            @Test
            @ExpectedToFail
            void test(NeuronCore core, Counters counters, FakeNeuronHost fake) throws Exception {
                assertThat(counters.during(() -> timeout(fake, core))).hasNoErrors();
            }
        }

        @Test
        void bodyFailingAsExpectedFailsByJudgement() {
            assertThat(failure(FailsFixture.class))
                    .hasMessageMatching(
                            "(?s)neuron\\S+ status/timeout: expected unchanged, was \\+3\nNeuron counters of.*")
                    .hasMessageEndingWith(SENTENCE);
        }

        @NeuronTest
        static class AssertedFixture {
            @Test
            @ExpectedToFail
            @AllowCounter("timeout")
            void test(NeuronCore core, Counters counters, FakeNeuronHost fake) throws Exception {
                assertThat(counters.during(() -> timeout(fake, core))).hasNoErrors();
            }
        }

        @Test
        void assertionInBodyTakesEffect() {
            run(AssertedFixture.class)
                    .testEvents()
                    .assertStatistics(stats -> stats.aborted(1).failed(0));
        }

        @ExpectedToFail
        @Retention(RetentionPolicy.RUNTIME)
        @interface KnownBug {}

        @NeuronTest
        static class ComposedFixture {
            @Test
            @KnownBug
            @ExpectCounter(value = "inference_count", delta = 1)
            void test(NeuronCore core) {}
        }

        @Test
        void aComposedAnnotationIsSeen() {
            assertThat(failure(ComposedFixture.class).getSuppressed())
                    .singleElement()
                    .satisfies(judged -> assertThat(judged).hasMessageEndingWith(SENTENCE));
        }
    }

    @Nested
    class WithRetryingTest {

        private static final String SENTENCE =
                "@RetryingTest covers only the body of the test, but this failure was found after it. To retry it, assert it"
                        + " in the body, and allow an error counter with @AllowCounter; @RetryOnAnotherCore retries when a"
                        + " core is suspect.\n";

        @NeuronTest
        static class PassesFixture {
            @RetryingTest(3)
            @ExpectCounter(value = "inference_count", delta = 1)
            void test(NeuronCore core) {}
        }

        @Test
        void aBodyThatPassesIsNotTriedAgain() {
            EngineExecutionResults results = run(PassesFixture.class);

            results.testEvents().assertStatistics(stats -> stats.started(1).failed(1));
            assertThat(onlyFailure(results)).hasMessageEndingWith("\n" + SENTENCE);
        }

        @NeuronTest
        static class AssertedFixture {
            @RetryingTest(3)
            @AllowCounter("timeout")
            void test(NeuronCore core, Counters counters, FakeNeuronHost fake) throws Exception {
                assertThat(counters.during(() -> timeout(fake, core))).hasNoErrors();
            }
        }

        @Test
        void assertionInBodyTakesEffect() {
            run(AssertedFixture.class)
                    .testEvents()
                    .assertStatistics(stats -> stats.started(3).aborted(2).failed(1));
        }

        @Test
        void attemptsNameTheirTest() {
            run(AssertedFixture.class);

            assertThat(new NeuronTestKit(output).events(RunEvent.AttemptStarted.class))
                    .hasSize(3)
                    .allSatisfy(attempt -> assertThat(attempt.test().id())
                            .startsWith(attempt.whole().id() + "/"))
                    .extracting(attempt -> attempt.whole().id())
                    .allSatisfy(whole -> assertThat(whole)
                            .endsWith(
                                    "/[test-template:test(dev.neurontest.device.NeuronCore, dev.neurontest.counter.Counters,"
                                            + " dev.neurontest.fake.FakeNeuronHost)]"));
        }
    }

    @NeuronTest
    static class PlainFixture {
        @Test
        void test(NeuronCore core, FakeNeuronHost fake) {
            timeout(fake, core);
        }
    }

    @Test
    void failureWithoutPioneerHasNoAdvice() {
        assertThat(failure(PlainFixture.class)).hasMessageNotContaining("body of the test");
    }
}
