package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.Fault;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.fake.files.Errno;
import dev.neurontest.lease.CoresQuarantinedException;
import dev.neurontest.patience.Patience;
import java.nio.file.Path;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Cores whose hardware is suspect. */
class QuarantineTest {

    @TempDir
    private Path output;

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).with("neuron.test.lease.timeout", Patience.LIMIT.toSeconds() + " s");
    }

    private NeuronTestKit kitWithoutReset() {
        return kit().with("neuron.test.quarantine.reset", "false");
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class MemoryErrorFixture {
        @Test
        @Order(1)
        void getsAMemoryError(@Index(0) NeuronCore core, FakeNeuronHost fake) {
            fake.device(0).fault(Fault.ecc("mem_uncorrected", 1));
        }

        @Test
        @Order(2)
        void wantsAnyCore(NeuronCore core) {
            assertThat(core.index()).isEqualTo(1);
        }

        @Test
        @Order(3)
        void wantsThatCore(@Index(0) NeuronCore core) {}
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class ResetIsImpossibleFixture {
        @Test
        @Order(1)
        void getsAHardwareError(@Index(0) NeuronCore core, FakeNeuronHost fake) {
            FakeProcess stays = fake.openProcess("monitor", fake.device(0).core(0));
            stays.execute(fake.device(0).core(0), NrtStatus.of("NRT_EXEC_HW_ERR_NC_UE"), 1);
        }

        @Test
        @Order(2)
        void wantsThatCore(@Index(0) NeuronCore core) {}
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class ResetFailsFixture {
        @Test
        @Order(1)
        void getsAMemoryError(@Index(0) NeuronCore core, FakeNeuronHost fake) {
            fake.device(0).fault(Fault.ecc("mem_uncorrected", 1));
            fake.device(0).failNextReset();
        }

        @Test
        @Order(2)
        void wantsThatCore(@Index(0) NeuronCore core) {}
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class VanishesFixture {
        @Test
        @Order(1)
        void losesItsDevice(@Index(0) NeuronDevice device, FakeNeuronHost fake) {
            fake.device(0).remove();
        }

        @Test
        @Order(2)
        void wantsAnyCore(NeuronCore core) {
            assertThat(core.device().index()).isEqualTo(1);
        }

        @Test
        @Order(3)
        void wantsThatCore(@Index(0) NeuronCore core) {}
    }

    @NeuronTest
    static class OneFileIsUnreadableFixture {
        @Test
        void losesAFile(@Index(0) NeuronCore core, FakeNeuronHost fake) {
            fake.device(0).fault(Fault.errno("stats/hardware/mem_ecc_uncorrected", Errno.EIO));
        }
    }

    @NeuronTest
    static class AllowsItFixture {
        @Test
        @AllowCounter("oob_error")
        void isTheKernelsFault(@Index(0) NeuronCore core, FakeNeuronHost fake) {
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
        void stayOutForTheRun() {
            // given
            NeuronTestKit kit = kitWithoutReset();

            // when
            EngineExecutionResults results = kit.run(MemoryErrorFixture.class);

            // then
            results.testEvents().assertStatistics(stats -> stats.succeeded(1).failed(2));
            assertThat(kit.events(RunEvent.Quarantined.class)).singleElement().satisfies(quarantined -> {
                assertThat(quarantined.cores()).containsExactly("neuron0/neuron_core0");
                assertThat(quarantined.reason()).contains("mem_ecc_uncorrected");
            });
            assertThat(kit.events(RunEvent.QuarantineEnded.class)).isEmpty();
        }

        @Test
        void failWhoeverNeedsThemWithTheReasonAndWhatWouldHelp() {
            assertThat(failureOf(kitWithoutReset().run(MemoryErrorFixture.class), 1))
                    .isInstanceOf(CoresQuarantinedException.class)
                    .hasMessageContainingAll(
                            "wantsThatCore",
                            "neuron0/neuron_core0",
                            "mem_ecc_uncorrected",
                            "getsAMemoryError",
                            "neuron.test.quarantine.reset=true");
        }
    }

    @Nested
    class WithReset {

        @Test
        void comeBackWhenTheDeviceDoes() {
            // given
            NeuronTestKit kit = kit();

            // when
            EngineExecutionResults results = kit.run(MemoryErrorFixture.class);

            // then only the first of the tests that want core 0 fails, and the second gets core 0 again
            assertThat(kit.events(RunEvent.QuarantineEnded.class))
                    .singleElement()
                    .satisfies(ended -> assertThat(ended.core()).isEqualTo("neuron0/neuron_core0"));
            assertThat(results.testEvents().succeeded().stream()
                            .map(event -> event.getTestDescriptor().getDisplayName()))
                    .containsExactly("wantsThatCore(NeuronCore)");
        }

        @Test
        void stayOutWhileSomebodyHasTheDeviceOpen() {
            assertThat(failureOf(kit().run(ResetIsImpossibleFixture.class), 1))
                    .isInstanceOf(CoresQuarantinedException.class)
                    .hasMessageContainingAll("neuron0 cannot be reset while it is open in", "monitor");
        }

        @Test
        void stayOutWhenItFails() {
            assertThat(failureOf(kit().run(ResetFailsFixture.class), 1))
                    .isInstanceOf(CoresQuarantinedException.class)
                    .hasMessageContaining("the last reset of neuron0 failed");
        }

        @Test
        void stayOutForAUserWhoMayNotReset() {
            // given
            NeuronTestKit kit = kit().on("fake:trn1.2xlarge?user=ordinary");

            // then
            assertThat(failureOf(kit.run(MemoryErrorFixture.class), 1))
                    .isInstanceOf(CoresQuarantinedException.class)
                    .hasMessageContaining("which takes root's rights");
        }
    }

    @Nested
    class OfADeviceThatVanished {

        @Test
        void areNotGivenToTheNextTest() {
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
        void areNotThoseOfOneThatIsThereWithAnUnreadableFile() {
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
    void areNotThoseOfAKernelThatIsWrong() {
        // given
        NeuronTestKit kit = kitWithoutReset();

        // when
        kit.run(AllowsItFixture.class);

        // then
        assertThat(kit.events(RunEvent.Quarantined.class)).isEmpty();
    }
}
