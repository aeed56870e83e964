package dev.neurontest.internal.device;

import java.util.Locale;
import java.util.Set;
import org.apiguardian.api.API;

/** The kind of a counter. It defines the errors, the way of counting and the meaning of a difference. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum CounterKind {
    /** Outcomes of executions and loads, added up by the process's datastore. */
    STATUS,
    /** Amounts of work, added up by the process's datastore too. */
    EXECUTION,
    /** Resets of the device. */
    RESET,
    /** Memory in use. The driver updates it at once with every allocation and release. */
    MEMORY,
    /** The low 16 bits of registers, several of them added up. The driver reads them from the device at each read. */
    ECC,
    /** Counters of unknown meaning, as added by newer drivers. */
    OTHER;

    private static final Set<String> WORK =
            Set.of("model_load_count", "inference_count", "flop_count", "nc_time_in_use");

    /**
     * Returns the kind of a counter.
     *
     * @param path path below {@code stats}
     * @return the kind; {@link #OTHER} when it is not known
     */
    public static CounterKind of(String path) {
        // Drivers 2.28 and 2.29 count ECC errors there. No source documents whether these were corrected.
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
     * Returns whether a counter counts errors. By default it must not change.
     *
     * @param path path below {@code stats}
     * @return false when the counter is not known
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
     * Returns whether an error could be missed at a place without this counter. Counters of failed resets are not needed for
     * that.
     *
     * @param path path below {@code stats}
     * @return false when the counter is not known
     */
    public static boolean isNeeded(String path) {
        return isError(path) && of(path) != RESET;
    }

    /**
     * Returns whether a counter counts hardware errors: uncorrected ECC errors, and the statuses 6, 1201 to 1203 and 1205. A
     * hanging collective (1200) is excluded, because it may wait for another worker. A queue overflow (1204) is a software error.
     * New counters of newer drivers with the same prefix are treated as hardware errors.
     *
     * @param path path below {@code stats}
     * @return false when the counter is not known
     */
    public static boolean isHardwareError(String path) {
        return switch (of(path)) {
            case STATUS -> path.startsWith("status/hw_") && !path.equals("status/hw_collectives_error");
            case ECC -> isError(path);
            default -> false;
        };
    }

    /**
     * Returns whether a restart of the driver repairs the memory with this error. Otherwise the instance must be replaced.
     *
     * @param path path of a memory error below {@code stats}
     * @return true if the name contains "repairable"
     */
    public static boolean isRepairable(String path) {
        return path.contains("repairable");
    }

    /**
     * Returns whether a counter counts errors of the program on the core.
     *
     * @param path path below {@code stats}
     * @return false when the counter is not known
     */
    public static boolean isProgramError(String path) {
        return path.startsWith("status/execute_sw_") && !path.equals("status/execute_sw_nq_overflow");
    }

    /**
     * Returns whether a counter counts hardware events. No source documents their meaning.
     *
     * @param path path below {@code stats}
     * @return false when the counter is not known
     */
    public static boolean isHardwareEvent(String path) {
        return path.endsWith("/hw_error_event");
    }

    /**
     * Returns the usual word for this kind.
     *
     * @return such as {@code status} or {@code ECC}
     */
    public String word() {
        return this == ECC ? "ECC" : name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns whether such a counter decreases only by a write to it, a reload of the driver or a wrap.
     *
     * @return false for counters that may decrease
     */
    public boolean isMonotonic() {
        return this == STATUS || this == EXECUTION || this == RESET || this == ECC;
    }

    /**
     * Returns whether such a counter may change only when the owning process releases the device.
     *
     * @return true for executions and their outcomes
     */
    public boolean isDeferred() {
        return this == STATUS || this == EXECUTION;
    }

    /**
     * Returns whether a logical core has the sum of its physical cores, instead of the largest value.
     *
     * @return true for memory
     */
    public boolean addsUpOverPhysicalCores() {
        return this == MEMORY;
    }

    /**
     * Returns whether the counter takes part in the settling check. Counters of unknown kind do not, because they may change at
     * any time.
     */
    public boolean settles() {
        return this != OTHER;
    }
}
