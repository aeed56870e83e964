package dev.neurontest;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.evidence.RunEvent;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of a test that is repeated after a hardware failure. */
class RetryTest {

    private static CountDownLatch release = new CountDownLatch(1);

    private static final List<String> USED = new CopyOnWriteArrayList<>();

    @TempDir
    private Path output;

    @BeforeEach
    void forgetWhatWasUsed() {
        USED.clear();
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output);
    }

    private static void execute(FakeNeuronHost fake, NeuronCore core, String status) {
        USED.add(core.name());
        FakeCore physical = fake.core(core);
        try (FakeProcess process = fake.openProcess(physical)) {
            process.execute(physical, NrtStatus.of(status), 1);
        }
    }

    @NeuronTest
    static class FirstCoreIsBrokenFixture {
        @RetryOnAnotherCore
        void test(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, core, core.index() == 0 ? "NRT_EXEC_HW_ERR_NC_UE" : "NRT_SUCCESS");
        }
    }

    @NeuronTest
    static class FirstCoreIsBrokenAndTheBodyTooFixture {
        @RetryOnAnotherCore
        void test(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, core, core.index() == 0 ? "NRT_EXEC_HW_ERR_NC_UE" : "NRT_SUCCESS");
            assertThat(core.index()).as("answer of the model").isEqualTo(1);
        }
    }

    @NeuronTest
    static class FirstDeviceVanishesFixture {
        @RetryOnAnotherCore
        void test(NeuronCore core, FakeNeuronHost fake) {
            USED.add(core.device().name());
            if (core.device().index() == 0) {
                fake.device(0).remove();
            }
        }
    }

    @NeuronTest
    static class FirstCoreHangsFixture {
        @RetryOnAnotherCore
        @Timeout(value = 3, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
        void test(NeuronCore core) {
            while (core.index() == 0 && release.getCount() > 0) {
                try {
                    release.await();
                } catch (InterruptedException ignored) {
                    // The wait ignores the interrupt like a native call.
                }
            }
        }
    }

    @NeuronTest
    static class EveryCoreIsBrokenFixture {
        @RetryOnAnotherCore
        void test(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, core, "NRT_EXEC_HW_ERR_NC_UE");
        }
    }

    @NeuronTest
    static class KernelAbortsDmaFixture {
        @RetryOnAnotherCore(times = 3)
        void test(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, core, "NRT_EXEC_HW_ERR_DMA_ABORT");
        }
    }

    @NeuronTest
    static class KernelGetsAnUnknownErrorFixture {
        @RetryOnAnotherCore
        void test(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, core, "NRT_HW_ERROR");
            throw new IllegalStateException("no answer");
        }
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class KernelThenHarmlessFixture {
        @RetryOnAnotherCore
        @Order(1)
        void test(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, core, "NRT_HW_ERROR");
        }

        @Test
        @Order(2)
        void other(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            execute(fake, core, "NRT_HW_ERROR");
        }

        @Test
        @Order(3)
        void harmless(@NeuronIndex(0) NeuronCore core) {}
    }

    @NeuronTest
    static class EachDeviceFailsOtherwiseFixture {
        @RetryOnAnotherCore
        void test(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, core, core.device().index() == 0 ? "NRT_HW_ERROR" : "NRT_EXEC_HW_ERR_DMA_ABORT");
        }
    }

    @NeuronTest
    static class AsksForThisCoreFixture {
        @RetryOnAnotherCore
        void test(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            execute(fake, core, "NRT_HW_ERROR");
        }
    }

    @NeuronTest
    static class OtherDevicesAreTakenFixture {
        @RetryOnAnotherCore
        void test(NeuronCore core, FakeNeuronHost fake) {
            for (int i = 1; i < fake.devices().size() && core.index() == 0; i++) {
                fake.openProcess("notebook", fake.device(i).core(0));
            }
            execute(fake, core, "NRT_HW_ERROR");
        }
    }

    @NeuronTest
    static class KernelIsWrongFixture {
        @RetryOnAnotherCore(times = 3)
        void test(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, core, "NRT_EXEC_OOB");
        }
    }

    @NeuronTest
    static class AnswerIsWrongFixture {
        @RetryOnAnotherCore
        void test(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, core, "NRT_SUCCESS");
            throw new IllegalStateException("wrong answer");
        }
    }

    @NeuronTest
    static class BeforeEachFailsOnABrokenCoreFixture {
        @BeforeEach
        void beforeEach(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, core, "NRT_EXEC_HW_ERR_NC_UE");
            throw new IllegalStateException("beforeEach");
        }

        @RetryOnAnotherCore
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class AfterEachFailsOnABrokenCoreFixture {
        @RetryOnAnotherCore
        void test(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, core, "NRT_EXEC_HW_ERR_NC_UE");
            throw new IllegalStateException("test");
        }

        @AfterEach
        void afterEach() {
            throw new IllegalStateException("afterEach");
        }
    }

    @NeuronTest
    static class NoTimesFixture {
        @RetryOnAnotherCore(times = 0)
        void test(NeuronCore core) {}
    }

    @Nested
    class AfterAHardwareError {

        @Test
        void runsOnAnotherCore() {
            // given
            NeuronTestKit kit = kit();

            // when
            EngineExecutionResults results = kit.run(FirstCoreIsBrokenFixture.class);

            // then
            results.testEvents()
                    .assertStatistics(stats -> stats.aborted(1).succeeded(1).failed(0));
            assertThat(USED).containsExactly("neuron0/neuron_core0", "neuron0/neuron_core1");
            assertThat(kit.events(RunEvent.Retried.class))
                    .singleElement()
                    .satisfies(retried -> assertThat(retried.cores()).containsExactly("neuron0/neuron_core0"));
        }

        @Test
        void keepsTheFirstFailure() {
            // given
            NeuronTestKit kit = kit();

            // when
            kit.run(FirstCoreIsBrokenFixture.class);

            // then
            assertThat(kit.events(RunEvent.TestFinished.class).get(0).reason())
                    .contains(
                            "attempt 1 failed with a suspect core",
                            "is repeated on other cores",
                            "1 expectation violated");
            assertThat(kit.events(RunEvent.Attached.class)).isNotEmpty();
        }

        @Test
        void abortsFirstAttemptWhenBodyFailsToo() {
            // when
            EngineExecutionResults results = kit().run(FirstCoreIsBrokenAndTheBodyTooFixture.class);

            // then
            results.testEvents()
                    .assertStatistics(stats -> stats.aborted(1).succeeded(1).failed(0));
        }

        @Test
        void runsOnAnotherDeviceWhenTheFirstVanished() {
            // when
            EngineExecutionResults results = kit().on("fake:trn1.32xlarge").run(FirstDeviceVanishesFixture.class);

            // then
            results.testEvents()
                    .assertStatistics(stats -> stats.aborted(1).succeeded(1).failed(0));
            assertThat(USED).containsExactly("neuron0", "neuron1");
        }

        @Test
        void failsWhenThereIsNoAttemptLeft() {
            // when
            EngineExecutionResults results = kit().on("fake:trn1.32xlarge").run(EveryCoreIsBrokenFixture.class);

            // then
            results.testEvents().assertStatistics(stats -> stats.aborted(1).failed(1));
            assertThat(USED).hasSize(2).doesNotHaveDuplicates();
        }

        @Test
        void runsOnAnotherCoreWhenBodyOutlivesTimeout() {
            // given
            release = new CountDownLatch(1);
            try {
                // when
                EngineExecutionResults results = kit().run(FirstCoreHangsFixture.class);

                // then
                results.testEvents()
                        .assertStatistics(stats -> stats.aborted(1).succeeded(1).failed(0));
            } finally {
                release.countDown();
            }
        }

        @Test
        void isNotRetriedWhenSwitchedOff() {
            // when
            EngineExecutionResults results =
                    kit().with("neuron.test.retry", "false").run(FirstCoreIsBrokenFixture.class);

            // then
            results.testEvents().assertStatistics(stats -> stats.aborted(0).failed(1));
        }
    }

    @Nested
    class OnASecondDevice {

        @Test
        void blamesKernelForSameErrorAndFreesCores() {
            // given
            NeuronTestKit kit = kit().on("fake:trn1.32xlarge").with("neuron.test.quarantine.reset", "false");

            // when
            EngineExecutionResults results = kit.run(KernelGetsAnUnknownErrorFixture.class);

            // then
            results.testEvents().assertStatistics(stats -> stats.aborted(1).failed(1));
            assertThat(USED).containsExactly("neuron0/neuron_core0", "neuron1/neuron_core0");
            assertThat(kit.events(RunEvent.QuarantineEnded.class))
                    .extracting(RunEvent.QuarantineEnded::how)
                    .containsExactly(
                            "health and error counts are as before",
                            "the kernel is to blame: it got NRT_HW_ERROR (6) on neuron0 and on neuron1");
            assertThat(kit.notices())
                    .contains(
                            "The kernel is to blame, not the hardware: it got NRT_HW_ERROR (6) on neuron0 and on neuron1.");
            assertThat(NeuronTestKit.failures(results).get(0).getSuppressed())
                    .extracting(Throwable::getMessage)
                    .anySatisfy(note -> assertThat(note).startsWith("The kernel is to blame, not the hardware"));
        }

        @Test
        void keepsCoresThatNeedResetAndStopsRetrying() {
            // given
            NeuronTestKit kit = kit().on("fake:trn1.32xlarge").with("neuron.test.quarantine.reset", "false");

            // when
            EngineExecutionResults results = kit.run(KernelAbortsDmaFixture.class);

            // then
            results.testEvents().assertStatistics(stats -> stats.aborted(1).failed(1));
            String got = "it got NRT_EXEC_HW_ERR_DMA_ABORT (1203) on neuron0 and on neuron1";
            List<RunEvent.Quarantined> quarantined = kit.events(RunEvent.Quarantined.class);
            assertThat(quarantined.subList(quarantined.size() - 2, quarantined.size()))
                    .allSatisfy(each ->
                            assertThat(each.reason()).contains("the kernel is to blame: " + got + "; reset the device"))
                    .extracting(RunEvent.Quarantined::cores)
                    .containsExactly(List.of("neuron0/neuron_core0"), List.of("neuron1/neuron_core0"));
            assertThat(NeuronTestKit.failures(results).get(0))
                    .hasMessageContaining("The kernel is to blame, not the hardware: %s. The cores stay in quarantine"
                            .formatted(got));
        }

        @Test
        void leavesCoreUnsuspectedForOtherTests() {
            // given
            NeuronTestKit kit = kit().on("fake:trn1.32xlarge").with("neuron.test.quarantine.reset", "false");

            // when another test makes the core suspect
            EngineExecutionResults results = kit.run(KernelThenHarmlessFixture.class);

            // then
            assertThat(results.testEvents().succeeded().stream()
                            .map(event -> event.getTestDescriptor().getDisplayName()))
                    .containsExactly("harmless(NeuronCore)");
        }

        @Test
        void doesNotBlameKernelForDifferentStatus() {
            // given
            NeuronTestKit kit = kit().on("fake:trn1.32xlarge").with("neuron.test.quarantine.reset", "false");

            // when
            EngineExecutionResults results = kit.run(EachDeviceFailsOtherwiseFixture.class);

            // then
            assertThat(NeuronTestKit.failures(results).get(0).getMessage()).doesNotContain("kernel");
        }
    }

    @Nested
    class WithoutASecondDevice {

        private static final String OPEN = "The kernel or the core may be to blame for NRT_HW_ERROR (6): "
                + "the test could not be tried on another device, because ";

        @Test
        void reportsThatHostHasOneDevice() {
            // given
            NeuronTestKit kit = kit().on("fake:trn1.2xlarge");

            // when
            EngineExecutionResults results = kit.run(KernelGetsAnUnknownErrorFixture.class);

            // then
            assertThat(kit.notices()).contains(OPEN + "this host has one device.");
            assertThat(NeuronTestKit.failures(results).get(0)).hasMessage("no answer");
        }

        @Test
        void reportsThatTestNamesItsCore() {
            // when
            EngineExecutionResults results = kit().on("fake:trn1.32xlarge").run(AsksForThisCoreFixture.class);

            // then
            assertThat(onlyFailure(results)).hasMessageContaining(OPEN + "the test requires these cores.");
        }

        @Test
        void reportsThatNoOtherDeviceWasFree() {
            // given
            NeuronTestKit kit = kit().on("fake:trn1.32xlarge").with("neuron.test.lease.owners", "avoid");

            // when
            EngineExecutionResults results = kit.run(OtherDevicesAreTakenFixture.class);

            // then
            assertThat(NeuronTestKit.failures(results).get(0))
                    .hasMessageContaining(OPEN + "no other device was free for an attempt.");
        }
    }

    @Nested
    class IsNotMade {

        @Test
        void forOutOfBoundsKernel() {
            kit().run(KernelIsWrongFixture.class)
                    .testEvents()
                    .assertStatistics(stats -> stats.started(1).failed(1));
        }

        @Test
        void forAWrongAnswer() {
            // when
            EngineExecutionResults results = kit().run(AnswerIsWrongFixture.class);

            // then
            results.testEvents().assertStatistics(stats -> stats.started(1).failed(1));
            assertThat(onlyFailure(results))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("wrong answer");
        }

        @Test
        void whenBeforeEachOrAfterEachFails() {
            for (Class<?> fixture :
                    List.of(BeforeEachFailsOnABrokenCoreFixture.class, AfterEachFailsOnABrokenCoreFixture.class)) {
                // given
                NeuronTestKit kit = new NeuronTestKit(output.resolve(fixture.getSimpleName()));

                // when
                EngineExecutionResults results = kit.run(fixture);

                // then
                results.testEvents().assertStatistics(stats -> stats.started(1).failed(1));
                assertThat(kit.events(RunEvent.Retried.class)).isEmpty();
            }
        }

        @Test
        void zeroTimesAreRefused() {
            assertThat(onlyFailure(kit().run(NoTimesFixture.class))).hasMessageContaining("it must be at least 1");
        }
    }
}
