package dev.neurontest.fake;

import dev.neurontest.fake.internal.driver.EccRegister;
import dev.neurontest.fake.internal.driver.instance.NearNames;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A fault during an execution. It has a status of the call and lines of the runtime. Broken hardware also has an ECC count and a line of
 * the kernel log. The texts come from the vendor's guides and from public reports.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum ExecutionFault {
    /** An uncorrectable error of a core's memory. */
    SRAM(
            NrtStatus.NRT_EXEC_HW_ERR_NC_UE,
            EccRegister.SRAM_UNCORRECTED,
            "SRAM_UNCORRECTABLE_ERROR",
            "TDRV:exec_request_process_errors\t(FATAL-RT-UNDEFINED-STATE) [ND {device}][NC {core}] Uncorrectable memory error is"
                    + " detected, metadata: 0x16. Please terminate or stop/start this instance to prevent future impact from the"
                    + " hardware error."),
    /** An uncorrectable error of device memory. */
    HBM(
            NrtStatus.NRT_EXEC_HW_ERR_HBM_UE,
            EccRegister.MEM_UNCORRECTED,
            "HBM_UNCORRECTABLE_ERROR",
            "TDRV:exec_request_process_errors\t(FATAL-RT-UNDEFINED-STATE) [ND {device}] Uncorrectable HBM memory error is detected."
                    + " Execution results may be invalid. Please terminate this instance to prevent future impact from the hardware"
                    + " error."),
    /** An uncorrectable error of device memory that a driver reload repairs. No source has a kernel log line for it. */
    REPAIRABLE_HBM(
            NrtStatus.NRT_EXEC_HW_ERR_REPAIRABLE_HBM_UE,
            EccRegister.MEM_REPAIRABLE_UNCORRECTED,
            null,
            "TDRV:exec_request_process_errors\t(FATAL-RT-UNDEFINED-STATE) [ND {device}] Uncorrectable HBM memory error is detected."
                    + " Execution results may be invalid. Please reload the neuron driver or reboot your EC2 instance to prevent"
                    + " future impact from the hardware error."),
    /** An aborted DMA engine. */
    DMA_ABORT(
            NrtStatus.NRT_EXEC_HW_ERR_DMA_ABORT,
            null,
            "DMA_ERROR",
            "TDRV:exec_request_process_errors\t[MLA {device}][NC {core}] DMA TX engine 0 is in an abort state"),
    /** A collective operation that waits for another rank. */
    COLLECTIVES_HANG(
            NrtStatus.NRT_EXEC_HW_ERR_COLLECTIVES,
            null,
            null,
            "TDRV:exec_request_process_errors\t(FATAL-RT-UNDEFINED-STATE) missing collectives status on Neuron Device {device} NC"
                    + " {core}, model 0 - suspected hang in collectives operation 0 out of 100"),
    /** A kernel that does not end. The call returns at once, but with {@link NeffScript#hangs()} after the timeout. */
    COMPUTE_HANG(
            NrtStatus.NRT_TIMEOUT,
            null,
            null,
            "TDRV:exec_request_process_errors\t(FATAL-RT-UNDEFINED-STATE) [ND {device}][NC {core}] execution timeout ({timeout} ms)"
                    + " on model {model}, waiting for execution completion notification"),
    /** A full notification queue, caused by DGE notifications for a profile. */
    QUEUE_OVERFLOW(
            NrtStatus.NRT_EXEC_SW_NQ_OVERFLOW,
            null,
            null,
            "TDRV:exec_consume_topsp_cc_notifications\t[ND {device}][NC {core}] execution on model {model}, is stuck after all"
                    + " collectives operation have completed",
            "TDRV:exec_request_process_errors\t[ND {device}][NC {core}] execution timeout ({timeout} ms) on model {model}, potentially"
                    + " caused by DGE notifications enabled. Please disable it (set NEURON_RT_ENABLE_DGE_NOTIFICATIONS to 0) and"
                    + " try again."),
    /** An index out of bounds in a kernel. */
    OUT_OF_BOUNDS(
            NrtStatus.NRT_EXEC_OOB,
            null,
            null,
            "TDRV:exec_process_custom_notification\tnd{device}:nc{core}:h_model.id{id}: Received notification generated at runtime:"
                    + " failed to run scatter/gather (indirect memory copy via vector DGE), due to out-of-bound access. model name ="
                    + " {model}.",
            "TDRV:exec_wait_round_robin\t[ND {device}][NC {core}] Out of bounds access on model {model}");

    /** The last lines of each fault. */
    private static final List<String> END = List.of(
            "NMGR:dlr_infer\tInference completed with err: {code}. mode->h_nn={id}, lnc={logical}",
            "NRT:nrt_infodump\tFailure: {status} in nrt_execute()");

    private static final int FIRST_MODEL = 1000;

    private final NrtStatus status;
    private final @Nullable EccRegister ecc;
    private final @Nullable String kernelKind;
    private final List<String> lines;

    ExecutionFault(NrtStatus status, @Nullable EccRegister ecc, @Nullable String kernelKind, String... lines) {
        this.status = status;
        this.ecc = ecc;
        this.kernelKind = kernelKind;
        this.lines = List.of(lines);
    }

    /**
     * Parses the name of a fault in a command.
     *
     * @param word a name such as {@code sram} or {@code out-of-bounds}
     * @return the fault
     * @throws IllegalArgumentException for an unknown name; the message lists all names
     */
    static ExecutionFault of(String word) {
        return NearNames.named("fault", word, List.of(values()));
    }

    /** Returns the status of the call, unless a script sets another one. */
    NrtStatus status() {
        return status;
    }

    @Nullable
    EccRegister ecc() {
        return ecc;
    }

    /** Counts the ECC error and prints the line of the kernel log. */
    void happensOn(FakeCore core) {
        if (ecc != null) {
            core.device().ecc(ecc.fileName(), 1);
        }
        logFor(core);
    }

    /** Prints the line of the kernel log. The runtime puts a time in front; the format of that time is unverified. */
    void logFor(FakeCore core) {
        if (kernelKind != null) {
            FakeNeuronHost host = core.device().host();
            host.printError(
                    "%s NEURON_HW_ERR=%s instance-id=i-0123456789abcdef0 hostname=ip-10-0-0-1 nd-id=%s nc-id=%s serial-num=%s action=TERMINATE_INSTANCE"
                            .formatted(
                                    host.now(),
                                    kernelKind,
                                    core.device().index(),
                                    core.index(),
                                    core.device().serialNumber()));
        }
    }

    /**
     * Returns the lines that the runtime prints: component and function, a tab, the text. The library replaces {@code {timeout}}.
     *
     * @param core the first physical core of the model
     * @param model the name in the NEFF
     * @param id the number of the model
     * @param logicalCore the first logical core of the model
     * @param end the status of the call
     */
    List<String> lines(FakeCore core, String model, long id, int logicalCore, NrtStatus end) {
        return Stream.concat(lines.stream(), END.stream())
                .map(line -> line.replace(
                                "{device}", Integer.toString(core.device().index()))
                        .replace("{core}", Integer.toString(core.index()))
                        .replace("{id}", Long.toString(FIRST_MODEL + id))
                        .replace("{logical}", Integer.toString(logicalCore))
                        .replace("{code}", Integer.toString(end.code()))
                        .replace("{status}", end.name())
                        .replace("{model}", model.replaceAll("[\\t\\n]", " ")))
                .toList();
    }

    /** Returns the name that commands use, such as {@code out-of-bounds}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
