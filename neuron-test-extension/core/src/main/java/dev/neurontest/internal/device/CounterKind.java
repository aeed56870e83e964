package dev.neurontest.internal.device;

import java.util.Locale;
import java.util.Set;
import org.apiguardian.api.API;

/** The kind of a counter: what an error is, how the driver counts it, and what a difference of it means. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum CounterKind {
    /** Outcomes of executions and loads; added up by the process's datastore. */
    STATUS,
    /** Work done; added up by the process's datastore too. */
    EXECUTION,
    /** Resets of the device. */
    RESET,
    /** Rises and falls at once with every allocation and release. */
    MEMORY,
    /** The low 16 bits of registers, several of them added up; read from the device at each read. */
    ECC,
    /** What it means is not known: a newer driver may count anything. */
    OTHER;

    private static final Set<String> WORK =
            Set.of("model_load_count", "inference_count", "flop_count", "nc_time_in_use");

    /**
     * The kind of a counter.
     *
     * @param path below {@code stats}
     * @return {@link #OTHER} when it is not known
     */
    public static CounterKind of(String path) {
        // Drivers 2.28 and 2.29 have counts of ECC errors there, of which no source says whether they are corrected.
        if (path.startsWith("hardware/health_status/")) {
            return OTHER;
        }
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (path.startsWith("status/")) {
            return STATUS;
        }
        if (path.startsWith("memory_usage/")) {
            return MEMORY;
        }
        if (path.startsWith("other_info/")) {
            return WORK.contains(name) ? EXECUTION : name.startsWith("reset_") ? RESET : OTHER;
        }
        return path.startsWith("hardware/") && name.contains("ecc") ? ECC : OTHER;
    }

    /**
     * Whether a counter tells of something that went wrong: by default it must not move.
     *
     * @param path below {@code stats}
     * @return false when it is not known
     */
    public static boolean isError(String path) {
        return switch (of(path)) {
            case STATUS -> !path.equals("status/success");
            case ECC -> path.contains("uncorrect");
            case RESET -> path.endsWith("/reset_fail_count");
            default -> false;
        };
    }

    /**
     * Returns whether a place without this counter may hide an error. Failed resets are not needed for that.
     *
     * @param path below {@code stats}
     * @return false when it is not known
     */
    public static boolean isNeeded(String path) {
        return isError(path) && of(path) != RESET;
    }

    /**
     * Whether an error is one of the hardware: uncorrected ECC errors, and what is counted for the statuses 6, 1201 to 1203 and 1205.
     * A collective that hangs (1200) may wait for another worker, and a queue that overflows (1204) is one of the software. What a
     * newer driver adds with the prefix of these counters is taken for an error of the hardware.
     *
     * @param path below {@code stats}
     * @return false when it is not known
     */
    public static boolean isHardwareError(String path) {
        return switch (of(path)) {
            case STATUS -> path.startsWith("status/hw_") && !path.equals("status/hw_collectives_error");
            case ECC -> isError(path);
            default -> false;
        };
    }

    /**
     * Returns whether a new start of the driver repairs the memory that an error is about; otherwise the instance has to be replaced.
     *
     * @param path of an error of the memory, below {@code stats}
     * @return whether its name says so
     */
    public static boolean isRepairable(String path) {
        return path.contains("repairable");
    }

    /**
     * Returns whether an error is one of the program that ran on the core.
     *
     * @param path below {@code stats}
     * @return false when it is not known
     */
    public static boolean isProgramError(String path) {
        return path.startsWith("status/execute_sw_") && !path.equals("status/execute_sw_nq_overflow");
    }

    /**
     * Returns whether it counts events that the hardware reported, of which no source says what they are.
     *
     * @param path below {@code stats}
     * @return false when it is not known
     */
    public static boolean isHardwareEvent(String path) {
        return path.endsWith("/hw_error_event");
    }

    /**
     * Returns what people call it.
     *
     * @return such as {@code status} or {@code ECC}
     */
    public String word() {
        return this == ECC ? "ECC" : name().toLowerCase(Locale.ROOT);
    }

    /**
     * Whether only clearing it, reloading the driver or a wrap makes it smaller.
     *
     * @return false when it may fall
     */
    public boolean isMonotonic() {
        return this == STATUS || this == EXECUTION || this == RESET || this == ECC;
    }

    /**
     * Whether it may appear only when the owning process lets go of the device.
     *
     * @return true for executions and their outcomes
     */
    public boolean isDeferred() {
        return this == STATUS || this == EXECUTION;
    }

    /**
     * Whether a logical core has the sum of its physical cores, and not the largest.
     *
     * @return true for memory
     */
    public boolean addsUpOverPhysicalCores() {
        return this == MEMORY;
    }

    /**
     * Returns whether two equal readings of it are part of being quiet. Counters of unknown kind may change at any time.
     *
     * @return false for counters of unknown kind
     */
    public boolean settles() {
        return this != OTHER;
    }
}
