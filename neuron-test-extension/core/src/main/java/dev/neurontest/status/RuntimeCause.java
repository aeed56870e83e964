package dev.neurontest.status;

import static dev.neurontest.status.RuntimeStatus.CoreVerdict.ELSEWHERE;
import static dev.neurontest.status.RuntimeStatus.CoreVerdict.OUT;
import static dev.neurontest.status.RuntimeStatus.CoreVerdict.OUT_UNTIL_RELOAD;
import static dev.neurontest.status.RuntimeStatus.CoreVerdict.OUT_UNTIL_RESET;
import static dev.neurontest.status.RuntimeStatus.CoreVerdict.STAY;
import static dev.neurontest.status.RuntimeStatus.CoreVerdict.SUSPECT;
import static dev.neurontest.status.RuntimeStatus.Fault.ENVIRONMENT;
import static dev.neurontest.status.RuntimeStatus.Fault.HARDWARE_RELOAD;
import static dev.neurontest.status.RuntimeStatus.Fault.HARDWARE_REPLACE;
import static dev.neurontest.status.RuntimeStatus.Fault.INPUTS;
import static dev.neurontest.status.RuntimeStatus.Fault.KERNEL;
import static dev.neurontest.status.RuntimeStatus.Fault.PROCESS;
import static dev.neurontest.status.RuntimeStatus.Fault.RANK;
import static dev.neurontest.status.RuntimeStatus.Fault.SOFTWARE_QUEUE;

