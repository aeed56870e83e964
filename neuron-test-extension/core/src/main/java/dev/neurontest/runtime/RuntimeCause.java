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

/** The cause of a failure in a line of the runtime. The order of the constants is the order in which lines are matched. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum RuntimeCause {
    /** Broken memory of a core. */
    SRAM,
    /** Error in the memory of a device that a reload of the driver repairs. */
    HBM_REPAIRABLE,
    /** Broken memory of a device. */
    HBM,
    /** Stopped DMA engine. */
    DMA_ABORT,
    /** Another hardware error in the kernel log. */
    OTHER_HARDWARE,
    /** Unhealthy device according to the driver. */
    DEVICE_ILL,
    /** Queue overflow by notifications of DMA descriptors. */
    DGE_NOTIFICATIONS,
    /** Hang of the kernel after its collectives. */
    HANG_AFTER_COLLECTIVES,
    /** Rank that waits for another rank. */
    HANG_ON_COLLECTIVES,
    /** Execution that did not end. */
    HANG_ON_COMPUTE,
    /** Failed code on the GPSIMD engine. */
    GPSIMD_EXCEPTION,
    /** Index out of bounds. */
    OUT_OF_BOUNDS,
    /** Computation of NaN. */
    NUMERICAL,
    /** Invalid operation of the program on the core. */
    PROGRAM_ERROR,
    /** Cores in use by another process. */
    CORES_TAKEN,
    /** Missing devices. */
    NO_DEVICE,
    /** Device that is missing or cannot be opened. */
    DEVICE_NOT_OPENED,
    /** Gap between the cores. */
    CORES_NOT_CONTIGUOUS,
    /** Missing driver. */
    DRIVER_MISSING,
    /** Driver that does not fit the runtime. */
    DRIVER_TOO_OLD,
    /** Device that is still busy with an earlier process. */
    CORE_LEFT_RUNNING,
    /** Program that continues without the device. */
    NOT_ON_DEVICE,
    /** Runtime that did not start. */
    NOT_INITIALISED,
    /** NEFF of a version that is too new. */
    NEFF_TOO_NEW,
    /** NEFF with operators that are unknown to the runtime. */
    OPERATOR_UNKNOWN,
    /** NEFF that needs more cores. */
    TOO_FEW_CORES,
    /** Logical cores of another size. */
    LOGICAL_CORE_SIZE,
    /** Group of collectives with a size or start that the fabric does not support. */
    TOPOLOGY,
    /** Full memory of the device. */
    MEMORY_FULL,
    /** Exhausted queues of the device. */
    QUEUES_FULL,
    /** Port in use by two jobs. */
    PORT_TAKEN,
    /** Missing component for collectives or the network. */
    COLLECTIVES_MISSING,
    /** End of another rank. */
    RANK_GONE,
    /** Missing library. */
    LIBRARY_MISSING,
    /** Two contradictory selections of cores by variables. */
    VISIBLE_CORES_REFUSED,
    /** Untrusted state of the runtime, without a named reason. */
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

    /**
     * Finds the cause named in a line.
     *
     * @hidden
     */
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
     * Returns the possible faults.
     *
     * @return the possible faults, the most common first
     */
    public Set<Fault> faults() {
        return verdict.faults();
    }

    /**
     * Returns the consequence for the core.
     *
     * @return the verdict, which has precedence over that of a status
     */
    public CoreVerdict core() {
        return verdict.core();
    }

    /**
     * Returns the advice.
     *
     * @return one or two sentences
     */
    public String advice() {
        return verdict.advice();
    }

    /**
     * Returns the status that represents the cause if no status was printed next to it. It makes two devices comparable.
     *
     * @return the only status of the cause, or the usual one of several
     */
    public Optional<RuntimeStatus> usualStatus() {
        return usualStatus.map(RuntimeStatus::of);
    }

    /** Returns the statuses that the runtime returns for the cause. */
    Set<Integer> statuses() {
        return statuses;
    }

    /**
     * Returns the stage at which the cause occurs.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public Stage stage() {
        return stage;
    }

    /**
     * Returns the only status that the runtime returns for the cause; empty when it returns several.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public OptionalInt status() {
        return status;
    }
}
