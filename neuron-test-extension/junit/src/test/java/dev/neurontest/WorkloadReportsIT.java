package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.ExecutionFault;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.Fault;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.workload.Workloads;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of programs that print a line of the runtime and end: the cores in quarantine, and the outcome of the test. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the programs are shell scripts")
class WorkloadReportsIT {

    private static volatile String line = "";
    private static volatile int exit;
    private static volatile String variable = "0";

    @TempDir
    private Path output;

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).on("fake:trn1.32xlarge");
    }

    /** A test with the four cores of devices 0 and 1. */
    @NeuronTest
    static class PrintsFixture {
        @Test
        void printsALine(@NeuronIndex({0, 1, 2, 3}) List<NeuronCore> cores, Workloads workloads) {
            workloads
                    .command("sh", "-c", "printf '%s\\n' \"$1\" >&2; exit \"$2\"", "sh", line, Integer.toString(exit))
                    .environment("NEURON_RT_ENABLE_DGE_NOTIFICATIONS", variable)
                    .ignoringExit()
                    .run();
        }
    }

    private EngineExecutionResults run(String printed, int code) {
        line = printed;
        exit = code;
        variable = "0";
        return kit().run(PrintsFixture.class);
    }

    private List<String> keptBack() {
        return kit().events(RunEvent.Quarantined.class).stream()
                .flatMap(event -> event.cores().stream())
                .map(core -> core.replaceAll("neuron(\\d+)/neuron_core(\\d+)", "$1.$2"))
                .distinct()
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Failure: NRT_EXEC_SW_NQ_OVERFLOW in nrt_execute() |",
                "NRT:nrt_infodump Failure: NRT_EXEC_OOB in nrt_execute() |",
                "nrt_load_collectives status=2 |",
                "Failed to load NN: /tmp/w/model.neff, err: 2 |",
                "RuntimeError: Failed to execute the model status=1003 message=Numerical Error |",
                "[rank3]: nrt_execute status=1200 |",
                "client closed session with status 1006 |",
                "import finished, status=1202 |",
                "NRT:nrt_allocate_neuron_cores NeuronCore(s) not available - Requested:nc1-nc1 Available:0 |",
                "kernel: NEURON_HW_ERR=SRAM_UNCORRECTABLE_ERROR affecting neuron devices |",
                "RuntimeError: Failed to execute the model status=5 message=Timeout Exceeded | 0.0 0.1 1.0 1.1",
                "TDRV:x [LNC 3] Failed to progress Neuron Core Exec State, error: 5 | 1.1",
                "(FATAL-RT-UNDEFINED-STATE) [ND 1][NC 0] execution timeout (30000 ms) on model m.neff, waiting for execution completion notification | 1.0",
                "[ND 1][NC 0] execution timeout (30000 ms) on model m.neff, potentially caused by DGE notifications enabled. |",
                "(FATAL-RT-UNDEFINED-STATE) [ND 0][NC 1] Uncorrectable memory error is detected, metadata: 0x16. | 0.1",
                "(FATAL-RT-UNDEFINED-STATE) [ND 1] Uncorrectable HBM memory error is detected. Execution results may be invalid. Please terminate this instance | 1.0 1.1",
                "(FATAL-RT-UNDEFINED-STATE) [ND 1] Uncorrectable HBM memory error is detected. Execution results may be invalid. Please reload the neuron driver | 1.0 1.1",
                "[MLA 0][NC 0] DMA RX engine 0 is in an abort state | 0.0",
                "[MLA 7][NC 0] DMA RX engine 0 is in an abort state | 0.0 0.1 1.0 1.1",
                "NRT_EXEC_HW_ERR_NC_UE | 0.0 0.1 1.0 1.1",
                "NEURON_HW_ERR=SRAM_UNCORRECTABLE_ERROR nd-id=0 nc-id=0 serial-num=ffffffffffffffff action=TERMINATE_INSTANCE |",
            })
    void quarantinesCoresReportedByLine(String printed, String cores) {
        // when
        run(printed, 1);

        // then
        assertThat(String.join(" ", keptBack())).isEqualTo(cores == null ? "" : cores);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "(FATAL-RT-UNDEFINED-STATE) [ND 0][NC 1] Uncorrectable memory error is detected, metadata: 0x16. | NRT_EXEC_HW_ERR_NC_UE",
                "(FATAL-RT-UNDEFINED-STATE) [ND 0][NC 1] execution timeout (30000 ms) on model m.neff, waiting. | NRT_TIMEOUT",
                "[MLA 0][NC 1] DMA RX engine 0 is in an abort state. | NRT_EXEC_HW_ERR_DMA_ABORT",
            })
    void quarantinesOnlyCoreNamedByCauseOfStatus(String cause, String status) {
        // when
        run(cause + "\nNRT:nrt_infodump  Failure: %s in nrt_execute()".formatted(status), 1);

        // then
        assertThat(keptBack()).containsExactly("0.1");
    }

    @Test
    void quarantinesCoreOfDeviceWithReportedSerialNumber() {
        // given
        String serial = SerialFixture.serial(kit());

        // when
        run(
                "NEURON_HW_ERR=SRAM_UNCORRECTABLE_ERROR nd-id=9 nc-id=0 serial-num=%s action=TERMINATE_INSTANCE"
                        .formatted(serial),
                1);

        // then
        assertThat(keptBack()).containsExactly("1.0");
    }

    @NeuronTest
    static class SerialFixture {
        private static volatile String serial = "";

        static String serial(NeuronTestKit kit) {
            kit.run(SerialFixture.class);
            return serial;
        }

        @Test
        void readsIt(@NeuronIndex(2) NeuronCore core) {
            serial = core.device().serialNumber().orElseThrow();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nrt_execute status=1202",
                "[MLA 0][NC 0] DMA RX engine 0 is in an abort state",
                "client closed session with status 1006"
            })
    void quarantinesNothingForProgramWithExitCodeZero(String printed) {
        // when
        EngineExecutionResults results = run(printed, 0);

        // then
        results.testEvents().assertStatistics(stats -> stats.succeeded(1).failed(0));
        assertThat(keptBack()).isEmpty();
    }

    @Test
    void notesStatusOfProgramWithExitCodeZero() {
        // when
        run("nrt_execute status=1202", 0);

        // then
        assertThat(kit().notices())
                .anyMatch(notice -> notice.contains("ended with exit code 0, but printed \"nrt_execute status=1202\""));
    }

    @Test
    void leavesTestUndecidedWhenFailingProgramMetBrokenHardware() {
        // when
        EngineExecutionResults results = run(
                "(FATAL-RT-UNDEFINED-STATE) [ND 0][NC 1] Uncorrectable memory error is detected, metadata: 0x16.", 3);

        // then
        results.testEvents().assertStatistics(stats -> stats.succeeded(0).failed(1));
        assertThat(kit().events(RunEvent.LeftUndecided.class)).hasSize(1);
    }

    @Test
    void leavesTestUndecidedWhenRuntimeDistrustsResults() {
        // when
        EngineExecutionResults results = run(
                "(FATAL-RT-UNDEFINED-STATE) Uncorrectable HBM memory error is detected. Execution results may be invalid. Please terminate this instance.",
                0);

        // then
        results.testEvents().assertStatistics(stats -> stats.succeeded(0).failed(1));
        assertThat(kit().events(RunEvent.LeftUndecided.class))
                .extracting(left -> left.undecided().reason())
                .anyMatch(reason -> reason.startsWith("the runtime does not trust its results: "));
        assertThat(keptBack()).isEmpty();
    }

    @Test
    void leavesCoresInUseAfterATimeoutWithDgeNotifications() {
        // given
        line = "nrt_execute status=5";
        exit = 1;
        variable = "1";

        // when
        kit().run(PrintsFixture.class);

        // then
        assertThat(keptBack()).isEmpty();
    }

    /** A test with one core, on which the driver counts an error of the program. */
    @NeuronTest
    static class ProgramErrorFixture {
        @Test
        @AllowCounter("execute_sw_event_error")
        void getsAnErrorOfItsProgram(@NeuronIndex(0) NeuronCore core, Workloads workloads, FakeNeuronHost fake) {
            fake.device(0).core(4).fault(Fault.statusRises("execute_sw_event_error", 1));
            workloads
                    .command("sh", "-c", "echo nrt_execute status=1004; exit 1")
                    .ignoringExit()
                    .run();
        }
    }

    @Test
    void endsQuarantineExplainedByProgramErrorCounter() {
        // given
        NeuronTestKit kit = kit().on("fake:trn2.48xlarge@driver-2.30");

        // when
        kit.run(ProgramErrorFixture.class);

        // then
        assertThat(kit.events(RunEvent.QuarantineEnded.class))
                .extracting(RunEvent.QuarantineEnded::how)
                .containsExactly("the driver counted an error of the program on it");
    }

    /** A test with the four cores of two devices. One of the devices has broken memory. */
    @NeuronTest
    static class BrokenMemoryFixture {
        @Test
        void timesOut(@NeuronIndex({0, 1, 2, 3}) List<NeuronCore> cores, Workloads workloads, FakeNeuronHost fake) {
            fake.device(0).core(1).fault(Fault.of(ExecutionFault.SRAM));
            workloads
                    .command("sh", "-c", "echo nrt_execute status=5; exit 1")
                    .ignoringExit()
                    .run();
        }
    }

    @Test
    void endsQuarantineWhenOtherDeviceIsBroken() {
        // when
        kit().run(BrokenMemoryFixture.class);

        // then
        assertThat(kit().events(RunEvent.QuarantineEnded.class))
                .filteredOn(ended -> ended.core().startsWith("neuron1/"))
                .hasSize(2)
                .extracting(RunEvent.QuarantineEnded::how)
                .allSatisfy(how -> assertThat(how).containsIgnoringCase("sram"));
        assertThat(kit().events(RunEvent.Quarantined.class))
                .filteredOn(event -> !event.reason().contains("NRT_TIMEOUT"))
                .isNotEmpty()
                .flatExtracting(RunEvent.Quarantined::cores)
                .allMatch(core -> core.startsWith("neuron0/"));
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class RetriedFixture {
        @RetryOnAnotherCore
        @Order(1)
        void printsALine(NeuronCore core, Workloads workloads) {
            workloads
                    .command("sh", "-c", "printf '%s\\n' \"$1\" >&2; exit 1", "sh", line)
                    .run();
        }

        @Test
        @Order(2)
        void leasesSameCores(@NeuronIndex({0, 1, 2, 3}) List<NeuronCore> cores) {}
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "RuntimeError: Failed to execute the model status=5 message=Timeout Exceeded | NRT_TIMEOUT (5)",
                "nrt_execute status=1004 | NRT_EXEC_COMPLETED_WITH_ERR (1004)"
            })
    void blamesTheKernelForTheSameStatusOnASecondDevice(String printed, String status) {
        // given
        line = printed;
        NeuronTestKit kit = kit().with("neuron.test.quarantine.reset", "false");

        // when
        EngineExecutionResults results = kit.run(RetriedFixture.class);

        // then the next test gets the cores of both attempts
        results.testEvents()
                .assertStatistics(stats -> stats.aborted(1).failed(1).succeeded(1));
        assertThat(kit.events(RunEvent.Retried.class)).hasSize(1);
        assertThat(NeuronTestKit.failures(results).get(0).getSuppressed())
                .extracting(Throwable::getMessage)
                .contains("The kernel is to blame, not the hardware: it got %s on neuron0 and on neuron1."
                        .formatted(status));
    }

    @Test
    void quarantinesCoresOfBothDevicesAfterDmaAborts() {
        // given
        line = "Failure: NRT_EXEC_HW_ERR_DMA_ABORT in nrt_execute()";
        NeuronTestKit kit = kit().with("neuron.test.quarantine.reset", "false");

        // when
        EngineExecutionResults results = kit.run(RetriedFixture.class);

        // then
        results.testEvents()
                .assertStatistics(stats -> stats.aborted(1).failed(2).succeeded(0));
        assertThat(NeuronTestKit.failures(results).get(1))
                .hasMessageContainingAll(
                        "neuron0/neuron_core0: ",
                        "neuron1/neuron_core0: ",
                        "the kernel is to blame: it got NRT_EXEC_HW_ERR_DMA_ABORT (1203) on neuron0 and on neuron1; reset the device");
    }
}
