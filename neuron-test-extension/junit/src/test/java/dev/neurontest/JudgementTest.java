package dev.neurontest;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.counter.CounterDeltaExpectation;
import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.opentest4j.AssertionFailedError;

/** Tests of the judgement of the counters of a test. */
class JudgementTest {

    private static final String LIVE = "fake:trn1.2xlarge@driver-2.30";
    private static final String DEFERRED = "fake:trn1.2xlarge@driver-2.29";

    @TempDir
    private Path output;

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).on(LIVE);
    }

    private static FakeProcess open(FakeNeuronHost fake, NeuronCore core) {
        return fake.openProcess("workload", physical(fake, core));
    }

    private static FakeCore physical(FakeNeuronHost fake, NeuronCore core) {
        return fake.core(core);
    }

    private static void execute(FakeNeuronHost fake, NeuronCore core, String status, long times) {
        try (FakeProcess process = open(fake, core)) {
            process.execute(physical(fake, core), NrtStatus.of(status), times);
        }
    }

    @Nested
    class ByDefault {

        @NeuronTest
        static class SucceedsFixture {
            @Test
            void test(NeuronCore core, FakeNeuronHost fake) {
                execute(fake, core, "NRT_SUCCESS", 100);
            }
        }

        @Test
        void workThatSucceedsPasses() {
            kit().run(SucceedsFixture.class).testEvents().assertStatistics(stats -> stats.succeeded(1));
        }

        @NeuronTest
        static class FailsFixture {
            @Test
            void test(NeuronCore core, FakeNeuronHost fake) {
                execute(fake, core, "NRT_TIMEOUT", 3);
            }
        }

        @Test
        void risingErrorCounterFailsWithTable() {
            assertThat(onlyFailure(kit().run(FailsFixture.class)))
                    .isInstanceOf(AssertionFailedError.class)
                    .hasMessageContaining("status/timeout")
                    .hasMessageContaining("+3")
                    .hasMessageContaining("@AllowCounter(\"timeout\")")
                    .hasMessageEndingWith(
                            "All changed counters are in the attached neuron-counters.txt, and in neuron-counters.json"
                                    + " with paths.\n");
        }

        @Test
        void messageOmitsAttachmentsWhenEvidenceIsOff() {
            NeuronTestKit kit = kit().with("neuron.test.evidence", "never");

            assertThat(onlyFailure(kit.run(FailsFixture.class))).hasMessageNotContaining("attached");
        }

        @NeuronTest
        static class EccFixture {
            @Test
            void test(NeuronCore core, FakeNeuronHost fake) {
                fake.device(0).ecc("mem_uncorrected", 2);
            }
        }

        @Test
        void anUncorrectedEccErrorOfTheDeviceFails() {
            assertThat(onlyFailure(kit().run(EccFixture.class))).hasMessageContaining("hardware/mem_ecc_uncorrected");
        }

        @NeuronTest
        static class ForeignFixture {
            @Test
            void test(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
                try (FakeProcess process = fake.openProcess(fake.device(0).core(1))) {
                    process.execute(fake.device(0).core(1), NrtStatus.of("NRT_TIMEOUT"), 1);
                }
            }
        }

        @Test
        void errorOnOtherCoreOfDeviceIsOnlyNoticed() {
            NeuronTestKit kit = kit();

            kit.run(ForeignFixture.class).testEvents().assertStatistics(stats -> stats.succeeded(1));

            assertThat(kit.notices()).anyMatch(notice -> notice.contains("neuron0/neuron_core1"));
        }

        @NeuronTest
        static class BothFixture {
            @Test
            void test(NeuronCore core, FakeNeuronHost fake) {
                execute(fake, core, "NRT_HW_ERROR", 1);
                throw new IllegalStateException("the body's own");
            }
        }

        @Test
        void bodyFailureComesBeforeCounterFailure() {
            assertThat(NeuronTestKit.failures(kit().run(BothFixture.class)))
                    .singleElement()
                    .satisfies(failure -> {
                        assertThat(failure).hasMessage("the body's own");
                        assertThat(failure.getSuppressed())
                                .singleElement()
                                .satisfies(judged -> assertThat(judged).hasMessageContaining("status/hw_error"));
                    });
        }
    }

    @Nested
    class OnRequest {

        @NeuronTest
        @ExpectCounter(value = "inference_count", min = 1)
        static class ExpectsFixture {
            @Test
            @ExpectCounter(value = "inference_count", delta = 100)
            @ExpectCounter(value = "success", min = 100, max = 100)
            @AllowCounter("oob_error")
            @ExpectDeviceMemoryReturned
            @ExpectPeakMemory(atMost = "1 MiB", category = "device_mem/tensors", clearFirst = true)
            void test(NeuronCore core, FakeNeuronHost fake) {
                try (FakeProcess process = open(fake, core)) {
                    process.allocate(physical(fake, core), "tensors", 1 << 20);
                    process.execute(physical(fake, core), 100);
                    process.execute(physical(fake, core), NrtStatus.of("NRT_EXEC_OOB"), 1);
                }
            }
        }

        @Test
        void metExpectationsPass() {
            assertThat(NeuronTestKit.failures(kit().run(ExpectsFixture.class))).isEmpty();
        }

        @NeuronTest
        static class EachBesideAClassFixture {
            @BeforeAll
            static void server(@NeuronIndex(0) NeuronCore core) {}

            @Test
            @ExpectCounter(value = "inference_count", delta = 10, each = true)
            void passes(@NeuronIndex(1) NeuronCore core, FakeNeuronHost fake) {
                execute(fake, core, "NRT_SUCCESS", 10);
            }

            @Test
            @ExpectCounter(value = "inference_count", delta = 10, each = true)
            void fails(@NeuronIndex(1) NeuronCore core, @NeuronIndex(0) NeuronCore ofClass, FakeNeuronHost fake) {
                execute(fake, core, "NRT_SUCCESS", 10);
            }
        }

        @Test
        void expectationOnEachCoreIgnoresCoresOfClass() {
            assertThat(onlyFailure(kit().run(EachBesideAClassFixture.class)))
                    .hasMessageContaining("neuron0/neuron_core0")
                    .hasMessageContaining("inference_count");
        }

        @NeuronTest
        static class BrokenFixture {
            @Test
            @ExpectCounter(value = "inference_count", delta = 100)
            @ExpectDeviceMemoryReturned(tolerance = "4 KiB")
            @ExpectPeakMemory(atMost = "1 MiB", category = "device_mem/tensors", clearFirst = true)
            void test(NeuronCore core, FakeNeuronHost fake) {
                FakeProcess process = open(fake, core);
                process.allocate(physical(fake, core), "tensors", 3 << 20);
                process.execute(physical(fake, core), 99);
            }
        }

        @Test
        void unmetExpectationsAreReportedTogether() {
            assertThat(onlyFailure(kit().run(BrokenFixture.class)))
                    .hasMessageContaining("@ExpectCounter(\"inference_count\",")
                    .hasMessageContaining("+99")
                    .hasMessageContaining("device_mem")
                    .hasMessageContaining("3 MiB");
        }

        @NeuronTest
        static class MisspeltFixture {
            @Test
            @ExpectCounter(value = "inference_cuont", delta = 1)
            void test(NeuronCore core) {}
        }

        @Test
        void unknownCounterFailsNamingNearest() {
            assertThat(onlyFailure(kit().run(MisspeltFixture.class))).hasMessageContaining("inference_count");
        }

        @NeuronTest
        static class WithoutCoreFixture {
            @Test
            @ExpectCounter(value = "inference_count", delta = 1)
            void test() {}
        }

        @Test
        void expectationWithoutCoreFails() {
            assertThat(onlyFailure(kit().run(WithoutCoreFixture.class))).hasMessageContaining("takes no NeuronCore");
        }

        @NeuronTest
        static class DuringFixture {
            @Test
            void test(NeuronCore core, Counters counters, FakeNeuronHost fake) {
                execute(fake, core, "NRT_SUCCESS", 7);
                assertThat(counters.during(() -> execute(fake, core, "NRT_SUCCESS", 5)))
                        .counter("inference_count")
                        .roseBy(5);
            }
        }

        @Test
        void countersAreReadInsideTest() {
            assertThat(NeuronTestKit.failures(kit().run(DuringFixture.class))).isEmpty();
        }
    }

    @Nested
    class Declarations {

        @NeuronTest
        static class AnnotatedFixture {
            @Test
            @ExpectCounter(value = "inference_count", delta = 2)
            @AllowCounter("timeout")
            void test(NeuronCore core, FakeNeuronHost fake) {
                execute(fake, core, "NRT_TIMEOUT", 1);
                execute(fake, core, "NRT_HW_ERROR", 1);
            }
        }

        abstract static class TwoErrorsFixture {
            @Test
            void test(NeuronCore core, FakeNeuronHost fake) {
                execute(fake, core, "NRT_TIMEOUT", 1);
                execute(fake, core, "NRT_HW_ERROR", 1);
            }
        }

        static class RegisteredFixture extends TwoErrorsFixture {
            @RegisterExtension
            static NeuronExtension neuron = allowingATimeout();
        }

        @NeuronTest
        static class BothFixture extends TwoErrorsFixture {
            @RegisterExtension
            NeuronExtension neuron = allowingATimeout();
        }

        @Test
        void annotationAndExtensionGiveSameOutcome() {
            String annotated = message(kit().run(AnnotatedFixture.class));

            assertThat(annotated).contains("status/hw_error").doesNotContain("status/timeout");
            assertThat(message(kit().run(RegisteredFixture.class))).isEqualTo(annotated);
            assertThat(message(kit().run(BothFixture.class))).isEqualTo(annotated);
        }

        private static NeuronExtension allowingATimeout() {
            return NeuronExtension.builder()
                    .counters(rules -> rules.allow("timeout").expect(CounterDeltaExpectation.by("inference_count", 2)))
                    .build();
        }

        private static String message(EngineExecutionResults results) {
            return NeuronTestKit.failures(results).get(0).getMessage();
        }
    }

    @Nested
    class OnDriverWithDeferredCounters {

        @NeuronTest
        static class OwnerAliveFixture {
            @Test
            @ExpectCounter(value = "inference_count", delta = 5)
            void test(NeuronCore core, FakeNeuronHost fake) {
                open(fake, core).execute(physical(fake, core), 5);
            }
        }

        @Test
        void expectationIsUndecidedAndFailsWhileOwnerLives() {
            NeuronTestKit kit = kit().on(DEFERRED);

            assertThat(onlyFailure(kit.run(OwnerAliveFixture.class)))
                    .isInstanceOf(AssertionFailedError.class)
                    .hasMessageContaining("undecided")
                    .hasMessageContaining("neuron0 is still held by");
            assertThat(kit.events(RunEvent.TestFinished.class))
                    .singleElement()
                    .satisfies(finished -> assertThat(finished.outcome())
                            .as("a test that is red is no green run of a gate that lets undecided ones pass")
                            .isEqualTo(Outcome.FAILED));
        }

        @Test
        void settingAbortsOrPassesUndecidedTest() {
            kit().on(DEFERRED)
                    .with("neuron.test.undecided", "abort")
                    .run(OwnerAliveFixture.class)
                    .testEvents()
                    .assertStatistics(stats -> stats.aborted(1));
            kit().on(DEFERRED)
                    .with("neuron.test.undecided", "pass")
                    .run(OwnerAliveFixture.class)
                    .testEvents()
                    .assertStatistics(stats -> stats.succeeded(1));
        }

        @NeuronTest
        static class OnlyDefaultsFixture {
            @Test
            void test(NeuronCore core, FakeNeuronHost fake) {
                open(fake, core).execute(physical(fake, core), 5);
            }
        }

        @Test
        void theDefaultRulesPassWithANotice() {
            NeuronTestKit kit = kit().on(DEFERRED);

            kit.run(OnlyDefaultsFixture.class).testEvents().assertStatistics(stats -> stats.succeeded(1));

            assertThat(kit.notices()).anyMatch(notice -> notice.contains("still held by"));
        }

        @NeuronTest
        static class OwnerGoneFixture {
            @Test
            @ExpectCounter(value = "inference_count", delta = 5)
            void test(NeuronCore core, FakeNeuronHost fake) {
                execute(fake, core, "NRT_SUCCESS", 5);
            }
        }

        @Test
        void anExpectationIsDecidedWhenTheOwnerIsGone() {
            kit().on(DEFERRED).run(OwnerGoneFixture.class).testEvents().assertStatistics(stats -> stats.succeeded(1));
        }
    }

    @Nested
    class OfAClass {

        /** A class with a process for all its tests, which run one at a time. */
        abstract static class OpenProcessFixture {
            static FakeProcess process;
            private static NeuronCore core;

            @BeforeAll
            static void open(NeuronCore leased, FakeNeuronHost fake) {
                core = leased;
                process = JudgementTest.open(fake, leased);
            }

            static void execute(FakeNeuronHost fake, String status) {
                process.execute(physical(fake, core), NrtStatus.of(status), 1);
            }
        }

        @NeuronTest
        static class LateErrorFixture extends OpenProcessFixture {
            @Test
            void test() {}

            @AfterAll
            static void close(FakeNeuronHost fake) {
                execute(fake, "NRT_TIMEOUT");
                process.close();
            }
        }

        @Test
        void errorOutsideTestsFailsClass() {
            EngineExecutionResults results = kit().run(LateErrorFixture.class);

            results.testEvents().assertStatistics(stats -> stats.succeeded(1));
            assertThat(onlyFailure(results)).hasMessageContaining("status/timeout");
        }

        @NeuronTest
        static class OneBadTestFixture extends OpenProcessFixture {
            @Test
            void bad(FakeNeuronHost fake) {
                execute(fake, "NRT_TIMEOUT");
            }

            @Test
            void good(FakeNeuronHost fake) {
                execute(fake, "NRT_SUCCESS");
            }
        }

        @Test
        void errorOfTestIsNotReportedAgainForClass() {
            EngineExecutionResults results = kit().run(OneBadTestFixture.class);

            results.testEvents().assertStatistics(stats -> stats.succeeded(1).failed(1));
            assertThat(NeuronTestKit.failures(results)).hasSize(1);
        }
    }

    @Nested
    class EdgeCases {

        @NeuronTest
        static class OuterFixture {
            private static NeuronCore core;

            @BeforeAll
            static void lease(NeuronCore leased) {
                core = leased;
            }

            @AfterAll
            static void fail(FakeNeuronHost fake) {
                execute(fake, core, "NRT_TIMEOUT", 3);
            }

            @Nested
            class InnerFixture {
                @BeforeAll
                static void lease(NeuronCore leased) {}

                @Test
                @AllowCounter("timeout")
                void test(FakeNeuronHost fake) {
                    execute(fake, core, "NRT_TIMEOUT", 3);
                }
            }
        }

        @Test
        void errorOfEnclosingClassIsReportedOnce() {
            assertThat(onlyFailure(kit().run(OuterFixture.class))).hasMessageContaining("status/timeout");
        }

        @NeuronTest
        static class LateFieldFixture {
            @RegisterExtension
            final NeuronExtension neuron = NeuronExtension.builder()
                    .counters(rules -> rules.expect(CounterDeltaExpectation.by("inference_count", 100)))
                    .build();

            LateFieldFixture(NeuronCore core) {}

            @Test
            void test() {}
        }

        @Test
        void nonStaticFieldIsRefusedWhenConstructorTakesCores() {
            assertThat(onlyFailure(kit().run(LateFieldFixture.class))).hasMessageContaining("Make the field static");
        }

        @NeuronTest
        @ExpectCounter(value = "inference_count", delta = 100)
        static class ClassDemandFixture {
            @Test
            void test() {}
        }

        static class FieldDemandFixture {
            @RegisterExtension
            static NeuronExtension neuron = NeuronExtension.builder()
                    .counters(rules -> rules.expect(CounterDeltaExpectation.by("inference_count", 100)))
                    .build();

            @Test
            void test() {}
        }

        @Test
        void expectationWithoutCoreFailsOnClassAndField() {
            for (Class<?> fixture : List.of(ClassDemandFixture.class, FieldDemandFixture.class)) {
                assertThat(onlyFailure(kit().run(fixture))).hasMessageContaining("takes no NeuronCore");
            }
        }

        static class FieldAllowsFixture {
            @RegisterExtension
            static NeuronExtension neuron = NeuronExtension.builder()
                    .counters(rules -> rules.allow("timeout"))
                    .build();

            @BeforeAll
            static void provoke(NeuronCore core, FakeNeuronHost fake) {
                execute(fake, core, "NRT_TIMEOUT", 1);
            }

            @Test
            void test() {}
        }

        @Test
        void fieldAllowsCounterForWholeClass() {
            assertThat(NeuronTestKit.failures(kit().run(FieldAllowsFixture.class)))
                    .isEmpty();
        }

        abstract static class InheritedFixture {
            @Nested
            class InnerFixture {
                @Test
                void test(NeuronCore core, FakeNeuronHost fake) {
                    execute(fake, core, "NRT_TIMEOUT", 1);
                }
            }
        }

        @NeuronTest
        @AllowCounter("timeout")
        static class AllowingFixture extends InheritedFixture {
            private NeuronCore before;

            @BeforeEach
            void beforeEach(NeuronCore core) {
                before = core;
            }
        }

        @NeuronTest
        static class StrictFixture extends InheritedFixture {}

        @Test
        void inheritedNestedClassIsJudgedByRulesOfSubclass() {
            assertThat(NeuronTestKit.failures(kit().run(AllowingFixture.class))).isEmpty();
            assertThat(NeuronTestKit.failures(kit().run(StrictFixture.class))).hasSize(1);
        }

        @NeuronTest
        @ExpectCounter(value = "inference_count", delta = 100)
        static class NearerFixture {
            @Test
            @ExpectCounter(value = "other_info/inference_count", delta = 0)
            void test(NeuronCore core) {}
        }

        @Test
        void methodExpectationOverridesThatOfClass() {
            assertThat(NeuronTestKit.failures(kit().run(NearerFixture.class))).isEmpty();
        }
    }
}
