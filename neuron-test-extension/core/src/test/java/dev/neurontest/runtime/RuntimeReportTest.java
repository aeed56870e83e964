package dev.neurontest.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.status.RuntimeExplanation;
import dev.neurontest.internal.status.RuntimeLines;
import dev.neurontest.runtime.RuntimeStatus.CoreVerdict;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuntimeReportTest {

    private static final String TIMEOUT = "NRT:nrt_infodump  Failure: NRT_TIMEOUT in nrt_execute()";
    private static final String UNRECOVERABLE =
            "NRT:nrt_infodump  Failure: NRT_EXEC_UNIT_UNRECOVERABLE in nrt_execute()";
    private static final String OUT_OF_BOUNDS =
            "TDRV:exec_wait_round_robin  [ND 0][NC 0] Out of bounds access on model a.neff";
    private static final String HANG =
            "(FATAL-RT-UNDEFINED-STATE) [ND 0][NC 0] execution timeout (30000 ms) on model m.neff, waiting for execution completion notification";

    private static RuntimeReport report(String... lines) {
        return RuntimeLines.in(String.join("\n", lines));
    }

    private static List<CoreVerdict> verdicts(RuntimeReport report) {
        return report.lines().stream().map(report::verdict).toList();
    }

    private static CoreVerdict gravest(RuntimeReport report) {
        return report.gravest().map(report::verdict).orElseThrow();
    }

    @Test
    void suspectsCoreAfterUnexplainedTimeout() {
        // then
        assertThat(verdicts(report(TIMEOUT))).containsExactly(CoreVerdict.SUSPECT);
        assertThat(verdicts(report(HANG, TIMEOUT))).containsExactly(CoreVerdict.SUSPECT, CoreVerdict.SUSPECT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[ND 1][NC 0] execution timeout (30000 ms) on model m.neff, potentially caused by DGE notifications enabled.",
                "NRT:nrt_infodump  Failure: NRT_EXEC_SW_NQ_OVERFLOW in nrt_execute()",
                "GPSIMD EXCEPTION OCCURRED: ILLEGAL INSTRUCTION",
                "Error notifications found on NC:0; action=INFER_ERROR_SUBTYPE_MODEL; error_id=8; error string:Event double set",
                "TDRV:x  [ND 1][NC 4] execution on model m.neff, is stuck after all collectives operation have completed",
                "(FATAL-RT-UNDEFINED-STATE) missing collectives status on Neuron Device 0 NC 0, model 0 - suspected hang in collectives operation 0 out of 100",
            })
    void keepsCoreWhenAnotherLineExplainsTimeout(String explanation) {
        // then
        assertThat(verdicts(report(explanation, TIMEOUT))).containsOnly(CoreVerdict.STAY);
    }

    @Test
    void keepsCoreWhenNotificationsMayCauseTimeout() {
        // then
        assertThat(verdicts(report(TIMEOUT).withDgeNotifications(true))).containsExactly(CoreVerdict.STAY);
        assertThat(verdicts(report(HANG, TIMEOUT).withDgeNotifications(true))).containsOnly(CoreVerdict.STAY);
        assertThat(RuntimeExplanation.of(report(HANG, TIMEOUT).withDgeNotifications(true)))
                .contains("Next: Set NEURON_RT_ENABLE_DGE_NOTIFICATIONS=0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Error notifications found on nd0 nc0; action=INFER_ERROR_SUBTYPE_NUMERICAL; error_id=1; error string:NaN",
                "kernel: NEURON_HW_ERR=SRAM_UNCORRECTABLE_ERROR affecting neuron devices",
                "Linux kernel 5.10 requires setting FI_EFA_FORK_SAFE=1 environment variable.",
                "NRT:nrt_infodump  Failure: NRT_FAILURE in nrt_load()",
            })
    void suspectsCoreWhenOtherLineDoesNotExplainTimeout(String other) {
        // then
        assertThat(gravest(report(other, TIMEOUT))).isEqualTo(CoreVerdict.SUSPECT);
        assertThat(gravest(report(other, UNRECOVERABLE))).isEqualTo(CoreVerdict.SUSPECT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(FATAL-RT-UNDEFINED-STATE) missing collectives status on Neuron Device 0 NC 1, model 0 - suspected hang in collectives operation 0 out of 100",
                "RX, connection closed by remote peer",
            })
    void suspectsHangingCoreButNotWaitingCores(String waiting) {
        // then
        assertThat(verdicts(report(HANG, waiting))).containsExactly(CoreVerdict.SUSPECT, CoreVerdict.STAY);
    }

    @Test
    void placesStatusAtLineOfItsCause() {
        // given
        String sram = "(FATAL-RT-UNDEFINED-STATE) [ND 0][NC 1] Uncorrectable memory error is detected, metadata: 0x16.";
        String status = "NRT:nrt_infodump  Failure: NRT_EXEC_HW_ERR_NC_UE in nrt_execute()";

        // when
        RuntimeReport report = report(
                sram,
                HANG,
                "NMGR:dlr_infer  Inference completed with err: 1202. mode->h_nn=1001, lnc=0",
                status,
                TIMEOUT,
                "[rank3]: nrt_execute status=1202");

        // then
        assertThat(report.lines())
                .extracting(line -> report.placing(line).get(0).text())
                .containsExactly(sram, HANG, sram, sram, HANG, "[rank3]: nrt_execute status=1202");
    }

    @Test
    void placesStatusByLineOfSameStatusWithCore() {
        // given
        String placed = "TDRV:x [LNC 3] Failed to progress Neuron Core Exec State, error: 5";

        // when
        RuntimeReport report = report(TIMEOUT, placed);

        // then
        assertThat(report.placing(report.lines().get(0)))
                .extracting(RuntimeLine::text)
                .containsExactly(placed);
    }

    @Test
    void suspectsUnrecoverableCoreWhenOnlyLaterCallsFailed() {
        // given
        String closed = "nrt_unload: NRT_CLOSED";

        // then
        assertThat(gravest(report(UNRECOVERABLE, closed, "nrt_execute status=1")))
                .isEqualTo(CoreVerdict.SUSPECT);
        assertThat(gravest(report(TIMEOUT, UNRECOVERABLE, closed))).isEqualTo(CoreVerdict.SUSPECT);
    }

    @Test
    void keepsCoreWhenLogExplainsInitTimeout() {
        // then
        assertThat(gravest(report(
                        "NRT:nrt_allocate_neuron_cores  NeuronCore(s) not available - Requested:nc1-nc1 Available:0",
                        "NRT:nrt_init  Failed to initialize devices, error:5")))
                .isEqualTo(CoreVerdict.ELSEWHERE);
        assertThat(gravest(report(
                        "RuntimeError: Neuron runtime cannot be initialized",
                        "NRT:nrt_init  Failed to initialize devices, error:5")))
                .isEqualTo(CoreVerdict.SUSPECT);
    }

    @Test
    void withdrawsCoreForDmaAbortDespiteOtherCauses() {
        // given
        String abort = "[MLA 0][NC 0] DMA TX engine 0 is in an abort state";

        // then
        assertThat(gravest(report(abort, TIMEOUT).withDgeNotifications(true))).isEqualTo(CoreVerdict.OUT_UNTIL_RESET);
        assertThat(gravest(report(OUT_OF_BOUNDS, abort))).isEqualTo(CoreVerdict.OUT_UNTIL_RESET);
    }

    @Test
    void blamesFirstStatusWhenLaterOnesFollow() {
        // then
        assertThat(gravest(report(OUT_OF_BOUNDS, UNRECOVERABLE))).isEqualTo(CoreVerdict.STAY);
        assertThat(gravest(report("NRT_EXEC_HW_ERR_HBM_UE", UNRECOVERABLE))).isEqualTo(CoreVerdict.OUT);
        assertThat(gravest(report("NRT:nrt_infodump  Failure: NRT_EXEC_OOB in nrt_execute()", UNRECOVERABLE)))
                .isEqualTo(CoreVerdict.STAY);
        assertThat(gravest(report(UNRECOVERABLE))).isEqualTo(CoreVerdict.SUSPECT);
    }

    @Test
    void explainsStatusWithPossibleFaultsAndNextSteps() {
        // then
        assertThat(RuntimeExplanation.of(
                        report("NRT:nrt_infodump  Failure: NRT_EXEC_HW_ERR_DMA_ABORT in nrt_execute()")))
                .isEqualTo("""

                  NRT_EXEC_HW_ERR_DMA_ABORT (1203) at execution: a DMA engine aborted
                    Possible causes: the kernel or model, hardware that needs a reset or a reload of the driver, or hardware that needs to be replaced.
                    Decisive evidence: the same NEFF on another device.
                    Next: Reset the device. Then run the same NEFF once on another device (@RetryOnAnotherCore): 1203 there too means that the kernel is to blame, such as a transposing DMA with invalid indices. If the device aborts again after the reset, replace the instance.
                """);
    }

    @Test
    void explainsTimeoutByLineThatNamesFault() {
        // given
        String line =
                "(FATAL-RT-UNDEFINED-STATE) [ND 0][NC 0] Uncorrectable memory error is detected, metadata: 0x16. Please terminate or stop/start this instance.";

        // then
        assertThat(RuntimeExplanation.of(report(line, TIMEOUT))).isEqualTo("""

                  The runtime reports a fault at execution (device 0, core 0 as printed): an uncorrectable error of a core's memory
                    It printed: %s
                    Cause: hardware that needs to be replaced.
                    Next: Replace the instance; AWS announces its retirement within 15 minutes. The counter is sram_ecc_uncorrected.

                  NRT_TIMEOUT (5) at execution: the operation timed out
                    Explained by: an uncorrectable error of a core's memory.
                """.formatted(line));
    }

    @Test
    void namesRanksThatFailedDifferently() {
        // given
        RuntimeReport report = report(
                "[rank0]: nrt_execute status=1200",
                "[rank3]: nrt_execute status=1202",
                "[rank7]: nrt_execute status=1200",
                "[rank11]: nrt_execute status=1203");

        // then
        assertThat(RuntimeExplanation.of(report)).contains("""
                  NRT_EXEC_HW_ERR_COLLECTIVES (1200) at execution (rank 0): a collective is stuck, possibly by a hardware error of another worker
                    Possible causes: another rank or the network, the kernel or model, or hardware that needs to be replaced.
                    Decisive evidence: status and kernel log of the other ranks; the ECC counters of this one.
                    Failed differently: ranks 3, 11.
                """);
    }

    @Test
    void explainsFiveOfManyReports() {
        // given
        RuntimeReport report = report(java.util.stream.IntStream.range(2000, 2008)
                .mapToObj(code -> "NRT status=" + code)
                .toArray(String[]::new));

        // then
        assertThat(RuntimeExplanation.of(report))
                .contains("NRT_STATUS 2004")
                .doesNotContain("NRT_STATUS 2005")
                .endsWith("\n  3 more of the runtime's reports are in its output.\n");
    }

    @Test
    void explainsEachStatusAndCauseOnce() {
        // given
        RuntimeReport report = report(
                OUT_OF_BOUNDS,
                "NRT:nrt_infodump  Failure: NRT_EXEC_OOB in nrt_execute()",
                "NMGR:dlr_infer  Inference completed with err: 1006. mode->h_nn=1001, lnc=0");

        // then
        assertThat(RuntimeExplanation.of(report).lines().filter(line -> line.startsWith("  NRT_")))
                .hasSize(1);
    }

    @Test
    void hasNothingToExplainWithoutReports() {
        // then
        assertThat(RuntimeExplanation.of(RuntimeReport.EMPTY)).isEmpty();
        assertThat(RuntimeReport.EMPTY.gravest()).isEmpty();
        assertThat(RuntimeReport.EMPTY.lines().stream().collect(Collectors.toList()))
                .isEmpty();
    }
}
