package dev.neurontest.status;

import static dev.neurontest.status.RuntimeStatus.CoreVerdict.ELSEWHERE;
import static dev.neurontest.status.RuntimeStatus.CoreVerdict.OUT;
import static dev.neurontest.status.RuntimeStatus.CoreVerdict.OUT_UNTIL_RELOAD;
import static dev.neurontest.status.RuntimeStatus.CoreVerdict.OUT_UNTIL_RESET;
import static dev.neurontest.status.RuntimeStatus.CoreVerdict.STAY;
import static dev.neurontest.status.RuntimeStatus.CoreVerdict.SUSPECT;
import static dev.neurontest.status.RuntimeStatus.Fault.CALLER;
import static dev.neurontest.status.RuntimeStatus.Fault.EARLIER_FAILURE;
import static dev.neurontest.status.RuntimeStatus.Fault.ENVIRONMENT;
import static dev.neurontest.status.RuntimeStatus.Fault.HARDWARE_RELOAD;
import static dev.neurontest.status.RuntimeStatus.Fault.HARDWARE_REPLACE;
import static dev.neurontest.status.RuntimeStatus.Fault.INPUTS;
import static dev.neurontest.status.RuntimeStatus.Fault.KERNEL;
import static dev.neurontest.status.RuntimeStatus.Fault.PROCESS;
import static dev.neurontest.status.RuntimeStatus.Fault.RANK;
import static dev.neurontest.status.RuntimeStatus.Fault.SOFTWARE_QUEUE;
import static dev.neurontest.status.RuntimeStatus.Stage.EXECUTE;
import static dev.neurontest.status.RuntimeStatus.Stage.INIT;
import static dev.neurontest.status.RuntimeStatus.Stage.LOAD;

import dev.neurontest.status.RuntimeStatus.CoreVerdict;
import dev.neurontest.status.RuntimeStatus.Fault;
import dev.neurontest.status.RuntimeStatus.Stage;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The statuses of the runtime: whose fault each can be, what to do, what becomes of the core, and what decides. */
final class StatusTable {

    private static final Map<Integer, Row> ROWS = new LinkedHashMap<>();

    /** The counters of a core, by their names below {@code stats/status}, with the status that each is counted for. */
    private static final Map<String, Integer> COUNTERS = Map.ofEntries(
            Map.entry("failure", 1),
            Map.entry("invalid_error", 2),
            Map.entry("resource_error", 4),
            Map.entry("timeout", 5),
            Map.entry("hw_error", 6),
            Map.entry("execute_failed_to_queue", 7),
            Map.entry("infer_failed_to_queue", 7),
            Map.entry("resource_nc_error", 9),
            Map.entry("unsupported_neff_version", 10),
            Map.entry("exec_bad_input", 1002),
            Map.entry("execute_completed_with_num_error", 1003),
            Map.entry("infer_completed_with_num_error", 1003),
            Map.entry("execute_completed_with_error", 1004),
            Map.entry("infer_completed_with_error", 1004),
            Map.entry("oob_error", 1006),
            Map.entry("hw_collectives_error", 1200),
            Map.entry("hw_hbm_ue_error", 1201),
            Map.entry("hw_nc_ue_error", 1202),
            Map.entry("hw_dma_abort_error", 1203),
            Map.entry("execute_sw_nq_overflow", 1204),
            Map.entry("hw_repairable_hbm_ue_error", 1205));

    private static final String REPLACE = "Replace the instance; AWS announces its retirement within 15 minutes.";
    private static final String READ_LOG = "Read the line that the runtime printed before it.";

    static final Row UNKNOWN = new Row(
            "",
            "a status that this version does not know",
            new Case(Set.of(), STAY, "Look it up in nrt_status.h of the installed runtime. " + READ_LOG),
            Map.of(),
            "");

    /** The meaning of a status at one stage. */
    record Case(Set<Fault> faults, CoreVerdict core, String advice) {}

    /** A status. */
    record Row(String name, String meaning, Case always, Map<Stage, Case> stages, String evidence) {

        Case at(Stage stage) {
            return stages.getOrDefault(stage, always);
        }

