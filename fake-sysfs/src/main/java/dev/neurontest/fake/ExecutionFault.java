package dev.neurontest.fake;

import dev.neurontest.fake.driver.EccRegister;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What an execution can meet on its core. Each has the status that the call returns, the lines that the runtime prints, and where the
 * memory or a DMA engine is broken an ECC count and a line of the kernel log: what really comes together. The texts are those of the
 * vendor's guides and of public reports.
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
    /** An uncorrectable error of device memory that is gone when the driver was loaded anew. Whether the kernel logs it is not known. */
    REPAIRABLE_HBM(
            NrtStatus.NRT_EXEC_HW_ERR_REPAIRABLE_HBM_UE,
            EccRegister.MEM_REPAIRABLE_UNCORRECTED,
            null,
            "TDRV:exec_request_process_errors\t(FATAL-RT-UNDEFINED-STATE) [ND {device}] Uncorrectable HBM memory error is detected."
                    + " Execution results may be invalid. Please reload the neuron driver or reboot your EC2 instance to prevent"
                    + " future impact from the hardware error."),
    /** A DMA engine that has aborted. */
    DMA_ABORT(
            NrtStatus.NRT_EXEC_HW_ERR_DMA_ABORT,
            null,
            "DMA_ERROR",
            "TDRV:exec_request_process_errors\t[MLA {device}][NC {core}] DMA TX engine 0 is in an abort state"),
    /** A collective that waits for another rank. */
    COLLECTIVES_HANG(
            NrtStatus.NRT_EXEC_HW_ERR_COLLECTIVES,
            null,
            null,
            "TDRV:exec_request_process_errors\t(FATAL-RT-UNDEFINED-STATE) missing collectives status on Neuron Device {device} NC"
                    + " {core}, model 0 - suspected hang in collectives operation 0 out of 100"),
    /** A kernel that does not come to its end. The call returns at once; {@link NeffScript#hangs()} lets it take its time. */
    COMPUTE_HANG(
            NrtStatus.NRT_TIMEOUT,
            null,
            null,
            "TDRV:exec_request_process_errors\t(FATAL-RT-UNDEFINED-STATE) [ND {device}][NC {core}] execution timeout ({timeout} ms)"
                    + " on model {model}, waiting for execution completion notification"),
    /** A notification queue that is full, because a profiler asked for notifications of descriptors. */
    QUEUE_OVERFLOW(
            NrtStatus.NRT_EXEC_SW_NQ_OVERFLOW,
            null,
            null,
            "TDRV:exec_consume_topsp_cc_notifications\t[ND {device}][NC {core}] execution on model {model}, is stuck after all"
                    + " collectives operation have completed",
            "TDRV:exec_request_process_errors\t[ND {device}][NC {core}] execution timeout ({timeout} ms) on model {model}, potentially"
                    + " caused by DGE notifications enabled. Please disable it (set NEURON_RT_ENABLE_DGE_NOTIFICATIONS to 0) and"
                    + " try again."),
    /** An index of a kernel that is out of bounds. */
    OUT_OF_BOUNDS(
            NrtStatus.NRT_EXEC_OOB,
            null,
            null,
            "TDRV:exec_process_custom_notification\tnd{device}:nc{core}:h_model.id{id}: Received notification generated at runtime:"
                    + " failed to run scatter/gather (indirect memory copy via vector DGE), due to out-of-bound access. model name ="
                    + " {model}.",
            "TDRV:exec_wait_round_robin\t[ND {device}][NC {core}] Out of bounds access on model {model}");

    /** What comes after the lines of each fault. */
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
     * Looks a fault up by its word in commands.
     *
     * @param word such as {@code sram} or {@code out-of-bounds}
     * @return the fault
     * @throws IllegalArgumentException when there is none; the message lists those that are there
     */
    static ExecutionFault of(String word) {
        return Arrays.stream(values())
                .filter(fault -> fault.toString().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no fault \"" + word + "\"; there are: "
                        + Arrays.stream(values()).map(ExecutionFault::toString).collect(Collectors.joining(", "))));
    }

    /** What the call returns where a script says nothing else. */
    NrtStatus status() {
        return status;
    }

    @Nullable
    EccRegister ecc() {
        return ecc;
    }

    /** Counts and logs what the hardware does beside the status. */
    void happensOn(FakeCore core) {
        if (ecc != null) {
            core.device().ecc(ecc.fileName(), 1);
        }
        logFor(core);
    }

    /** The runtime hands the line to the driver, in front of it a time of its own, whose form is not known. */
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
     * What the runtime prints, a line each: the component with its function, a tab, and the text. The library puts its timeout for
     * {@code {timeout}}.
     *
     * @param core the first of the model
     * @param model the name of its NEFF
     * @param id its number
     * @param logicalCore its first core as the process counts
     * @param end what the call returns
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

    /** Such as {@code out-of-bounds}, as commands have it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
