package dev.neurontest;

import static dev.neurontest.NeuronTestKit.failures;
import static dev.neurontest.NeuronTestKit.onlyFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.counter.CounterDeltaExpectation;
import dev.neurontest.counter.MemoryReturnedExpectation;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.metric.ByteSize;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.opentest4j.AssertionFailedError;

/** Tests of counter expectations that are judged once, over all tests of a class. */
class WholeClassCountersTest {

    @TempDir
    private Path output;

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).on("fake:trn1.2xlarge@driver-2.30");
    }

    /** A class with a server on one core, which its tests use. */
    abstract static class ServerFixture {

        private static NeuronCore core;

        @BeforeAll
        static void start(NeuronCore leased) {
            core = leased;
        }

        static void infer(FakeNeuronHost fake, long times) {
            execute(fake, core, times);
        }
    }

    private static void execute(FakeNeuronHost fake, NeuronCore core, long times) {
        try (FakeProcess process = fake.openProcess("server", core)) {
            process.execute(core, NrtStatus.of("NRT_SUCCESS"), times);
        }
    }

    abstract static class ThreeInferencesFixture extends ServerFixture {
        @Test
        void one(FakeNeuronHost fake) {
            infer(fake, 1);
        }

        @Test
        void two(FakeNeuronHost fake) {
            infer(fake, 2);
        }
    }

    @ExpectCounter(value = "inference_count", delta = 3, wholeClass = true)
    static class MetFixture extends ThreeInferencesFixture {}

    @Test
    void countsOfAllTestsMeetExpectationTogether() {
        assertThat(failures(kit().run(MetFixture.class))).isEmpty();
    }

    @ExpectCounter(value = "inference_count", delta = 4, wholeClass = true)
    static class MissedFixture extends ThreeInferencesFixture {}

    @Test
    void missedExpectationFailsClassAndNotItsTests() {
        NeuronTestKit kit = kit();

        EngineExecutionResults results = kit.run(MissedFixture.class);

        results.testEvents().assertStatistics(stats -> stats.succeeded(2).failed(0));
        results.containerEvents().assertStatistics(stats -> stats.failed(1));
        assertThat(onlyFailure(results))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContainingAll(
                        "@ExpectCounter(\"inference_count\", delta = 4,",
                        "wholeClass = true)",
                        "expected +4\n  was +3",
                        "other_info/inference_count       0      3     +3");
        assertThat(kit.events(RunEvent.Violated.class))
                .singleElement()
                .satisfies(
                        violated -> assertThat(violated.test().test()).endsWith("MissedFixture]"),
                        violated -> assertThat(violated.violation().actual()).isEqualTo("+3"));
    }

    @ExpectCounter(value = "inference_count", delta = 3, wholeClass = true)
    @ExpectCounter(value = "inference_count", max = 2)
    static class BothFixture extends ServerFixture {
        @Test
        void one(FakeNeuronHost fake) {
            infer(fake, 1);
        }

        @Test
        @ExpectCounter(value = "inference_count", delta = 2)
        void two(FakeNeuronHost fake) {
            infer(fake, 2);
        }
    }

    @Test
    void testAndClassExpectTheSameCounterSeparately() {
        assertThat(failures(kit().run(BothFixture.class))).isEmpty();
    }

    @ExpectCounter(value = "inference_count", delta = 1, wholeClass = true)
    static class OutsideTestsFixture extends ServerFixture {
        @Test
        void nothing() {}

        @AfterAll
        static void stop(FakeNeuronHost fake) {
            infer(fake, 1);
        }
    }

    @Test
    void countsOutsideTestsBelongToClass() {
        assertThat(failures(kit().run(OutsideTestsFixture.class))).isEmpty();
    }

    @ExpectCounter(value = "inference_count", delta = 3, wholeClass = true)
    static class OuterFixture extends ServerFixture {
        @Test
        void one(FakeNeuronHost fake) {
            infer(fake, 1);
        }

        @Nested
        class Inner {
            @Test
            @ExpectCounter(value = "inference_count", delta = 2)
            void two(FakeNeuronHost fake) {
                infer(fake, 2);
            }
        }
    }

    @Test
    void nestedClassCountsForOuterClassOnly() {
        assertThat(failures(kit().run(OuterFixture.class))).isEmpty();
    }

    @NeuronTest
    static class NestedOnlyFixture extends ServerFixture {
        @Test
        void one(FakeNeuronHost fake) {
            infer(fake, 1);
        }

        @Nested
        @ExpectCounter(value = "inference_count", delta = 5, wholeClass = true)
        class Inner {
            @Test
            void two(FakeNeuronHost fake) {
                infer(fake, 2);
            }
        }
    }

    @Test
    void nestedClassIsJudgedOnCoresOfOuterClass() {
        assertThat(onlyFailure(kit().run(NestedOnlyFixture.class))).hasMessageContaining("expected +5\n  was +2");
    }

    @ExpectCounter(value = "inference_count", delta = 3, wholeClass = true)
    static class AbortedFixture extends ServerFixture {
        @Test
        void one(FakeNeuronHost fake) {
            infer(fake, 1);
        }

        @Test
        void two() {
            assumeTrue(false, "the model is not there");
        }
    }

    @ExpectCounter(value = "inference_count", delta = 3, wholeClass = true)
    static class AbortedButTooManyFixture extends ServerFixture {
        @Test
        void four(FakeNeuronHost fake) {
            infer(fake, 4);
        }

        @Test
        void two() {
            assumeTrue(false, "the model is not there");
        }
    }

    @Test
    void onlyUpperLimitAppliesWhenTestWasAborted() {
        assertThat(failures(kit().run(AbortedFixture.class))).isEmpty();
        assertThat(onlyFailure(kit().run(AbortedButTooManyFixture.class))).hasMessageContaining("was +4");
    }

    static class OnMethodFixture {
        @Test
        @ExpectCounter(value = "inference_count", delta = 3, wholeClass = true)
        void test(NeuronCore core) {
            throw new AssertionError("the test ran");
        }
    }

    @Test
    void methodIsRefusedBeforeItRuns() {
        assertThat(onlyFailure(kit().run(OnMethodFixture.class)))
                .hasMessageContainingAll("OnMethodFixture.test", "Put it on the class", "wholeClass = true");
    }

    @ExpectCounter(value = "inference_count", delta = 3, wholeClass = true)
    static class NoCoreFixture {
        @BeforeAll
        static void start() {
            throw new AssertionError("the class ran");
        }

        @Test
        void test(NeuronCore core) {}
    }

    @Test
    void classWithoutCoresOfItsOwnIsRefusedBeforeItRuns() {
        assertThat(onlyFailure(kit().run(NoCoreFixture.class)))
                .hasMessageContainingAll("NoCoreFixture", "leases no cores for all its tests", "@BeforeAll");
    }

    @ExpectCounter(value = "inference_count", delta = 3, min = 1, wholeClass = true)
    static class ContradictingFixture extends ServerFixture {
        @Test
        void test() {}
    }

    @Test
    void contradictingBoundsAreRefused() {
        assertThat(failures(kit().run(ContradictingFixture.class)))
                .isNotEmpty()
                .allSatisfy(failure -> assertThat(failure).hasMessageContaining("sets delta together with min"));
    }

    @ExpectCounter(value = "inference_count", delta = 2, wholeClass = true)
    static class LeasedByTestFixture {
        @Test
        void one(@LeasedPer(LeaseScope.CLASS) NeuronCore core, FakeNeuronHost fake) {
            execute(fake, core, 1);
        }

        @Test
        void other(@LeasedPer(LeaseScope.CLASS) NeuronCore core, FakeNeuronHost fake) {
            execute(fake, core, 1);
        }
    }

    @Test
    void coresThatTestsLeaseForTheirClassCount() {
        assertThat(failures(kit().run(LeasedByTestFixture.class))).isEmpty();
    }

    static class FieldFixture extends ServerFixture {
        @RegisterExtension
        static final NeuronExtension NEURON = NeuronExtension.builder()
                .counters(rules -> rules.expect(
                                CounterDeltaExpectation.by("inference_count", 4).overWholeClass())
                        .expect(CounterDeltaExpectation.byAtLeast("inference_count", 1)))
                .build();

        @Test
        void one(FakeNeuronHost fake) {
            infer(fake, 1);
        }

        @Nested
        class Inner {
            @Test
            void two(FakeNeuronHost fake) {
                infer(fake, 2);
            }
        }
    }

    @Test
    void fieldStatesTheSameForItsClassOnly() {
        EngineExecutionResults results = kit().run(FieldFixture.class);

        results.testEvents().assertStatistics(stats -> stats.succeeded(2).failed(0));
        assertThat(onlyFailure(results)).hasMessageContaining("expected +4\n  was +3");
    }

    @NeuronTest
    static class FieldMemoryFixture extends ServerFixture {
        @RegisterExtension
        static final NeuronExtension NEURON = NeuronExtension.builder()
                .counters(rules -> rules.expect(new MemoryReturnedExpectation(ByteSize.parse("0 B"))))
                .build();

        private static FakeProcess process;

        @Test
        void starts(FakeNeuronHost fake) {
            process = fake.openProcess("server", ServerFixture.core);
        }

        @AfterAll
        static void keepMemory(FakeNeuronHost fake) {
            process.allocate(ServerFixture.core, "tensors", 4096);
        }
    }

    @Test
    void fieldExpectsMemoryOfClassLikeAnnotation() {
        assertThat(onlyFailure(kit().run(FieldMemoryFixture.class))).hasMessageContaining("device memory returns");
    }

    @ExpectCounter(value = "inference_count", delta = 0, wholeClass = true)
    static class OwnCoreFixture {
        @BeforeAll
        static void start(@NeuronIndex(0) NeuronCore core) {}

        @Test
        void test(@NeuronIndex(1) NeuronCore core, FakeNeuronHost fake) {
            execute(fake, core, 1);
        }
    }

    @Test
    void coresOfSingleTestsDoNotCount() {
        assertThat(failures(kit().run(OwnCoreFixture.class))).isEmpty();
    }

    @NeuronTest
    static class InstanceFieldFixture extends ServerFixture {
        @RegisterExtension
        final NeuronExtension neuron = NeuronExtension.builder()
                .counters(rules -> rules.expect(
                        CounterDeltaExpectation.by("inference_count", 4).overWholeClass()))
                .build();

        @Test
        void test() {
            throw new AssertionError("the test ran");
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class OneInstanceFieldFixture {
        @RegisterExtension
        final NeuronExtension neuron = NeuronExtension.builder()
                .counters(rules -> rules.expect(
                        CounterDeltaExpectation.by("inference_count", 4).overWholeClass()))
                .build();

        @BeforeAll
        void start(NeuronCore core) {}

        @Test
        void test() {
            throw new AssertionError("the test ran");
        }
    }

    @Test
    void fieldThatIsNotStaticIsRefused() {
        for (Class<?> fixture : List.of(InstanceFieldFixture.class, OneInstanceFieldFixture.class)) {
            assertThat(failures(kit().run(fixture)))
                    .isNotEmpty()
                    .first()
                    .asString()
                    .contains("Make the field static");
        }
    }

    @ExpectCounter(value = "inference_count", delta = 3, wholeClass = true)
    static class StillOpenFixture extends ServerFixture {
        private static FakeProcess process;

        @Test
        void test(FakeNeuronHost fake, NeuronCore ignored) {
            process = fake.openProcess("server", ServerFixture.core);
        }

        static void end() {
            process.close();
        }
    }

    @Test
    void deferredCountsLeaveClassUndecided() {
        EngineExecutionResults results =
                new NeuronTestKit(output).on("fake:trn1.2xlarge@driver-2.28").run(StillOpenFixture.class);
        StillOpenFixture.end();

        assertThat(onlyFailure(results)).hasMessageContaining("expectation undecided");
    }
}
