package dev.neurontest.internal.command.doctor;

import dev.neurontest.internal.command.doctor.DoctorFinding.Level;
import java.util.Locale;
import org.apiguardian.api.API;

/** The codes of problems on a host, for programs. The schema of the JSON has the same list. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Code {
    /** A setting that cannot be parsed. */
    MISTAKEN_SETTING("settings", Level.FAIL),
    /** A property or variable with the prefix of a setting, but an unknown name. */
    UNKNOWN_SETTING("settings", Level.WARN),
    /** Missing devices of this machine. */
    NO_HOST("host", Level.FAIL),
    /** A named host that cannot exist, such as a fake of an unknown instance type. */
    IMPOSSIBLE_HOST("host", Level.FAIL),
    /** A host that differs from the chosen one. */
    OTHER_HOST("host", Level.WARN),
    /** An unreadable driver version. */
    HIDDEN_DRIVER_VERSION("driver", Level.WARN),
    /** Counters that move late. */
    LATE_COUNTERS("driver", Level.WARN),
    /** An oddity of the devices. */
    ODD_DEVICES("devices", Level.WARN),
    /** Fewer devices than the instance type has. */
    MISSING_DEVICE("devices", Level.WARN),
    /** A device that reports itself as broken. */
    BROKEN_DEVICE("devices", Level.FAIL),
    /** A device that the driver cannot reach. */
    UNREACHABLE_DEVICE("devices", Level.FAIL),
    /** An unreadable file of a device. */
    UNREADABLE_DEVICE("devices", Level.FAIL),
    /** An uncorrected error of device memory. */
    UNCORRECTED_MEMORY_ERROR("devices", Level.WARN),
    /** A line about a device in the kernel log. */
    LOGGED_ERROR("kernel log", Level.WARN),
    /** An unreadable kernel log. */
    UNREADABLE_KERNEL_LOG("kernel log", Level.WARN),
    /** Unreadable counters. */
    UNREADABLE_COUNTERS("counters", Level.FAIL),
    /** An error that could remain undetected. */
    UNSEEN_ERRORS("counters", Level.WARN),
    /** Nodes at other paths than those of any known driver. */
    UNKNOWN_NODES("counters", Level.WARN),
    /** A device that this user must not open. */
    CLOSED_DEVICE("access", Level.FAIL),
    /** A device that a process has open. */
    DEVICE_IN_USE("owners", Level.WARN),
    /** An unusable lease table. */
    UNUSABLE_LEASES("leases", Level.FAIL),
    /** A lease table that other users cannot use. */
    LEASES_OF_ONE_USER("leases", Level.WARN),
    /** A lease table that an ordinary user can replace. */
    REPLACEABLE_LEASES("leases", Level.WARN),
    /** A lease table that the host and other containers do not share. */
    LEASES_OF_ONE_CONTAINER("leases", Level.WARN),
    /** A file in the lease directory that no JVM created. */
    PLANTED_FILE("leases", Level.WARN),
    /** Programs of a dead JVM that other containers cannot see. */
    UNSEEN_PROGRAMS("leases", Level.WARN),
    /** A lease of a JVM that has ended. */
    DEAD_LEASE("leases", Level.WARN),
    /** A waiting JVM that does not answer. */
    PASSED_OVER("leases", Level.WARN),
    /** A core that no test gets. */
    QUARANTINE("quarantine", Level.WARN),
    /** A core that stays in quarantine although a person wants it freed. */
    NOT_FREED("quarantine", Level.FAIL),
    /** A missing profiler. */
    NO_PROFILER("profiler", Level.WARN),
    /** A missing runtime library. */
    NO_RUNTIME("libnrt", Level.WARN),
    /** A choice of cores in the environment. */
    CHOSEN_CORES("libnrt", Level.WARN),
    /** A driver and a runtime that are known not to work together. */
    DRIVER_RUNTIME_MISMATCH("versions", Level.FAIL),
    /** A driver and a runtime without a known result for their combination. */
    DRIVER_RUNTIME_UNVERIFIED("versions", Level.WARN),
    /** A JVM that warns of native access. */
    NATIVE_ACCESS("java", Level.WARN),
    /** A process of a dead JVM. */
    PROCESS_LEFT("left", Level.WARN),
    /** A process or folder of a dead JVM that could not be ended or removed. */
    NOT_REAPED("left", Level.FAIL);

    private final String area;
    private final Level level;

    Code(String area, Level level) {
        this.area = area;
        this.level = level;
    }

    String area() {
        return area;
    }

    Level level() {
        return level;
    }

    /** Returns the code, such as {@code missing-device}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
