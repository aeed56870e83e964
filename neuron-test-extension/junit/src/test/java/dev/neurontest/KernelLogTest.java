package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.ExecutionFault;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.Fault;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.lease.CoresQuarantinedException;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of the kernel log during a test. */
class KernelLogTest {

    @TempDir
    private Path output;

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).with("neuron.test.quarantine.reset", "false");
    }

    private static void log(FakeNeuronHost fake, String fields) {
        fake.fault(Fault.kernelLog(
                "2026-11-20T10:11:12Z NEURON_HW_ERR=SRAM_UNCORRECTABLE_ERROR instance-id=i-0123456789abcdef0 "
                        + fields));
    }

    private static String serial(FakeNeuronHost fake) {
        return " serial-num=" + fake.device(0).serialNumber() + " action=TERMINATE_INSTANCE";
    }

    @NeuronTest
    static class OfItsCoreFixture {
        @Test
        void failing(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            log(fake, "nd-id=0 nc-id=0" + serial(fake));
        }
    }

    @NeuronTest
    static class OfAnotherCoreFixture {
        @Test
        void failing(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            log(fake, "nd-id=0 nc-id=1" + serial(fake));
        }
    }

    @NeuronTest
    static class OfOneOfTwoCoresFixture {
        @Test
        void failing(@Count(2) List<NeuronCore> cores, FakeNeuronHost fake) {
            log(fake, "nd-id=0 nc-id=1" + serial(fake));
        }
    }

    @NeuronTest
    static class OfNoCoreFixture {
        @Test
        void failing(@Count(2) List<NeuronCore> cores, FakeNeuronHost fake) {
            log(fake, "hostname=ip-10-0-0-1" + serial(fake));
        }
    }

    @NeuronTest
    static class WithoutSerialNumberFixture {
        @Test
        void passing(NeuronCore core, FakeNeuronHost fake) {
            log(fake, "nd-id=0 nc-id=0 action=TERMINATE_INSTANCE");
            fake.fault(Fault.kernelLog("neuron:ncdev_open: nd0 is in an invalid state"));
        }
    }

    @NeuronTest
    static class OfAStrangerFixture {
        @Test
        void passing(NeuronCore core, FakeNeuronHost fake) {
            log(fake, "nd-id=0 nc-id=0 serial-num=ffffffffffffffff");
        }
    }

    @NeuronTest
    static class WithoutCoresFixture {
        @Test
        void passing(FakeNeuronHost fake) {
            log(fake, "nd-id=0 nc-id=0" + serial(fake));
        }
    }

    @NeuronTest
    static class AbortedFixture {
        @Test
        void failing(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            log(fake, "nd-id=0 nc-id=0" + serial(fake));
            Assumptions.abort("not today");
        }
    }

    @NeuronTest
    static class InAClassThatLeasesFixture {
        @BeforeAll
        static void lease(@NeuronIndex(0) NeuronCore core) {}

        @Test
        void failing(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            log(fake, "nd-id=0 nc-id=0" + serial(fake));
        }
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class ThenSameCoreFixture {
        @Test
        @Order(1)
        void failing(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            log(fake, "nd-id=0 nc-id=0" + serial(fake));
        }

        @Test
        @Order(2)
        void sameCore(@NeuronIndex(0) NeuronCore core) {}
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class AbortedDmaThenSameCoreFixture {
        @Test
        @Order(1)
        @AllowCounter("hw_dma_abort_error")
        void failing(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            fake.device(0).core(0).fault(Fault.of(ExecutionFault.DMA_ABORT));
        }

        @Test
        @Order(2)
        void sameCore(@NeuronIndex(0) NeuronCore core) {}
    }

    @NeuronTest
    static class AbortedDmaOnTwoDevicesFixture {
        @RetryOnAnotherCore
        void failing(NeuronCore core, FakeNeuronHost fake) {
            fake.core(core).fault(Fault.of(ExecutionFault.DMA_ABORT));
        }
    }

    private List<String> quarantined(NeuronTestKit kit) {
        return kit.events(RunEvent.Quarantined.class).stream()
                .flatMap(event -> event.cores().stream())
                .toList();
    }

    @Test
    void failsTestAndQuarantinesNamedCore() {
        // given
        NeuronTestKit kit = kit();

        // when
        EngineExecutionResults results = kit.run(OfItsCoreFixture.class);

        // then
        assertThat(NeuronTestKit.failures(results))
                .singleElement()
                .asString()
                .contains(
                        "The kernel log has a hardware error from the time of KernelLogTest$OfItsCoreFixture > failing",
                        "neuron0/neuron_core0: [",
                        "NEURON_HW_ERR=SRAM_UNCORRECTABLE_ERROR",
                        "Replace the instance");
        assertThat(kit.events(RunEvent.Quarantined.class)).singleElement().satisfies(quarantined -> {
            assertThat(quarantined.cores()).containsExactly("neuron0/neuron_core0");
            assertThat(quarantined.reason())
                    .matches(
                            "the kernel log has SRAM_UNCORRECTABLE_ERROR of neuron0, action TERMINATE_INSTANCE; replace the instance \\(neuron0, serial number [0-9a-f]{16}\\)");
        });
        assertThat(kit.events(RunEvent.Violated.class))
                .extracting(event -> event.violation().rule())
                .containsExactly("no hardware error in the kernel log");
    }

    @Test
    void quarantinesAllCoresOfTestWhenNoneIsNamed() {
        NeuronTestKit kit = kit();
        kit.run(OfAnotherCoreFixture.class).testEvents().assertStatistics(stats -> stats.failed(1));
        assertThat(quarantined(kit)).containsExactly("neuron0/neuron_core0");

        NeuronTestKit two = new NeuronTestKit(output.resolve("two")).with("neuron.test.quarantine.reset", "false");
        two.run(OfNoCoreFixture.class).testEvents().assertStatistics(stats -> stats.failed(1));
        assertThat(quarantined(two)).containsExactly("neuron0/neuron_core0", "neuron0/neuron_core1");
    }

    @Test
    void quarantinesOnlyNamedOneOfSeveralCores() {
        NeuronTestKit kit = kit();
        kit.run(OfOneOfTwoCoresFixture.class).testEvents().assertStatistics(stats -> stats.failed(1));
        assertThat(quarantined(kit)).containsExactly("neuron0/neuron_core1");
    }

    @Test
    void onlyNotesErrorWithoutKnownSerialNumber() {
        for (Class<?> fixture : List.of(WithoutSerialNumberFixture.class, OfAStrangerFixture.class)) {
            NeuronTestKit kit = new NeuronTestKit(output.resolve(fixture.getSimpleName()));
            kit.run(fixture)
                    .testEvents()
                    .assertStatistics(stats -> stats.succeeded(1).failed(0));
            assertThat(quarantined(kit)).isEmpty();
            assertThat(kit.events(RunEvent.Noticed.class))
                    .filteredOn(notice -> notice.test() != null)
                    .extracting(RunEvent.Noticed::notice)
                    .hasSize(fixture == OfAStrangerFixture.class ? 1 : 2)
                    .allMatch(notice -> notice.contains("It is attributed to no core"))
                    .anyMatch(notice -> notice.contains("NEURON_HW_ERR=SRAM_UNCORRECTABLE_ERROR"));
        }
    }

    @Test
    void doesNotFailTestWithoutCores() {
        kit().run(WithoutCoresFixture.class)
                .testEvents()
                .assertStatistics(stats -> stats.succeeded(1).failed(0));
    }

    @Test
    void failsAnAbortedTestToo() {
        kit().run(AbortedFixture.class)
                .testEvents()
                .assertStatistics(stats -> stats.failed(1).aborted(0));
    }

    @Test
    void failsTestButNotItsClass() {
        EngineExecutionResults results = kit().run(InAClassThatLeasesFixture.class);
        assertThat(NeuronTestKit.failures(results)).hasSize(1);
        results.testEvents().assertStatistics(stats -> stats.failed(1));
    }

    @Test
    void quarantinesCoreForGoodAfterMemoryError() {
        // given: a device may be reset
        NeuronTestKit kit = new NeuronTestKit(output);

        // when
        EngineExecutionResults results = kit.run(ThenSameCoreFixture.class);

        // then
        assertThat(NeuronTestKit.failures(results))
                .hasSize(2)
                .last()
                .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                .isInstanceOf(CoresQuarantinedException.class)
                .hasMessageContainingAll("SRAM_UNCORRECTABLE_ERROR", "serial number", "TERMINATE_INSTANCE");
        assertThat(kit.events(RunEvent.QuarantineEnded.class)).isEmpty();
    }

    @Test
    void quarantinesCoreUntilResetAfterDmaAbort() {
        // given: a device may be reset
        NeuronTestKit kit = new NeuronTestKit(output);

        // when
        EngineExecutionResults results = kit.run(AbortedDmaThenSameCoreFixture.class);

        // then
        results.testEvents().assertStatistics(stats -> stats.failed(1).succeeded(1));
        assertThat(kit.events(RunEvent.QuarantineEnded.class)).isNotEmpty();
    }

    @Test
    void blamesTheKernelForAbortedDmaEnginesOfTwoDevices() {
        // given
        NeuronTestKit kit = kit().on("fake:trn1.32xlarge");

        // when
        kit.run(AbortedDmaOnTwoDevicesFixture.class);

        // then
        List<RunEvent.Quarantined> quarantined = kit.events(RunEvent.Quarantined.class);
        assertThat(quarantined.subList(quarantined.size() - 4, quarantined.size()))
                .allSatisfy(each -> assertThat(each.reason()).contains("the kernel is to blame"))
                .extracting(RunEvent.Quarantined::cores)
                .containsOnly(List.of("neuron0/neuron_core0"), List.of("neuron1/neuron_core0"));
    }

    @Test
    void isNotSeenByAUserWithoutTheRights() {
        NeuronTestKit kit = kit().on("fake:trn1.2xlarge?user=ordinary");
        kit.run(OfItsCoreFixture.class)
                .testEvents()
                .assertStatistics(stats -> stats.succeeded(1).failed(0));
        assertThat(quarantined(kit)).isEmpty();
    }
}
