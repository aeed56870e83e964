package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.fake.Errno;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.Fault;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.lease.CoresQuarantinedException;
import dev.neurontest.patience.Patience;
import java.nio.file.Path;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of cores with suspect hardware. */
class QuarantineTest {

    @TempDir
    private Path output;

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).with("neuron.test.lease.timeout", Patience.LIMIT.toSeconds() + " s");
    }

    private NeuronTestKit kitWithoutReset() {
        return kit().with("neuron.test.quarantine.reset", "false");
    }

    private static void execute(FakeNeuronHost fake, String status) {
        try (FakeProcess process = fake.openProcess(fake.device(0).core(0))) {
            process.execute(fake.device(0).core(0), NrtStatus.of(status), 1);
        }
    }

    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    abstract static class ThatCoreFixture {
        @Test
        @Order(3)
        void leasesThatCore(@NeuronIndex(0) NeuronCore core) {}
    }

    abstract static class AnyAndThatCoreFixture extends ThatCoreFixture {
        @Test
        @Order(2)
        void leasesAnyCore(NeuronCore core) {
            assertThat(core.index()).isEqualTo(1);
        }
    }

    @NeuronTest
    static class DmaAbortFixture extends AnyAndThatCoreFixture {
        @Test
        @Order(1)
        void getsADmaAbort(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            execute(fake, "NRT_EXEC_HW_ERR_DMA_ABORT");
        }
    }

    @NeuronTest
    static class RepairableErrorFixture extends ThatCoreFixture {
        @Test
        @Order(1)
        void getsARepairableError(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            fake.device(0).fault(Fault.ecc("mem_repairable_uncorrected", 1));
        }
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class SuspectFixture {
        @Test
        @Order(1)
        void getsAnUnknownError(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            execute(fake, "NRT_HW_ERROR");
        }

        @Test
        @Order(2)
        void leasesThatCore(@NeuronIndex(0) NeuronCore core) {}

        @Test
        @Order(3)
        void getsAnUnknownErrorToo(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            execute(fake, "NRT_HW_ERROR");
        }

        @Test
        @Order(4)
        void leasesThatCoreAgain(@NeuronIndex(0) NeuronCore core) {}
    }

    @NeuronTest
    static class SuspectInEachRepetitionFixture {
        @RepeatedTest(3)
        void getsAnUnknownError(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            execute(fake, "NRT_HW_ERROR");
        }
    }

    @NeuronTest
    static class MemoryErrorFixture extends AnyAndThatCoreFixture {
        @Test
        @Order(1)
        void getsAMemoryError(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            fake.device(0).fault(Fault.ecc("mem_uncorrected", 1));
        }
    }

    @NeuronTest
    static class ResetIsImpossibleFixture extends ThatCoreFixture {
        @Test
        @Order(1)
        void getsAHardwareError(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            FakeProcess stays = fake.openProcess("monitor", fake.device(0).core(0));
            stays.execute(fake.device(0).core(0), NrtStatus.of("NRT_EXEC_HW_ERR_DMA_ABORT"), 1);
        }
    }

    @NeuronTest
    static class ResetFailsFixture extends ThatCoreFixture {
        @Test
        @Order(1)
        void getsADmaAbort(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            execute(fake, "NRT_EXEC_HW_ERR_DMA_ABORT");
            fake.device(0).failNextReset();
        }
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class VanishesFixture {
        @Test
        @Order(1)
        void losesItsDevice(@NeuronIndex(0) NeuronDevice device, FakeNeuronHost fake) {
            fake.device(0).remove();
        }

        @Test
        @Order(2)
        void leasesAnyCore(NeuronCore core) {
            assertThat(core.device().index()).isEqualTo(1);
        }

        @Test
        @Order(3)
        void leasesThatCore(@NeuronIndex(0) NeuronCore core) {}
    }

    @NeuronTest
    static class OneFileIsUnreadableFixture {
        @Test
        void losesAFile(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            fake.device(0).fault(Fault.errno("stats/hardware/mem_ecc_uncorrected", Errno.EIO));
        }
    }

    @NeuronTest
    static class AllowsItFixture {
        @Test
        @AllowCounter("oob_error")
        void isTheKernelsFault(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            try (FakeProcess process = fake.openProcess(fake.device(0).core(0))) {
                process.execute(fake.device(0).core(0), NrtStatus.of("NRT_EXEC_OOB"), 1);
            }
        }
    }

    private static Throwable failureOf(EngineExecutionResults results, int number) {
        return NeuronTestKit.failures(results).get(number);
    }

    @Nested
    class WithoutReset {

        @Test
        void coresStayOutForWholeRun() {
            // given
            NeuronTestKit kit = kitWithoutReset();

            // when
            EngineExecutionResults results = kit.run(DmaAbortFixture.class);

            // then
            results.testEvents().assertStatistics(stats -> stats.succeeded(1).failed(2));
            assertThat(kit.events(RunEvent.Quarantined.class)).singleElement().satisfies(quarantined -> {
                assertThat(quarantined.cores()).containsExactly("neuron0/neuron_core0");
                assertThat(quarantined.reason()).contains("hw_dma_abort_error");
            });
            assertThat(kit.events(RunEvent.QuarantineEnded.class)).isEmpty();
        }

        @Test
        void testNeedingCoreFailsWithReasonAndRemedy() {
            assertThat(failureOf(kitWithoutReset().run(DmaAbortFixture.class), 1))
                    .isInstanceOf(CoresQuarantinedException.class)
                    .hasMessageContainingAll(
                            "leasesThatCore",
                            "neuron0/neuron_core0",
                            "hw_dma_abort_error",
                            "getsADmaAbort",
                            "neuron.test.quarantine.reset=true");
        }
    }

    @Nested
    class WithReset {

        @Test
        void coresComeBackAfterDeviceReset() {
            // given
            NeuronTestKit kit = kit();

            // when
            EngineExecutionResults results = kit.run(DmaAbortFixture.class);

            // then only the first of the tests of core 0 fails, and the second gets core 0 again
            assertThat(kit.events(RunEvent.QuarantineEnded.class))
                    .singleElement()
                    .satisfies(ended -> assertThat(ended.core()).isEqualTo("neuron0/neuron_core0"));
            assertThat(results.testEvents().succeeded().stream()
                            .map(event -> event.getTestDescriptor().getDisplayName()))
                    .containsExactly("leasesThatCore(NeuronCore)");
        }

        @Test
        void coresStayOutWhileDeviceIsOpen() {
            assertThat(failureOf(kit().run(ResetIsImpossibleFixture.class), 1))
                    .isInstanceOf(CoresQuarantinedException.class)
                    .hasMessageContainingAll("neuron0 cannot be reset while it is open in", "monitor");
        }

        @Test
        void coresStayOutWhenResetFails() {
            assertThat(failureOf(kit().run(ResetFailsFixture.class), 1))
                    .isInstanceOf(CoresQuarantinedException.class)
                    .hasMessageContaining("the last reset of neuron0 failed");
        }

        @Test
        void coresStayOutForUserWithoutResetRights() {
            // given
            NeuronTestKit kit = kit().on("fake:trn1.2xlarge?user=ordinary");

            // then
            assertThat(failureOf(kit.run(DmaAbortFixture.class), 1))
                    .isInstanceOf(CoresQuarantinedException.class)
                    .hasMessageContaining("which requires root");
        }
    }

    @Nested
    class WithBrokenMemory {

        @Test
        void coresStayOutAfterResetNamingSerialNumber() {
            // given a run that may reset the device
            NeuronTestKit kit = kit();
            String serial = "serial number " + serialNumber();

            // when
            EngineExecutionResults results = kit.run(MemoryErrorFixture.class);

            // then
            results.testEvents().assertStatistics(stats -> stats.succeeded(1).failed(2));
            assertThat(kit.events(RunEvent.Quarantined.class))
                    .singleElement()
                    .extracting(RunEvent.Quarantined::reason)
                    .asString()
                    .contains("mem_ecc_uncorrected +1; replace the instance (neuron0, " + serial);
            assertThat(failureOf(results, 1))
                    .isInstanceOf(CoresQuarantinedException.class)
                    .hasMessageContaining("it is still the device with " + serial);
        }

        @Test
        void coresStayOutUntilDriverIsReloadedAfterRepairableError() {
            // given
            NeuronTestKit kit = kitWithoutReset().on("fake:trn2.3xlarge");

            // when
            EngineExecutionResults results = kit.run(RepairableErrorFixture.class);

            // then
            assertThat(failureOf(results, 1))
                    .isInstanceOf(CoresQuarantinedException.class)
                    .hasMessageContainingAll("reload the driver (neuron0", "the driver has not been reloaded since");
        }

        private String serialNumber() {
            try (FakeNeuronHost same =
                    FakeNeuronHost.builder().instance("trn1.2xlarge").start()) {
                return same.device(0).serialNumber();
            }
        }
    }

    @Nested
    class SuspectCores {

        @Test
        void comeBackWithoutResetUntilSuspectAgain() {
            // given
            NeuronTestKit kit = kitWithoutReset();

            // when
            EngineExecutionResults results = kit.run(SuspectFixture.class);

            // then the second test gets the core, and after the third nothing does
            assertThat(results.testEvents().succeeded().stream()
                            .map(event -> event.getTestDescriptor().getDisplayName()))
                    .containsExactly("leasesThatCore(NeuronCore)");
            assertThat(kit.events(RunEvent.QuarantineEnded.class))
                    .singleElement()
                    .extracting(RunEvent.QuarantineEnded::how)
                    .isEqualTo("health and error counts are as before");
            assertThat(failureOf(results, 2))
                    .isInstanceOf(CoresQuarantinedException.class)
                    .hasMessageContainingAll(
                            "the core was suspect before",
                            "getsAnUnknownError(",
                            "reset the device (neuron0",
                            "neuron.test.quarantine.reset=true");
        }

        @Test
        void comeBackAfterEachInvocationOfTheSameTest() {
            // given
            NeuronTestKit kit = kitWithoutReset();

            // when
            kit.run(SuspectInEachRepetitionFixture.class);

            // then
            assertThat(kit.events(RunEvent.QuarantineEnded.class)).hasSize(3);
        }
    }

    @Nested
    class OnVanishedDevice {

        @Test
        void coresAreNotLeasedToNextTest() {
            // given
            NeuronTestKit kit = kit().on("fake:trn1.32xlarge");

            // when
            EngineExecutionResults results = kit.run(VanishesFixture.class);

            // then
            results.testEvents().assertStatistics(stats -> stats.succeeded(1).failed(2));
            assertThat(kit.events(RunEvent.Quarantined.class))
                    .first()
                    .extracting(RunEvent.Quarantined::reason)
                    .asString()
                    .startsWith("neuron0 vanished; reset the device");
            assertThat(failureOf(results, 1))
                    .isInstanceOf(CoresQuarantinedException.class)
                    .hasMessageContainingAll("neuron0/neuron_core0", "neuron0 vanished", "losesItsDevice");
        }

        @Test
        void unreadableFileOfPresentDeviceCausesNoQuarantine() {
            // given
            NeuronTestKit kit = kit();

            // when
            EngineExecutionResults results = kit.run(OneFileIsUnreadableFixture.class);

            // then
            results.testEvents().assertStatistics(stats -> stats.failed(1));
            assertThat(kit.events(RunEvent.Quarantined.class)).isEmpty();
        }
    }

    @Test
    void outOfBoundsKernelCausesNoQuarantine() {
        // given
        NeuronTestKit kit = kitWithoutReset();

        // when
        kit.run(AllowsItFixture.class);

        // then
        assertThat(kit.events(RunEvent.Quarantined.class)).isEmpty();
    }
}
