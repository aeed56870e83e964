package dev.neurontest.runtime;

import dev.neurontest.internal.status.StatusTable;
import dev.neurontest.runtime.RuntimeStatus.CoreVerdict;
import dev.neurontest.runtime.RuntimeStatus.Fault;
import dev.neurontest.runtime.RuntimeStatus.Stage;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** The cause of a failure that a line of the runtime names, in the order in which lines are compared with them. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum RuntimeCause {
    /** The memory of a core is broken. */
    SRAM,
    /** The memory of a device has an error that a reload of the driver repairs. */
    HBM_REPAIRABLE,
    /** The memory of a device is broken. */
    HBM,
    /** A DMA engine has stopped. */
    DMA_ABORT,
    /** Another hardware error that the kernel log names. */
    OTHER_HARDWARE,
    /** The driver says that a device is ill. */
    DEVICE_ILL,
    /** Notifications of DMA descriptors overflow a queue. */
    DGE_NOTIFICATIONS,
    /** The kernel hangs behind its collectives. */
    HANG_AFTER_COLLECTIVES,
    /** A rank waits for another one. */
    HANG_ON_COLLECTIVES,
    /** An execution did not end. */
    HANG_ON_COMPUTE,
    /** Code on the GPSIMD engine failed. */
    GPSIMD_EXCEPTION,
    /** An index was out of bounds. */
    OUT_OF_BOUNDS,
    /** NaN was computed. */
    NUMERICAL,
    /** The program on the core did something wrong. */
    PROGRAM_ERROR,
    /** Another process has the cores. */
    CORES_TAKEN,
    /** No device is there. */
    NO_DEVICE,
    /** A device is missing or cannot be opened. */
    DEVICE_NOT_OPENED,
    /** The cores have a gap. */
    CORES_NOT_CONTIGUOUS,
    /** The driver is not there. */
    DRIVER_MISSING,
    /** The driver does not fit the runtime. */
    DRIVER_TOO_OLD,
    /** A device is still busy with an earlier process. */
    CORE_LEFT_RUNNING,
    /** A program goes on without the device. */
    NOT_ON_DEVICE,
    /** The runtime did not start. */
    NOT_INITIALISED,
    /** The NEFF is too new. */
    NEFF_TOO_NEW,
    /** The NEFF has operators that the runtime does not know. */
    OPERATOR_UNKNOWN,
    /** The NEFF needs more cores. */
    TOO_FEW_CORES,
    /** Logical cores have another size. */
    LOGICAL_CORE_SIZE,
    /** The group of collectives has a size or start that the fabric does not do. */
    TOPOLOGY,
    /** The memory of the device is full. */
    MEMORY_FULL,
    /** The queues of the device are used up. */
    QUEUES_FULL,
    /** Two jobs use one port. */
    PORT_TAKEN,
    /** A part for collectives or the network is missing. */
    COLLECTIVES_MISSING,
    /** Another rank has ended. */
    RANK_GONE,
    /** The library is not found. */
    LIBRARY_MISSING,
    /** Variables choose cores in two ways. */
    VISIBLE_CORES_REFUSED,
    /** The runtime does not trust its own state, and names nothing else. */
    UNDEFINED_STATE;

    private final Pattern pattern;
    private final String meaning;
    private final StatusTable.Case verdict;
    private final Stage stage;
    private final OptionalInt status;
    private final Optional<String> usualStatus;
    private final Set<Integer> statuses;

    RuntimeCause() {
        Map<String, String> entry = StatusTable.entry(name());
        String only = entry.getOrDefault("status", "");
        this.pattern = Pattern.compile(entry.get("lines"));
        this.meaning = entry.get("meaning");
        this.verdict = StatusTable.Case.of(entry, "");
        this.stage = Stage.valueOf(entry.getOrDefault("stage", "EXECUTE"));
        this.status = StatusTable.words(only).mapToInt(Integer::parseInt).findFirst();
        this.usualStatus = StatusTable.words(entry.getOrDefault("usual", only)).findFirst();
        this.statuses = StatusTable.words(entry.getOrDefault("statuses", only))
                .map(Integer::valueOf)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Finds the cause that a line names. */
    @API(status = API.Status.INTERNAL)
    public static Optional<RuntimeCause> in(String line) {
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
        return verdict.faults();
    }

    /**
     * Returns what becomes of the core.
     *
     * @return the verdict, which goes before that of a status
     */
    public CoreVerdict core() {
        return verdict.core();
    }

    /**
     * Returns what to do.
     *
     * @return one or two sentences
     */
    public String advice() {
        return verdict.advice();
    }

    /**
     * Returns the status that speaks for the cause when no status was printed beside it, so that two devices can be compared.
     *
     * @return the status of its own, or the usual one of several
     */
    public Optional<RuntimeStatus> usualStatus() {
        return usualStatus.map(RuntimeStatus::of);
    }

    /** Returns the statuses that the runtime returns for it. */
    Set<Integer> statuses() {
        return statuses;
    }

    /** Returns the stage at which it is met. */
    @API(status = API.Status.INTERNAL)
    public Stage stage() {
        return stage;
    }

    /** Returns the status that the runtime returns for it; empty when it returns several. */
    @API(status = API.Status.INTERNAL)
    public OptionalInt status() {
        return status;
    }
}