import dev.neurontest.status.RuntimeStatus.CoreVerdict;
import dev.neurontest.status.RuntimeStatus.Fault;
import dev.neurontest.status.RuntimeStatus.Stage;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** The cause of a failure that a line of the runtime names, in the order in which lines are compared with them. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum RuntimeCause {
    /** The memory of a core is broken. */
    SRAM(
            "Uncorrectable memory error is detected, metadata|(?:FATAL-RT|\\[(?:ND|MLA) \\d).{0,64}Uncorrectable memory error is detected"
                    + "|NEURON_HW_ERR=(?:SRAM|NC)_UNCORRECTABLE_ERROR",
            "an uncorrectable error of a core's memory",
            List.of(HARDWARE_REPLACE),
            OUT,
            "Replace the instance; AWS announces its retirement within 15 minutes. The counter is sram_ecc_uncorrected."),
    /** The memory of a device has an error that a reload of the driver repairs. */
    HBM_REPAIRABLE(
            "Uncorrectable HBM memory error(?:(?!terminate).){0,256}(?i:reload the neuron driver|reboot)"
                    + "|NEURON_HW_ERR=HBM_\\w*(?<!UN)REPAIRABLE|NEURON_HW_ERR=HBM_UNCORRECTABLE_ERROR .{0,256}\\baction=(?:RELOAD|REBOOT)",
            "a repairable uncorrectable error of device memory",
            List.of(HARDWARE_RELOAD),
            OUT_UNTIL_RELOAD,
            "Reload the driver, or reboot the instance. The counter is mem_ecc_repairable_uncorrected."),
    /** The memory of a device is broken. */
    HBM(
            "Uncorrectable HBM memory error|encountered uncorrectable memory error on Neuron Device"
                    + "|NEURON_HW_ERR=HBM_UNCORRECTABLE_ERROR",
            "an uncorrectable error of device memory",
            List.of(HARDWARE_REPLACE),
            OUT,
            "Replace the instance; AWS announces its retirement within 15 minutes. The counter is mem_ecc_uncorrected."),
    /** A DMA engine has stopped. */
    DMA_ABORT(
            "DMA (?:TX|RX) engine \\d+ is in an abort state|RDR_DATA_AXI_TIMEOUT_ERROR|NEURON_HW_ERR=DMA_ERROR",
            "a DMA engine in an abort state",
            List.of(KERNEL, HARDWARE_RELOAD, HARDWARE_REPLACE),
            OUT_UNTIL_RESET,
            "Reset the device. Then run the same NEFF once on another device (@RetryOnAnotherCore): if it aborts there too, the kernel is to blame, such as a transposing DMA with invalid indices."),
    /** Another hardware error that the kernel log names. */
    OTHER_HARDWARE(
            "NEURON_HW_ERR=[A-Z]",
            "a hardware error in the kernel log",
            List.of(HARDWARE_REPLACE),
            OUT,
            "Do what the action of the line says: replace the instance, or reset the device."),
    /** The driver says that a device is ill. */
    DEVICE_ILL(
            "DMA completion timeout on nd\\d|\\bnd\\d+ is in an invalid state|Scrub failed for nd\\d"
                    + "|\\bnd\\d+: reset request \\d+ was initiated, but failed to complete",
            "a device that the driver reports as faulty",
            List.of(HARDWARE_RELOAD, HARDWARE_REPLACE),
            SUSPECT,
            "Run neuron-test doctor, and reload the driver."),
    /** Notifications of DMA descriptors overflow a queue. */
    DGE_NOTIFICATIONS(
            "potentially caused by DGE notifications",
            "DGE notifications, which fill a queue",
            List.of(SOFTWARE_QUEUE),
            STAY,
            "Set NEURON_RT_ENABLE_DGE_NOTIFICATIONS=0, or capture without DGE notifications."),
    /** The kernel hangs behind its collectives. */
    HANG_AFTER_COLLECTIVES(
            "Suspected hang after successful execution of collectives|Likely NOT a collectives issue"
                    + "|is stuck after all collectives operations? have completed",
            "a hang after the collectives",
            List.of(KERNEL, SOFTWARE_QUEUE),
            STAY,
            "Check the instructions between and after the collectives, and whether DGE notifications are on."),
    /** A rank waits for another one. */
    HANG_ON_COLLECTIVES(
            "missing collectives status on|[Ss]uspected hang in (?:collectives|waiting for barrier)"
                    + "|between the end of collectives operation \\d+ and the start of",
            "a hang on collectives",
            List.of(RANK, KERNEL, HARDWARE_REPLACE),
            STAY,
            "Look at the other ranks first: one with an SRAM, HBM, DMA or compute error is the cause. Act there, then restart all ranks."),
    /** An execution did not end. */
    HANG_ON_COMPUTE(
            "(?:execution|inference) timeout \\(\\d+ m?s\\) on (?:model|Neuron Device) ",
            "a hang on compute",
            List.of(KERNEL, ENVIRONMENT, HARDWARE_REPLACE),
            SUSPECT,
            "Raise NEURON_RT_EXEC_TIMEOUT above the time of the graph. Then run the same NEFF once on another device (@RetryOnAnotherCore): if it hangs there too, the kernel is to blame; if not, reset the first device, or replace the instance."),
    /** Code on the GPSIMD engine failed. */
    GPSIMD_EXCEPTION(
            "GPSIMD EXCEPTION OCCURRED|GENERIC GPSIMD EXCEPTION",
            "an exception of a GPSIMD kernel",
            List.of(KERNEL, ENVIRONMENT),
            STAY,
            "Read the cause in the next lines, and check whether NEURON_RT_RESET_CORES=0 is set."),
    /** An index was out of bounds. */
    OUT_OF_BOUNDS(
            "due to out-of-bound access|Out of bounds access on model",
            "an access out of bounds",
            List.of(KERNEL, INPUTS),
            STAY,
            "Check the indices of the kernel and its inputs; NEURON_RT_DBG_DUMP_INPUTS_ON_ERR=1006 writes the inputs to files.",
            Stage.EXECUTE,
            1006),
    /** NaN was computed. */
    NUMERICAL(
            "INFER_ERROR_SUBTYPE_NUMERICAL|completed with numerical error",
            "numerical errors such as NaN",
            List.of(KERNEL, INPUTS),
            STAY,
            "Run it with the same inputs on the CPU or on another core. Zero inputs often give NaN.",
            Stage.EXECUTE,
            1003),
    /** The program on the core did something wrong. */
    PROGRAM_ERROR(
            "INFER_ERROR_SUBTYPE_MODEL",
            "an error of the program on the core",
            List.of(KERNEL),
            STAY,
            "Check the kernel: the error string names what it did, such as an event that was set twice.",
            Stage.EXECUTE),
    /** Another process has the cores. */
    CORES_TAKEN(
            "(?i:neuron ?core\\(s\\) not available)",
            "cores that another process has",
            List.of(PROCESS),
            ELSEWHERE,
            "Find the process with neuron-ls, and end it or wait for its end. A pod that is just ending may keep the cores for some seconds.",
            Stage.INIT,
            1),
    /** No device is there. */
    NO_DEVICE(
            "No neuron device available|error condition !\\(num_devices > 0\\)",
            "no device",
            List.of(ENVIRONMENT, PROCESS),
            ELSEWHERE,
            "Pass the devices to the container (--device), or end the processes that still have them open. neuron-ls shows both.",
            Stage.INIT),
    /** A device is missing or cannot be opened. */
    DEVICE_NOT_OPENED(
            "Could not open the nd\\d+",
            "a device that cannot be opened",
            List.of(ENVIRONMENT),
            STAY,
            "Pass adjacent devices to the container, and ask for no more cores than there are. Check that neuron-ls shows all devices.",
            Stage.INIT),
    /** The cores have a gap. */
    CORES_NOT_CONTIGUOUS(
            "(?i:neuron cores are not contiguous)",
            "cores that are not adjacent",
            List.of(ENVIRONMENT),
            STAY,
            "Close the gap in NEURON_RT_VISIBLE_CORES or among the devices of the container.",
            Stage.INIT),
    /** The driver is not there. */
    DRIVER_MISSING(
            "Unable to determine Neuron Driver version",
            "no driver",
            List.of(ENVIRONMENT),
            STAY,
            "Install aws-neuronx-dkms and load it. modinfo neuron shows what is installed, lsmod what is loaded.",
            Stage.INIT),
    /** The driver does not fit the runtime. */
    DRIVER_TOO_OLD(
            "requires Neuron Driver version|is not compatible with the installed aws-neuron"
                    + "|failed programming the engine",
            "a driver that is too old for the runtime",
            List.of(ENVIRONMENT),
            STAY,
            "Install the driver of the runtime's release and reload it. modinfo neuron shows what is installed, dmesg what is loaded.",
            Stage.INIT),
    /** A device is still busy with an earlier process. */
    CORE_LEFT_RUNNING(
            "Timestamp program stop timeout|Failed to stop neuron core",
            "a core that an earlier process left running",
            List.of(ENVIRONMENT),
            SUSPECT,
            "Reload the driver.",
            Stage.INIT),
    /** A program goes on without the device. */
    NOT_ON_DEVICE(
            "Model was not sent to NeuronCore",
            "a program that goes on without the device",
            List.of(ENVIRONMENT),
            STAY,
            "The model did not run on a core. Read in the lines before it why the runtime did not start.",
            Stage.LOAD),
    /** The runtime did not start. */
    NOT_INITIALISED(
            "Neuron [Rr]untime (?:cannot|could not) be initialized",
            "a runtime that did not start",
            List.of(ENVIRONMENT, PROCESS),
            ELSEWHERE,
            "Read the line that the runtime printed before it: it gives the reason.",
            Stage.INIT),
    /** The NEFF is too new. */
    NEFF_TOO_NEW(
            "NEFF version: .*are not supported|NEFF version mismatch",
            "a NEFF of a newer compiler",
            List.of(ENVIRONMENT),
            STAY,
            "Install compiler and runtime of one release; the newest of both is simplest.",
            Stage.LOAD,
            10),
    /** The NEFF has operators that the runtime does not know. */
    OPERATOR_UNKNOWN(
            "Unsupported hardware operator code|make sure to upgrade to latest aws-neuronx-runtime-lib",
            "an operator that the runtime does not know",
            List.of(ENVIRONMENT),
            STAY,
            "Install the newest runtime and collectives.",
            Stage.LOAD),
    /** The NEFF needs more cores. */
    TOO_FEW_CORES(
            "Could not find VNC id",
            "a NEFF for more cores than there are",
            List.of(ENVIRONMENT),
            STAY,
            "Give the program as many cores as the NEFF was compiled for.",
            Stage.LOAD,
            2),
    /** Logical cores have another size. */
    LOGICAL_CORE_SIZE(
            "Mismatch detected between Runtime configuration and NEFF|Runtime currently configured with `NEURON_LOGICAL",
            "a NEFF for another size of logical cores",
            List.of(ENVIRONMENT),
            STAY,
            "Compile it with the --lnc of the host, or set NEURON_LOGICAL_NC_CONFIG to that of the NEFF.",
            Stage.LOAD,
            2),
    /** The group of collectives has a size or start that the fabric does not do. */
    TOPOLOGY(
            "Unsupported topology|Collective operation [A-Z_]+ .*not supported",
            "a group of cores on which collectives do not run",
            List.of(ENVIRONMENT, KERNEL),
            STAY,
            "Take a number of cores on which collectives of this family run, from a multiple of that number on: @Count(value = 8, collectives = true).",
            Stage.LOAD,
            2),
    /** The memory of the device is full. */
    MEMORY_FULL(
            "Failed to allocate (?:\\S+ \\(alignment|DEVICE memory)|Number of ONE TMPBUF pages requested exceeded"
                    + "|mc_alloc: device mempool \\[",
            "no device memory left",
            List.of(KERNEL, ENVIRONMENT, PROCESS),
            STAY,
            "Use a higher tensor parallel degree or a smaller batch, unload models, or take a larger instance. The counter is device_mem, also that of the core that shares the memory.",
            Stage.MEMORY,
            4),
    /** The queues of the device are used up. */
    QUEUES_FULL(
            "failed to init dma queue batch",
            "more queues than the device has",
            List.of(KERNEL, ENVIRONMENT),
            STAY,
            "The model needs more queues than there are: see udma_q_init_validate in syslog.",
            Stage.LOAD),
    /** Two jobs use one port. */
    PORT_TAKEN(
            "Failed to bind\\(.*Address already in use",
            "a port that another program has",
            List.of(ENVIRONMENT),
            STAY,
            "Set NEURON_RT_ROOT_COMM_ID to a free port; the other ranks wait for it.",
            Stage.INIT),
    /** A part for collectives or the network is missing. */
    COLLECTIVES_MISSING(
            "Error opening libnccom\\.so|Ofi plugin is not installed or EFA is not enabled"
                    + "|requires setting FI_EFA_FORK_SAFE",
            "a missing part for collectives",
            List.of(ENVIRONMENT),
            STAY,
            "Install aws-neuronx-collectives, and over several hosts EFA, as the line says.",
            Stage.INIT),
    /** Another rank has ended. */
    RANK_GONE(
            "RX, connection closed by remote peer",
            "another rank that ended first",
            List.of(RANK),
            STAY,
            "Look at the other ranks: the one that ended first has the cause."),
    /** The library is not found. */
    LIBRARY_MISSING(
            "libnrt\\.so\\.1: cannot open shared object file",
            "no libnrt.so.1",
            List.of(ENVIRONMENT),
            STAY,
            "Install aws-neuronx-runtime-lib, or set LD_LIBRARY_PATH.",
            Stage.INIT),
    /** Variables choose cores in two ways. */
    VISIBLE_CORES_REFUSED(
            "NEURON_RT_VISIBLE_CORES cannot be used with|TP != len\\(NEURON_VISIBLE_DEVICES\\)",
            "variables that do not fit the program",
            List.of(ENVIRONMENT),
            STAY,
            "Set NEURON_VISIBLE_DEVICES as the program asks, with as many entries as its tensor parallel degree.",
            Stage.INIT),
    /** The runtime does not trust its own state, and names nothing else. */
    UNDEFINED_STATE(
            "FATAL-RT-UNDEFINED-STATE|(?i:execution results may be invalid)",
            "a state that the runtime calls undefined",
            List.of(KERNEL, HARDWARE_RELOAD, HARDWARE_REPLACE),
            SUSPECT,
            "Read the line. Then run the same NEFF once on another device (@RetryOnAnotherCore): if it fails there too, the kernel is to blame.");

    private final Pattern pattern;
    private final String meaning;
    private final Set<Fault> faults;
    private final CoreVerdict core;
    private final String advice;
    private final Stage stage;
    private final OptionalInt status;

    RuntimeCause(String pattern, String meaning, List<Fault> faults, CoreVerdict core, String advice) {
        this(pattern, meaning, faults, core, advice, Stage.EXECUTE);
    }

    RuntimeCause(String pattern, String meaning, List<Fault> faults, CoreVerdict core, String advice, Stage stage) {
        this(pattern, meaning, faults, core, advice, stage, OptionalInt.empty());
    }

    RuntimeCause(
            String pattern,
            String meaning,
            List<Fault> faults,
            CoreVerdict core,
            String advice,
            Stage stage,
            int status) {
        this(pattern, meaning, faults, core, advice, stage, OptionalInt.of(status));
    }

    RuntimeCause(
            String pattern,
            String meaning,
            List<Fault> faults,
            CoreVerdict core,
            String advice,
            Stage stage,
            OptionalInt status) {
        this.pattern = Pattern.compile(pattern);
        this.meaning = meaning;
        this.faults = Collections.unmodifiableSet(new LinkedHashSet<>(faults));
        this.core = core;
        this.advice = advice;
        this.stage = stage;
        this.status = status;
    }

    /** Finds the cause that a line names. */
    static Optional<RuntimeCause> in(String line) {
        return Arrays.stream(values())
                .filter(cause -> cause.pattern.matcher(line).find())
                .findFirst();
    }

    /**
     * Returns the cause in words.
     *
     * @return such as {@code a hang on compute}
     */
    public String meaning() {
        return meaning;
    }

    /**
     * Returns whose fault it can be.
     *
     * @return the possible faults, the most common first
     */
    public Set<Fault> faults() {
        return faults;
    }

    /**
     * Returns what becomes of the core.
     *
     * @return the verdict, which goes before that of a status
     */
    public CoreVerdict core() {
        return core;
    }

    /**
     * Returns what to do.
     *
     * @return one or two sentences
     */
    public String advice() {
        return advice;
    }

    /**
     * Returns the status that speaks for the cause when no status was printed beside it, so that two devices can be compared.
     *
     * @return the status of its own, or the usual one of several
     */
    public Optional<RuntimeStatus> usualStatus() {
        return switch (this) {
            case DMA_ABORT -> Optional.of(RuntimeStatus.of(1203));
            case HANG_ON_COMPUTE, UNDEFINED_STATE -> Optional.of(RuntimeStatus.of(5));
            default -> status.stream().mapToObj(RuntimeStatus::of).findFirst();
        };
    }

    /** Returns the statuses that the runtime returns for it. */
    Set<Integer> statuses() {
        return switch (this) {
            case SRAM -> Set.of(1004, 1202);
            case HBM -> Set.of(5, 1201);
            case HBM_REPAIRABLE -> Set.of(5, 1205);
            case DMA_ABORT -> Set.of(5, 1203);
            case HANG_ON_COMPUTE -> Set.of(5);
            case HANG_ON_COLLECTIVES -> Set.of(5, 1200);
            case PROGRAM_ERROR -> Set.of(5, 1004);
            default -> status.isPresent() ? Set.of(status.getAsInt()) : Set.of();
        };
    }

    /** Returns the stage at which it is met. */
    Stage stage() {
        return stage;
    }

    /** Returns the status that the runtime returns for it; empty when it returns several. */
    OptionalInt status() {
        return status;
    }
}