        private Row at(Stage stage, List<Fault> faults, CoreVerdict core, String advice) {
            Map<Stage, Case> more = new LinkedHashMap<>(stages);
            more.put(stage, new Case(ordered(faults), core, advice));
            return new Row(name, meaning, always, more, evidence);
        }
    }

    static {
        add(0, row("NRT_SUCCESS", "it worked", List.of(), STAY, "", "the output, which a success says nothing about"));
        add(
                1,
                row(
                                "NRT_FAILURE",
                                "a failure without a closer reason",
                                List.of(ENVIRONMENT, PROCESS, KERNEL),
                                ELSEWHERE,
                                READ_LOG + " End the processes that have the cores (neuron-ls names them).",
                                "the line of the runtime before it; which process has the device open")
                        .at(
                                INIT,
                                List.of(PROCESS, ENVIRONMENT),
                                ELSEWHERE,
                                "Most often another process has the cores: neuron-ls shows which. A forked child cannot use the runtime of its parent: start it by spawn.")
                        .at(
                                LOAD,
                                List.of(ENVIRONMENT, KERNEL),
                                ELSEWHERE,
                                "Check that the NEFF exists and is complete. " + READ_LOG));
        add(
                2,
                row(
                                "NRT_INVALID",
                                "the NEFF, an instruction, a descriptor, or the name or size of a tensor is invalid",
                                List.of(ENVIRONMENT, KERNEL, INPUTS),
                                STAY,
                                READ_LOG + " It names what is invalid.",
                                "the call that failed, and what the runtime printed before it")
                        .at(
                                INIT,
                                List.of(ENVIRONMENT),
                                STAY,
                                "No device can be used, the driver is too old, or the cores are not adjacent: run neuron-test doctor.")
                        .at(
                                LOAD,
                                List.of(KERNEL, ENVIRONMENT),
                                STAY,
                                "Check that the NEFF is undamaged and fits the cores: their number, the size of logical cores (--lnc), size and start of a group for collectives.")
                        .at(
                                EXECUTE,
                                List.of(INPUTS),
                                STAY,
                                "Compare names and sizes of the tensors with those of the model."));
        add(
                3,
                row(
                        "NRT_INVALID_HANDLE",
                        "an invalid handle",
                        List.of(CALLER),
                        STAY,
                        "Check whether the model was unloaded before, and where the handle comes from.",
                        ""));
        add(
                4,
                row(
                                "NRT_RESOURCE",
                                "memory or another resource is used up",
                                List.of(KERNEL, ENVIRONMENT, PROCESS),
                                STAY,
                                "Use a higher tensor parallel degree or a smaller batch, unload models, or take a larger instance.",
                                "device_mem of the core and of its neighbour, which shares the memory on devices with 8 cores; the runtime's table of memory in its log and in /tmp")
                        .at(
                                LOAD,
                                List.of(KERNEL, ENVIRONMENT, PROCESS),
                                STAY,
                                "Close models and tensors that are no longer needed, give the model more cores, or use a smaller batch."));
        add(
                5,
                row(
                                "NRT_TIMEOUT",
                                "the operation timed out",
                                List.of(KERNEL, ENVIRONMENT, RANK, SOFTWARE_QUEUE, HARDWARE_RELOAD, HARDWARE_REPLACE),
                                SUSPECT,
                                "Read the line that the runtime printed before it. If none names a cause, raise NEURON_RT_EXEC_TIMEOUT above the time of the graph. Then run the same NEFF once on another device (@RetryOnAnotherCore): if it times out there too, the kernel is to blame.",
                                "the lines of the runtime, the kernel log, ECC counters, the other ranks, the same NEFF on another device")
                        .at(
                                INIT,
                                List.of(ENVIRONMENT, PROCESS, HARDWARE_RELOAD, HARDWARE_REPLACE),
                                SUSPECT,
                                "Check whether NEURON_RT_ROOT_COMM_ID was inherited from another process, and whether another process has the cores."));
        add(
                6,
                row(
                                "NRT_HW_ERROR",
                                "a hardware failure",
                                List.of(ENVIRONMENT, HARDWARE_RELOAD, HARDWARE_REPLACE),
                                SUSPECT,
                                "Read dmesg and the ECC counters. Then run the same NEFF once on another device (@RetryOnAnotherCore): if it fails there too, the device is not to blame.",
                                "the target that the NEFF was compiled for; ECC counters; the kernel log")
                        .at(
                                LOAD,
                                List.of(ENVIRONMENT),
                                STAY,
                                "Check that the NEFF was compiled for this kind of device: compile it with the right --target."));
        add(
                7,
                row(
                        "NRT_QUEUE_FULL",
                        "the queue of executions is full",
                        List.of(CALLER),
                        STAY,
                        "Wait until an execution has ended, then ask again.",
                        ""));
        add(
                9,
                row(
                        "NRT_LOAD_NOT_ENOUGH_NC",
                        "too few cores for the NEFF",
                        List.of(ENVIRONMENT, PROCESS),
                        ELSEWHERE,
                        "Give the program as many cores as the NEFF was compiled for.",
                        "the cores that were asked for and those that are visible"));
        add(
                10,
                row(
                        "NRT_UNSUPPORTED_NEFF_VERSION",
                        "the compiler of the NEFF and the runtime do not fit together",
                        List.of(ENVIRONMENT),
                        STAY,
                        "Install compiler and runtime of one release; the newest of both is simplest.",
                        "the versions of compiler and runtime"));
        add(
                11,
                row(
                        "NRT_FAIL_HOST_MEM_ALLOC",
                        "the host has no memory left",
                        List.of(ENVIRONMENT),
                        STAY,
                        "Find what uses the memory of the host.",
                        "the memory of the host"));
        add(
                13,
                row(
                        "NRT_UNINITIALIZED",
                        "a call before nrt_init",
                        List.of(CALLER),
                        STAY,
                        "Call nrt_init first, and check that it succeeded.",
                        ""));
        add(14, row("NRT_CLOSED", "a call after nrt_close", List.of(CALLER), STAY, "Close the runtime last.", ""));
        add(15, row("NRT_QUEUE_EMPTY", "nothing is queued, which is no error", List.of(), STAY, "", ""));
        add(
                101,
                row(
                        "NRT_EXEC_UNIT_UNRECOVERABLE",
                        "the core cannot go on after an earlier failure of the same process",
                        List.of(EARLIER_FAILURE),
                        SUSPECT,
                        "Read the first status and line before it. End the process; a new one initialises the core again.",
                        "the first status and line before it"));
        add(
                1002,
                row(
                        "NRT_EXEC_BAD_INPUT",
                        "the input does not fit the model",
                        List.of(INPUTS),
                        STAY,
                        "Compare the input with what the model was compiled for.",
                        ""));
        add(
                1003,
                row(
                        "NRT_EXEC_COMPLETED_WITH_NUM_ERR",
                        "numerical errors such as NaN",
                        List.of(KERNEL, INPUTS),
                        STAY,
                        "Run it with the same inputs on the CPU or on another core. Zero inputs often give NaN.",
                        "the same inputs on the CPU or on another core"));
        add(
                1004,
                row(
                        "NRT_EXEC_COMPLETED_WITH_ERR",
                        "the execution ended with errors: of the program (semaphore, event, PSUM, sequencer) or of the core's memory",
                        List.of(KERNEL, HARDWARE_REPLACE),
                        SUSPECT,
                        "Read the counters: if sram_ecc_uncorrected rose, replace the instance; if an execute_sw counter rose, the kernel is to blame.",
                        "sram_ecc_uncorrected or a NEURON_HW_ERR=SRAM line for the hardware, execute_sw counters for the kernel"));
        add(
                1005,
                row(
                        "NRT_EXEC_NC_BUSY",
                        "another model or process has locked the core",
                        List.of(PROCESS, CALLER),
                        ELSEWHERE,
                        "Find the process that has the core (neuron-ls), or check whether two threads of the program use it.",
                        "who has the core"));
        add(
                1006,
                row(
                        "NRT_EXEC_OOB",
                        "an access out of bounds",
                        List.of(KERNEL, INPUTS),
                        STAY,
                        "Check the indices of the kernel and its inputs; NEURON_RT_DBG_DUMP_INPUTS_ON_ERR=1006 writes the inputs to files.",
                        "the counter oob_error"));
        add(1100, row("NRT_COLL_PENDING", "a collective is pending, which is no error", List.of(), STAY, "", ""));
        add(
                1200,
                row(
                        "NRT_EXEC_HW_ERR_COLLECTIVES",
                        "a collective is stuck, possibly by a hardware error of another worker",
                        List.of(RANK, KERNEL, HARDWARE_REPLACE),
                        STAY,
                        "Look at the other ranks first: one with an SRAM, HBM, DMA or compute error is the cause. Act there, then restart all ranks.",
                        "status and kernel log of the other ranks; the ECC counters of this one"));
        add(
                1201,
                row(
                        "NRT_EXEC_HW_ERR_HBM_UE",
                        "an uncorrectable error of device memory, with wrong results",
                        List.of(HARDWARE_REPLACE),
                        OUT,
                        REPLACE,
                        "mem_ecc_uncorrected; a NEURON_HW_ERR=HBM line of the kernel log"));
        add(
                1202,
                row(
                        "NRT_EXEC_HW_ERR_NC_UE",
                        "an uncorrectable error of a core's memory, with wrong results",
                        List.of(HARDWARE_REPLACE),
                        OUT,
                        REPLACE,
                        "sram_ecc_uncorrected; a NEURON_HW_ERR=SRAM or NC line of the kernel log"));
        add(
                1203,
                row(
                        "NRT_EXEC_HW_ERR_DMA_ABORT",
                        "a DMA engine aborted",
                        List.of(KERNEL, HARDWARE_RELOAD, HARDWARE_REPLACE),
                        OUT_UNTIL_RESET,
                        "Reset the device. Then run the same NEFF once on another device (@RetryOnAnotherCore): 1203 there too means that the kernel is to blame, such as a transposing DMA with invalid indices. If the device aborts again after the reset, replace the instance.",
                        "the same NEFF on another device"));
        add(
                1204,
                row(
                        "NRT_EXEC_SW_NQ_OVERFLOW",
                        "a software notification queue overflowed",
                        List.of(SOFTWARE_QUEUE),
                        STAY,
                        "Set NEURON_RT_ENABLE_DGE_NOTIFICATIONS=0, or capture without DGE notifications.",
                        "whether DGE notifications are on"));
        add(
                1205,
                row(
                        "NRT_EXEC_HW_ERR_REPAIRABLE_HBM_UE",
                        "a repairable uncorrectable error of device memory, with wrong results",
                        List.of(HARDWARE_RELOAD),
                        OUT_UNTIL_RELOAD,
                        "Reload the driver, or reboot the instance.",
                        "mem_ecc_repairable_uncorrected; the age of the driver"));
        add(
                1206,
                row(
                        "NRT_NETWORK_PROXY_FAILURE",
                        "the EFA network proxy failed",
                        List.of(RANK, ENVIRONMENT),
                        STAY,
                        "Check EFA, the security group, and the other ranks.",
                        "the lines of the network and of the other ranks"));
    }

    private StatusTable() {}

    private static void add(int code, Row row) {
        ROWS.put(code, row);
    }

    private static Row row(
            String name, String meaning, List<Fault> faults, CoreVerdict core, String advice, String evidence) {
        return new Row(name, meaning, new Case(ordered(faults), core, advice), Map.of(), evidence);
    }

    private static Set<Fault> ordered(List<Fault> faults) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(faults));
    }

    static List<Integer> codes() {
        return List.copyOf(ROWS.keySet());
    }

    static Optional<Integer> codeOfCounter(String name) {
        return Optional.ofNullable(COUNTERS.get(name));
    }

    static Optional<Row> row(int code) {
        return Optional.ofNullable(ROWS.get(code));
    }

    /** Finds a name with or without its prefixes: counters and messages leave them out. */
    static Optional<Integer> code(String name) {
        String plain = withoutPrefix(name.toUpperCase(Locale.ROOT));
        return ROWS.entrySet().stream()
                .filter(known -> withoutPrefix(known.getValue().name()).equals(plain))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static String withoutPrefix(String name) {
        return name.replaceFirst("^NRT_", "").replaceFirst("^EXEC_", "");
    }
}
